/* libcuda.so.1: the cards and their contexts. */
#include "cuda.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRIVER_VERSION = 13010, DEEPEST = 64, LEAST_CARDS = 4 };
enum { TEXTURE_ALIGNMENT = 14, MULTIPROCESSORS = 16, MAJOR = 75, MINOR = 76 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int started, shown, cards[MOST_CARDS];
/* Contexts stay here when they are destroyed, so that it is seen when one is used after that. */
static Context *contexts;
static Context primaries[MOST_CARDS];

static __thread Context *stack[DEEPEST];
static __thread int depth;

static void count_cards(void) {
  const char *number = getenv("NVIDIA_DOUBLE_CARDS");
  int all = number == NULL ? LEAST_CARDS : atoi(number);
  if (all > MOST_CARDS) all = MOST_CARDS;
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  shown = 0;
  if (visible == NULL) {
    while (shown < all) {
      cards[shown] = shown;
      shown++;
    }
    return;
  }
  /* The first entry that names no card hides all that follow. */
  while (shown < MOST_CARDS) {
    char *end;
    long card = strtol(visible, &end, 10);
    if (end == visible || card < 0 || card >= all) return;
    cards[shown++] = (int)card;
    if (*end != ',') return;
    visible = end + 1;
  }
}

SHOWN int cuInit(unsigned flags) {
  pthread_mutex_lock(&lock);
  if (!started) count_cards();
  started = 1;
  pthread_mutex_unlock(&lock);
  return flags != 0 ? INVALID_VALUE : shown == 0 ? NONE : OK;
}

SHOWN int cuDriverGetVersion(int *version) {
  *version = DRIVER_VERSION;
  return OK;
}

SHOWN int cuDeviceGetCount(int *count) {
  *count = shown;
  return started ? OK : NOT_INITIALIZED;
}

static int missing(int device) {
  return !started ? NOT_INITIALIZED : device < 0 || device >= shown ? NO_SUCH_DEVICE : OK;
}

SHOWN int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return missing(ordinal);
}

SHOWN int cuDeviceGetName(char *name, int length, int device) {
  if (missing(device) != OK) return missing(device);
  snprintf(name, (size_t)length, "NVIDIA Double %d", cards[device]);
  return OK;
}

SHOWN int cuDeviceComputeCapability(int *major, int *minor, int device) {
  *major = 8;
  *minor = 9;
  return missing(device);
}

SHOWN int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == TEXTURE_ALIGNMENT ? 512
         : attribute == MULTIPROCESSORS ? 64
         : attribute == MAJOR ? 8
         : attribute == MINOR ? 9 : 0;
  return missing(device);
}

SHOWN int cuDeviceGetUuid(uint8_t uuid[16], int device) {
  if (missing(device) != OK) return missing(device);
  memset(uuid, 0xFA, 16);
  uuid[15] = (uint8_t)cards[device];
  return OK;
}

SHOWN int cuDeviceGetUuid_v2(uint8_t uuid[16], int device) {
  return cuDeviceGetUuid(uuid, device);
}

SHOWN int cuDeviceGetPCIBusId(char *id, int length, int device) {
  if (missing(device) != OK) return missing(device);
  snprintf(id, (size_t)length, "0000:%02X:00.0", cards[device] + 1);
  return OK;
}

SHOWN int cuDeviceGetByPCIBusId(int *device, const char *id) {
  for (int i = 0; i < shown; i++) {
    char own[16];
    cuDeviceGetPCIBusId(own, sizeof own, i);
    if (strcasecmp(own, id) == 0) {
      *device = i;
      return OK;
    }
  }
  return NO_SUCH_DEVICE;
}

static const struct { int code; const char *name, *text; } ERRORS[] = {
  {OK, "CUDA_SUCCESS", "no error"}, {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
  {NO_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
  {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
  {NONE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
  {NO_SUCH_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
  {BAD_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
  {PRIMARY_ACTIVE, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "cannot set while device is active in this process"},
  {DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
  {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
  {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"}};

static int describe(int code, const char **name, const char **text) {
  for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++) {
    if (ERRORS[i].code == code) {
      *name = ERRORS[i].name;
      *text = ERRORS[i].text;
      return OK;
    }
  }
  *name = *text = NULL;
  return INVALID_VALUE;
}

SHOWN int cuGetErrorName(int code, const char **name) {
  const char *text;
  return describe(code, name, &text);
}

SHOWN int cuGetErrorString(int code, const char **text) {
  const char *name;
  return describe(code, &name, text);
}

Context *current_context(void) {
  return depth == 0 ? NULL : stack[depth - 1];
}

/* Whether it is a context of this driver that was not destroyed. */
static int lives(const Context *context) {
  int found = 0;
  pthread_mutex_lock(&lock);
  for (Context *each = contexts; each != NULL; each = each->next) found |= each == context && each->alive;
  for (int i = 0; i < MOST_CARDS; i++) found |= &primaries[i] == context && context->alive;
  pthread_mutex_unlock(&lock);
  return found;
}

int fairlead_card_of(const void *context) {
  return lives(context) ? ((const Context *)context)->card : -1;
}

static int lost_cards[MOST_CARDS];

void fairlead_lose(int card) {
  __atomic_store_n(&lost_cards[card], 1, __ATOMIC_RELAXED);
}

int fairlead_is_lost(int card) {
  return __atomic_load_n(&lost_cards[card], __ATOMIC_RELAXED);
}

SHOWN int cuCtxPushCurrent_v2(Context *context) {
  if (!lives(context)) {
    note("misuse: a context was made current that does not live");
    return DESTROYED;
  }
  if (depth == DEEPEST) return INVALID_VALUE;
  stack[depth++] = context;
  return OK;
}

SHOWN int cuCtxPopCurrent_v2(Context **context) {
  if (depth == 0) {
    note("misuse: no context was current that could be popped");
    return BAD_CONTEXT;
  }
  Context *top = stack[--depth];
  if (context != NULL) *context = top;
  return OK;
}

SHOWN int cuCtxSetCurrent(Context *context) {
  if (context != NULL && !lives(context)) return DESTROYED;
  if (depth > 0) depth--;
  return context == NULL ? OK : cuCtxPushCurrent_v2(context);
}

SHOWN int cuCtxGetCurrent(Context **context) {
  *context = current_context();
  return OK;
}

SHOWN int cuCtxGetDevice(int *device) {
  Context *context = current_context();
  if (context == NULL) return BAD_CONTEXT;
  *device = context->device;
  return OK;
}

SHOWN int cuCtxSetLimit(int limit, size_t value) {
  (void)limit, (void)value;
  return OK;
}

SHOWN int cuCtxSynchronize(void) {
  return current_context() == NULL ? BAD_CONTEXT : OK;
}

SHOWN int cuCtxCreate_v2(Context **made, unsigned flags, int device) {
  if (missing(device) != OK) return missing(device);
  Context *context = calloc(1, sizeof *context);
  *context = (Context){.card = cards[device], .device = device, .alive = 1, .flags = flags};
  pthread_mutex_lock(&lock);
  context->next = contexts;
  contexts = context;
  pthread_mutex_unlock(&lock);
  *made = context;
  note("context-created card=%d context=%p", context->card, (void *)context);
  return cuCtxPushCurrent_v2(context);
}

SHOWN int cuCtxDestroy_v2(Context *context) {
  if (!lives(context) || context->users > 0) {
    note("misuse: a context was destroyed that does not live or is primary");
    return BAD_CONTEXT;
  }
  if (context->bytes > 0) note("misuse: a context was destroyed with %zu bytes in it", context->bytes);
  note("context-destroyed card=%d context=%p", context->card, (void *)context);
  context->alive = 0;
  if (current_context() == context) depth--;
  return OK;
}

SHOWN int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  if (missing(device) != OK) return missing(device);
  *flags = primaries[device].flags;
  *active = primaries[device].alive;
  return OK;
}

SHOWN int cuDevicePrimaryCtxSetFlags(int device, unsigned flags) {
  if (missing(device) != OK) return missing(device);
  primaries[device].flags = flags;
  return OK;
}

SHOWN int cuDevicePrimaryCtxRetain(Context **context, int device) {
  if (missing(device) != OK) return missing(device);
  Context *primary = &primaries[device];
  pthread_mutex_lock(&lock);
  primary->card = cards[device];
  primary->device = device;
  primary->alive = 1;
  int users = ++primary->users;
  pthread_mutex_unlock(&lock);
  *context = primary;
  note("primary-retained card=%d users=%d", primary->card, users);
  return OK;
}

SHOWN int cuDevicePrimaryCtxRelease(int device) {
  if (missing(device) != OK) return missing(device);
  Context *primary = &primaries[device];
  pthread_mutex_lock(&lock);
  int users = --primary->users;
  if (users <= 0) primary->alive = primary->users = 0;
  pthread_mutex_unlock(&lock);
  if (users < 0) {
    note("misuse: a primary context was released that was not retained");
    return BAD_CONTEXT;
  }
  note("primary-released card=%d users=%d", primary->card, users);
  if (users == 0 && primary->bytes > 0) note("misuse: a primary context went with %zu bytes in it", primary->bytes);
  return OK;
}

SHOWN int cuDevicePrimaryCtxReset(int device) {
  return missing(device);
}

/* The same under the names that other programs than FFmpeg ask for. */
SHOWN int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags(device, flags);
}

SHOWN int cuDevicePrimaryCtxRelease_v2(int device) {
  return cuDevicePrimaryCtxRelease(device);
}

SHOWN int cuDevicePrimaryCtxReset_v2(int device) {
  return cuDevicePrimaryCtxReset(device);
}

SHOWN int cuDeviceCanAccessPeer(int *possible, int device, int other) {
  *possible = 0;
  return missing(device) != OK ? missing(device) : missing(other);
}
