/* libcuda.so.1: memory of the cards, which is memory of the host; streams, which do all at once; and the rest. */
#include "cuda.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 512 };
enum { USUAL_MEGABYTES = 8192 };

static size_t memory_of(int card) {
  char value[LONGEST_VALUE];
  const char *megabytes = of_card("NVIDIA_DOUBLE_MEMORY", card, value);
  return (size_t)(megabytes == NULL ? USUAL_MEGABYTES : atol(megabytes)) << 20;
}

typedef uintptr_t Address;
typedef struct { size_t bytes; Context *context; } Reserved;

SHOWN int cuMemAlloc_v2(Address *address, size_t bytes) {
  Context *context = current_context();
  if (context == NULL) return BAD_CONTEXT;
  if (fairlead_is_lost(context->card)) return UNKNOWN;
  if (context->bytes + bytes > memory_of(context->card)) {
    note("memory-refused card=%d bytes=%zu held=%zu", context->card, bytes, context->bytes);
    return NO_MEMORY;
  }
  char *memory = aligned_alloc(ALIGNMENT, (bytes + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (memory == NULL) return NO_MEMORY;
  /* What it is stands in front of it. */
  *(Reserved *)memory = (Reserved){.bytes = bytes, .context = context};
  size_t held = __atomic_add_fetch(&context->bytes, bytes, __ATOMIC_RELAXED);
  *address = (Address)memory + ALIGNMENT;
  note("memory-reserved card=%d bytes=%zu held=%zu", context->card, bytes, held);
  return OK;
}

SHOWN int cuMemFree_v2(Address address) {
  if (address == 0) return OK;
  Reserved *reserved = (Reserved *)(address - ALIGNMENT);
  if (!reserved->context->alive) note("misuse: memory was freed after its context");
  __atomic_sub_fetch(&reserved->context->bytes, reserved->bytes, __ATOMIC_RELAXED);
  free(reserved);
  return OK;
}

SHOWN int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  *bytes = memory_of(device);
  return OK;
}

SHOWN int cuMemGetInfo_v2(size_t *unused, size_t *total) {
  Context *context = current_context();
  if (context == NULL) return BAD_CONTEXT;
  *total = memory_of(context->card);
  *unused = *total - context->bytes;
  return OK;
}

SHOWN int cuMemAllocPitch_v2(Address *address, size_t *pitch, size_t width, size_t height, unsigned element) {
  (void)element;
  *pitch = (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return cuMemAlloc_v2(address, *pitch * height);
}

SHOWN int cuMemAllocManaged(Address *address, size_t bytes, unsigned flags) {
  (void)flags;
  return cuMemAlloc_v2(address, bytes);
}

SHOWN int cuMemAllocAsync(Address *address, size_t bytes, void *stream) {
  (void)stream;
  return cuMemAlloc_v2(address, bytes);
}

SHOWN int cuMemFreeAsync(Address address, void *stream) {
  (void)stream;
  return cuMemFree_v2(address);
}

SHOWN int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  (void)flags;
  *memory = malloc(bytes);
  return *memory == NULL ? NO_MEMORY : OK;
}

SHOWN int cuMemFreeHost(void *memory) {
  free(memory);
  return OK;
}

static int copy(void *to, const void *from, size_t bytes) {
  if (current_context() == NULL) return BAD_CONTEXT;
  memmove(to, from, bytes);
  return OK;
}

/* The addresses of cards are those of the host, so that all copies are one. */
#define COPY(name) \
  SHOWN int name(void *to, const void *from, size_t bytes) { return copy(to, from, bytes); }
#define COPY_LATER(name) \
  SHOWN int name(void *to, const void *from, size_t bytes, void *stream) { \
    (void)stream; \
    return copy(to, from, bytes); \
  }
COPY(cuMemcpy)
COPY(cuMemcpyHtoD_v2)
COPY(cuMemcpyDtoH_v2)
COPY(cuMemcpyDtoD_v2)
COPY_LATER(cuMemcpyAsync)
COPY_LATER(cuMemcpyHtoDAsync_v2)
COPY_LATER(cuMemcpyDtoHAsync_v2)
COPY_LATER(cuMemcpyDtoDAsync_v2)

typedef struct { size_t x, y; int kind; void *host; Address device; void *array; size_t pitch; } Side;
typedef struct { Side from, to; size_t width, height; } Rectangle;

enum { IN_HOST = 1 };

static char *corner(const Side *side) {
  char *memory = side->kind == IN_HOST ? side->host : (char *)side->device;
  return memory + side->y * side->pitch + side->x;
}

/* Planes of pictures are copied so: the books count them by their direction. */
static void count(const Context *context, const Rectangle *rectangle) {
  int from_host = rectangle->from.kind == IN_HOST, to_host = rectangle->to.kind == IN_HOST;
  note("plane-copied card=%d direction=%s bytes=%zu", context->card,
       from_host == to_host ? "within" : from_host ? "up" : "down", rectangle->width * rectangle->height);
}

SHOWN int cuMemcpy2D_v2(const Rectangle *rectangle) {
  Context *context = current_context();
  if (context == NULL) return BAD_CONTEXT;
  if (fairlead_is_lost(context->card)) return UNKNOWN;
  count(context, rectangle);
  for (size_t row = 0; row < rectangle->height; row++) {
    memcpy(corner(&rectangle->to) + row * rectangle->to.pitch, corner(&rectangle->from) + row * rectangle->from.pitch,
           rectangle->width);
  }
  return OK;
}

SHOWN int cuMemcpy2DAsync_v2(const Rectangle *rectangle, void *stream) {
  (void)stream;
  return cuMemcpy2D_v2(rectangle);
}

SHOWN int cuMemsetD8Async(void *memory, unsigned char value, size_t bytes, void *stream) {
  (void)stream;
  if (current_context() == NULL) return BAD_CONTEXT;
  memset(memory, value, bytes);
  return OK;
}

/* Work is done when it is handed in: streams and events have nothing to wait for. */
static int made(void **handle) {
  *handle = malloc(1);
  return current_context() == NULL ? BAD_CONTEXT : OK;
}

SHOWN int cuCtxGetStreamPriorityRange(int *least, int *greatest) { *least = 0; *greatest = -5; return OK; }
SHOWN int cuStreamCreate(void **stream, unsigned flags) { (void)flags; return made(stream); }
SHOWN int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  (void)flags, (void)priority;
  return made(stream);
}
SHOWN int cuStreamDestroy_v2(void *stream) { free(stream); return OK; }
SHOWN int cuStreamQuery(void *stream) { (void)stream; return OK; }
SHOWN int cuStreamSynchronize(void *stream) { (void)stream; return OK; }
SHOWN int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { (void)stream, (void)event, (void)flags; return OK; }
SHOWN int cuEventCreate(void **event, unsigned flags) { (void)flags; return made(event); }
SHOWN int cuEventDestroy_v2(void *event) { free(event); return OK; }
SHOWN int cuEventQuery(void *event) { (void)event; return OK; }
SHOWN int cuEventSynchronize(void *event) { (void)event; return OK; }
SHOWN int cuEventElapsedTime(float *milliseconds, void *from, void *to) { (void)from, (void)to; *milliseconds = 0; return OK; }
SHOWN int cuEventRecord(void *event, void *stream) { (void)event, (void)stream; return OK; }

/* FFmpeg and Fairlead do not load a driver that lacks one of these, though neither encoding nor scaling calls any. */
#define LACKING(name) \
  SHOWN int name(void) { \
    note("misuse: " #name " is not in the double"); \
    return NOT_SUPPORTED; \
  }
LACKING(cuArray3DCreate_v2)
LACKING(cuArray3DGetDescriptor_v2)
LACKING(cuArrayCreate_v2)
LACKING(cuArrayDestroy)
LACKING(cuArrayGetPlane)
LACKING(cuCtxEnablePeerAccess)
LACKING(cuFuncGetAttribute)
LACKING(cuGLGetDevices_v2)
LACKING(cuGraphicsGLRegisterImage)
LACKING(cuGraphicsMapResources)
LACKING(cuGraphicsResourceGetMappedPointer_v2)
LACKING(cuGraphicsSubResourceGetMappedArray)
LACKING(cuGraphicsUnmapResources)
LACKING(cuGraphicsUnregisterResource)
LACKING(cuLaunchHostFunc)
LACKING(cuLinkAddData)
LACKING(cuLinkComplete)
LACKING(cuLinkCreate)
LACKING(cuLinkDestroy)
LACKING(cuMemcpyPeerAsync)
LACKING(cuMemsetD16Async)
LACKING(cuMemsetD2D16Async)
LACKING(cuMemsetD2D32Async)
LACKING(cuMemsetD2D8Async)
LACKING(cuMemsetD32Async)
LACKING(cuModuleGetGlobal)
LACKING(cuModuleLoadDataEx)
LACKING(cuStreamAddCallback)
