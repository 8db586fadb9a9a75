/* The books of the double, and what tests tell it to do. */
#define _GNU_SOURCE
#include "double.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
Device devices[MOST_DEVICES];
int device_count = -1, visible_count, visible[MOST_DEVICES];
Object *live;
int hung_released;

static Object *objects[MOST_OBJECTS];
static int object_count;
static char blames[1 << 16];
static size_t blames_length;
static char after_poison[1 << 14];
Context *contexts;

typedef struct { char function[64]; long calls; } Count;
static Count counts[128];
static int count_of_counts;

typedef struct { char function[64]; long nth; int code, device, always; } Order;
static Order orders[32];
static int order_count;

int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void blame(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof blames - blames_length;
  int written = vsnprintf(blames + blames_length, room, format, arguments);
  va_end(arguments);
  blames_length += (size_t)written + 1 < room ? (size_t)written : room - 1;
  if (blames_length + 1 < sizeof blames) blames[blames_length++] = '\n';
  blames[blames_length] = 0;
}

static int is_sticky(int code) {
  return code == 214 || code == 220 || code == 226 || code == 700 || code == 702 || code == 710
         || (code >= 714 && code <= 719) || code == 721 || code == UNKNOWN;
}

void poison(Context *context, int code) {
  if (context != NULL && context->sticky == 0 && is_sticky(code)) context->sticky = code;
  pthread_cond_broadcast(&changed);
}

static void count(const char *function) {
  for (int i = 0; i < count_of_counts; i++) {
    if (strcmp(counts[i].function, function) == 0) {
      counts[i].calls++;
      return;
    }
  }
  if (count_of_counts < 128) {
    snprintf(counts[count_of_counts].function, sizeof counts[0].function, "%s", function);
    counts[count_of_counts++].calls = 1;
  }
}

static char order[1 << 16];
static size_t order_length;

/* What was asked of which device, in order: copies, and what waits. */
static void note_order(const char *function, const Context *context) {
  if (context == NULL || (strstr(function, "Memcpy") == NULL && strstr(function, "Synchronize") == NULL)) return;
  size_t room = sizeof order - order_length;
  int written = snprintf(order + order_length, room, "%s:%d\n", function, context->device->index);
  if ((size_t)written < room) order_length += (size_t)written;
}

int enter(const char *function, Context *context) {
  count(function);
  note_order(function, context);
  for (int i = 0; i < order_count; i++) {
    Order *order = &orders[i];
    int here = order->device < 0 || (context != NULL && context->device->index == order->device);
    if (here && strcmp(order->function, function) == 0 && (order->always || --order->nth == 0)) {
      poison(context, order->code);
      return order->code;
    }
  }
  if (context != NULL && context->device->lost) {
    poison(context, UNKNOWN);
    return UNKNOWN;
  }
  if (context != NULL && context->sticky != 0) {
    if (strlen(after_poison) + strlen(function) + 2 < sizeof after_poison) {
      strcat(after_poison, function);
      strcat(after_poison, "\n");
    }
    return context->sticky;
  }
  return OK;
}

static __thread Context *bound;

Context **current_slot(void) { return &bound; }

Context *current(const char *function) {
  if (bound == NULL) {
    blame("%s: no context is current on this thread", function);
    return NULL;
  }
  if (!bound->alive) {
    blame("%s: the context that is current on this thread is gone", function);
    return NULL;
  }
  return bound;
}

Object *make(Kind kind, Context *context) {
  if (object_count == MOST_OBJECTS) abort();
  Object *object = calloc(1, sizeof *object);
  object->kind = kind;
  object->alive = 1;
  object->context = context;
  object->handle = 0x4000 + 16ULL * (uint64_t)object_count;
  objects[object_count++] = object;
  object->next_live = live;
  if (live != NULL) live->previous_live = object;
  live = object;
  return object;
}

static const char *NAMES[] = {"memory", "pinned memory", "a module", "a function", "a stream", "an event"};

void bury(Object *object) {
  object->alive = 0;
  if (object->previous_live != NULL) object->previous_live->next_live = object->next_live;
  else live = object->next_live;
  if (object->next_live != NULL) object->next_live->previous_live = object->previous_live;
  if (object->kind == MEMORY) {
    object->context->device->used -= object->bytes;
    free(object->host);
  }
  if (object->kind == PINNED) free(object->host);
}

Object *find(uint64_t handle, Kind kind, const char *function, const char *what) {
  for (Object *each = live; each != NULL; each = each->next_live) {
    if (each->kind == kind && each->handle == handle) return each;
  }
  for (int i = 0; i < object_count; i++) {
    if (objects[i]->kind == kind && objects[i]->handle == handle) {
      blame("%s: %s", function, what);
      return NULL;
    }
  }
  blame("%s: 0x%llx is no handle of %s", function, (unsigned long long)handle, NAMES[kind]);
  return NULL;
}

Object *holding(uint64_t address, size_t bytes, Kind kind, const char *function) {
  for (Object *each = live; each != NULL; each = each->next_live) {
    if (each->kind == kind && address >= each->address && address + bytes <= each->address + each->bytes)
      return each;
  }
  for (int i = object_count - 1; i >= 0; i--) {
    Object *each = objects[i];
    if (each->kind == kind && !each->alive && address >= each->address
        && address < each->address + each->bytes) {
      blame("%s: use after free of %s", function, NAMES[kind]);
      return NULL;
    }
  }
  blame("%s: %zu bytes at 0x%llx are no %s", function, bytes, (unsigned long long)address, NAMES[kind]);
  return NULL;
}

Object *own(const void *handle, Kind kind, Context *here, const char *function) {
  Object *object = find((uint64_t)(uintptr_t)handle, kind, function, "it was destroyed before");
  if (object != NULL && object->context != here) {
    blame("%s: it belongs to another context", function);
    return NULL;
  }
  return object;
}

void setup(int number, const char *show) {
  memset(devices, 0, sizeof devices);
  device_count = number;
  visible_count = 0;
  for (int i = 0; i < number; i++) {
    Device *device = &devices[i];
    device->index = i;
    device->total = 1ULL << 30;
    snprintf(device->name, sizeof device->name, "Double GPU %d", i);
    snprintf(device->pci, sizeof device->pci, "0000:%02X:00.0", 0x3B + i);
    for (int byte = 0; byte < 16; byte++) device->uuid_bytes[byte] = (unsigned char)(i * 16 + byte + 0xA0);
    const unsigned char *u = device->uuid_bytes;
    snprintf(device->uuid, sizeof device->uuid,
             "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1], u[2],
             u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
  }
  if (show == NULL) {
    for (int i = 0; i < number; i++) visible[visible_count++] = i;
    return;
  }
  char text[512];
  snprintf(text, sizeof text, "%s", show);
  char *rest = NULL;
  for (char *word = strtok_r(text, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
    int chosen = -1;
    for (int i = 0; i < number; i++) {
      char digits[16];
      snprintf(digits, sizeof digits, "%d", i);
      if (strcmp(word, digits) == 0 || (strchr(word, '-') && strncasecmp(word, devices[i].uuid, strlen(word)) == 0))
        chosen = i;
    }
    if (chosen < 0) return; /* as the driver does: what follows a word that it does not know is not shown */
    visible[visible_count++] = chosen;
  }
}

/* ---- what tests call */

void double_setup(int number, const char *show) {
  pthread_mutex_lock(&lock);
  while (live != NULL) {
    live->closing = 1;
    bury(live);
  }
  pthread_cond_broadcast(&changed);
  for (int i = 0; i < object_count; i++) {
    free(objects[i]->text);
    objects[i]->text = NULL;
  }
  for (Context *each = contexts; each != NULL; each = each->next) each->alive = 0;
  blames[0] = after_poison[0] = order[0] = 0;
  order_length = 0;
  blames_length = 0;
  count_of_counts = order_count = hung_released = 0;
  setup(number, show);
  pthread_mutex_unlock(&lock);
}

/* function:nth:code or function:nth:code:device; the nth call from now on fails, and all of them if it is 0 */
int double_fail(const char *order) {
  pthread_mutex_lock(&lock);
  Order *next = &orders[order_count];
  next->device = -1;
  int fields = sscanf(order, "%63[^:]:%ld:%d:%d", next->function, &next->nth, &next->code, &next->device);
  next->always = next->nth == 0;
  if (fields >= 3) order_count++;
  pthread_mutex_unlock(&lock);
  return fields;
}

void double_forgive(void) {
  pthread_mutex_lock(&lock);
  order_count = 0;
  pthread_mutex_unlock(&lock);
}

void double_lose(int device) {
  pthread_mutex_lock(&lock);
  devices[device].lost = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void double_slice(int device, const char *name) {
  pthread_mutex_lock(&lock);
  devices[device].slice = 1;
  snprintf(devices[device].name, sizeof devices[device].name, "%s", name);
  memcpy(devices[device].uuid, "MIG-", 4);
  pthread_mutex_unlock(&lock);
}

void double_others(int device, int processes, int own_sessions, int foreign_sessions) {
  pthread_mutex_lock(&lock);
  devices[device].foreign_processes = processes;
  devices[device].own_sessions = own_sessions;
  devices[device].foreign_sessions = foreign_sessions;
  pthread_mutex_unlock(&lock);
}

/* From now on copies from one device straight to another end well and bring nothing, as under a translating IOMMU. */
void double_lose_copies(int from, int to) {
  pthread_mutex_lock(&lock);
  devices[to].loses_copies_of |= 1 << from;
  pthread_mutex_unlock(&lock);
}

/* From now on a reset does not clear an error of the device: the process would have to be a new one. */
void double_keep_errors(int device) {
  pthread_mutex_lock(&lock);
  devices[device].keeps_errors = 1;
  pthread_mutex_unlock(&lock);
}

/* From now on kernels on the device end well and do nothing, or do their work again. */
void double_idle_kernels(int device, int idle) {
  pthread_mutex_lock(&lock);
  devices[device].idle_kernels = idle;
  pthread_mutex_unlock(&lock);
}

/* From now on a process computes on the device and encodes there. */
void double_child(int device, int pid) {
  pthread_mutex_lock(&lock);
  devices[device].child = pid;
  pthread_mutex_unlock(&lock);
}

/* From now on the device serves so many processes at a time and refuses the next. */
void double_most_users(int device, int most) {
  pthread_mutex_lock(&lock);
  devices[device].most_users = most;
  pthread_mutex_unlock(&lock);
}

/* From now on the device serves one process at a time: the one that holds the lock of a file. */
void double_exclusive(int device, const char *file) {
  pthread_mutex_lock(&lock);
  snprintf(devices[device].exclusive, sizeof devices[device].exclusive, "%s", file);
  pthread_mutex_unlock(&lock);
}

void double_memory(int device, size_t total) {
  pthread_mutex_lock(&lock);
  devices[device].total = total;
  pthread_mutex_unlock(&lock);
}

void double_release_hung(void) {
  pthread_mutex_lock(&lock);
  hung_released = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

long double_calls(const char *function) {
  long calls = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count_of_counts; i++) {
    if (strcmp(counts[i].function, function) == 0) calls = counts[i].calls;
  }
  pthread_mutex_unlock(&lock);
  return calls;
}

/* Copies and waits as they were asked for, a line each. */
void double_order(char *text, size_t size) {
  pthread_mutex_lock(&lock);
  snprintf(text, size, "%s", order);
  pthread_mutex_unlock(&lock);
}

/* What was asked of contexts after they were poisoned, a line each. */
void double_after_poison(char *text, size_t size) {
  pthread_mutex_lock(&lock);
  snprintf(text, size, "%s", after_poison);
  pthread_mutex_unlock(&lock);
}

/* What is wrong: what was called as it must not be, and what was never given back. */
void double_books(char *text, size_t size) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < device_count; i++) {
    if (devices[i].retained > 0) blame("the context of device %d is retained %d times", i, devices[i].retained);
  }
  for (Object *each = live; each != NULL; each = each->next_live) {
    if (each->kind != FUNCTION) blame("%s was never given back", NAMES[each->kind]);
  }
  snprintf(text, size, "%s", blames);
  pthread_mutex_unlock(&lock);
}
