/*
 * libcuda.so.1: FFmpeg's scaler. Its kernels are known by their names, and done here by the processor when they are
 * launched; what FFmpeg hands in as their code is not read.
 */
#include "cuda.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_FOUND = 500, LONGEST_NAME = 96, PITCHED = 3, BYTES = 1, WORDS = 2 };
enum { FILTER_LINEAR = 1, READ_AS_INTEGER = 1 };

/* What a texture is made of, as the driver's header has it. */
typedef struct {
  int kind;
  struct { uintptr_t memory; int format; unsigned channels; size_t width, height, pitch; } pitched;
} Resource;
typedef struct { int address[3], filter; unsigned flags; } Reading;
typedef struct { Resource resource; int linear; } Texture;

/* How samples lie in memory; words of 10 bits have them at the top where chroma is interleaved. */
typedef struct { const char *name, *older_name; int interleaved, bytes; } Layout;
static const Layout LAYOUTS[] = {
  {"planar8", "yuv420p", 0, 1}, {"semiplanar8", "nv12", 1, 1}, {"planar10", "", 0, 2}, {"semiplanar10", "p010le", 1, 2}};

typedef enum { NEAREST, BILINEAR } Algorithm;
typedef struct { Algorithm algorithm; const Layout *from, *to; int chroma, older; } Kernel;

/* What a kernel is launched with; FFmpeg before 8.1 hands in each field by itself, without the last. */
typedef struct {
  Texture *from[4];
  uint8_t *to[4];
  int width, height, pitch, left, top, from_width, from_height;
  float parameter;
  int limited_range;
} Parameters;

SHOWN int cuModuleLoadData(void **module, const void *code) {
  (void)code;
  Context *context = current_context();
  if (context == NULL) return BAD_CONTEXT;
  char value[LONGEST_VALUE];
  const char *refusal = of_card("NVIDIA_DOUBLE_KERNELS", context->card, value);
  if (refusal != NULL) return atoi(refusal);
  *module = calloc(1, sizeof(int));
  return OK;
}

SHOWN int cuModuleUnload(void *module) {
  free(module);
  return OK;
}

static const Layout *layout_of(const char *name, size_t length, int *older) {
  for (size_t i = 0; i < sizeof LAYOUTS / sizeof LAYOUTS[0]; i++) {
    const Layout *each = &LAYOUTS[i];
    if (strlen(each->name) == length && memcmp(each->name, name, length) == 0) return each;
    if (strlen(each->older_name) == length && length > 0 && memcmp(each->older_name, name, length) == 0) {
      *older = 1;
      return each;
    }
  }
  return NULL;
}

/* Kernels are kept for ever: there are few, and FFmpeg never gives one back. */
SHOWN int cuModuleGetFunction(void **function, void *module, const char *name) {
  (void)module;
  char algorithm[16], from[16], to[16], chroma[4] = "";
  if (sscanf(name, "Subsample_%15[A-Za-z]_%15[a-z0-9]_%15[a-z0-9]_%3[a-z]", algorithm, from, to, chroma) < 3) {
    return NOT_FOUND;
  }
  Kernel found = {.chroma = strcmp(chroma, "uv") == 0};
  found.from = layout_of(from, strlen(from), &found.older);
  found.to = layout_of(to, strlen(to), &found.older);
  if (strcmp(algorithm, "Nearest") == 0) {
    found.algorithm = NEAREST;
  } else if (strcmp(algorithm, "Bilinear") == 0) {
    found.algorithm = BILINEAR;
  } else {
    note("misuse: %s is not in the double", name);
    return NOT_FOUND;
  }
  if (found.from == NULL || found.to == NULL || !found.to->interleaved || found.from->bytes != found.to->bytes) {
    note("misuse: %s is not in the double", name);
    return NOT_FOUND;
  }
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static Kernel kernels[64];
  static int known;
  pthread_mutex_lock(&lock);
  int place = 0;
  while (place < known && memcmp(&kernels[place], &found, sizeof found) != 0) place++;
  if (place == known) kernels[known++] = found;
  pthread_mutex_unlock(&lock);
  *function = &kernels[place];
  return OK;
}

SHOWN int cuTexObjectCreate(uintptr_t *handle, const Resource *resource, const Reading *reading, const void *view) {
  (void)view;
  if (current_context() == NULL) return BAD_CONTEXT;
  if (resource->kind != PITCHED || (resource->pitched.format != BYTES && resource->pitched.format != WORDS)) {
    return INVALID_VALUE;
  }
  Texture *texture = malloc(sizeof *texture);
  *texture = (Texture){.resource = *resource, .linear = reading->filter == FILTER_LINEAR};
  *handle = (uintptr_t)texture;
  return OK;
}

SHOWN int cuTexObjectDestroy(uintptr_t handle) {
  free((Texture *)handle);
  return OK;
}

/* A sample; those beyond an edge are those at it. */
static float sample_at(const Texture *texture, int channel, long x, long y) {
  long width = (long)texture->resource.pitched.width, height = (long)texture->resource.pitched.height;
  x = x < 0 ? 0 : x >= width ? width - 1 : x;
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  size_t place = (size_t)x * texture->resource.pitched.channels + (size_t)channel;
  const char *row = (const char *)texture->resource.pitched.memory + (size_t)y * texture->resource.pitched.pitch;
  return texture->resource.pitched.format == BYTES ? ((const uint8_t *)row)[place] : ((const uint16_t *)row)[place];
}

/* What the texture unit answers; the middle of the first sample is at one half. */
static int texel(const Texture *texture, int channel, float x, float y) {
  if (!texture->linear) return (int)sample_at(texture, channel, (long)floorf(x), (long)floorf(y));
  float left = floorf(x - 0.5f), top = floorf(y - 0.5f), across = x - 0.5f - left, down = y - 0.5f - top;
  long column = (long)left, row = (long)top;
  float above = sample_at(texture, channel, column, row) * (1 - across) + sample_at(texture, channel, column + 1, row) * across;
  float below =
      sample_at(texture, channel, column, row + 1) * (1 - across) + sample_at(texture, channel, column + 1, row + 1) * across;
  return (int)lrintf(above * (1 - down) + below * down);
}

/* How far the four places that a larger step is the mean of lie beside its middle. */
static float reach(float step) {
  float weight = 0.5f * (step - 1);
  weight = weight < 0 ? 0 : weight > 1 ? 1 : weight;
  return weight / (0.5f + weight);
}

static int scaled(const Kernel *kernel, const Parameters *parameters, const Texture *from, int channel, int x, int y) {
  float across = (float)parameters->from_width / (float)parameters->width;
  float down = (float)parameters->from_height / (float)parameters->height;
  float middle = ((float)x + 0.5f) * across + (float)parameters->left;
  float centre = ((float)y + 0.5f) * down + (float)parameters->top;
  if (kernel->algorithm == NEAREST) return texel(from, channel, middle, centre);
  float dx = reach(across), dy = reach(down);
  int sum = texel(from, channel, middle - dx, centre - dy) + texel(from, channel, middle + dx, centre - dy)
      + texel(from, channel, middle - dx, centre + dy) + texel(from, channel, middle + dx, centre + dy);
  return (sum + 2) >> 2;
}

static void put(const Kernel *kernel, uint8_t *row, size_t place, int value) {
  if (kernel->to->bytes == 1) {
    row[place] = (uint8_t)value;
  } else {
    ((uint16_t *)row)[place] = (uint16_t)(kernel->from->interleaved ? value : value << 6);
  }
}

static void run(const Kernel *kernel, const Parameters *parameters, int astray) {
  for (int y = 0; y < parameters->height; y++) {
    for (int x = 0; x < parameters->width; x++) {
      int seen = astray ? parameters->width - 1 - x : x;
      uint8_t *row = parameters->to[kernel->chroma] + (size_t)y * (size_t)parameters->pitch;
      if (!kernel->chroma) {
        put(kernel, row, (size_t)x, scaled(kernel, parameters, parameters->from[0], 0, seen, y));
        continue;
      }
      for (int kind = 0; kind < 2; kind++) {
        const Texture *from = kernel->from->interleaved ? parameters->from[1] : parameters->from[1 + kind];
        int channel = kernel->from->interleaved ? kind : 0;
        put(kernel, row, (size_t)x * 2 + (size_t)kind, scaled(kernel, parameters, from, channel, seen, y));
      }
    }
  }
}

static Parameters parameters_of(const Kernel *kernel, void **arguments) {
  if (!kernel->older) return *(Parameters *)arguments[0];
  Parameters each = {0};
  for (int i = 0; i < 4; i++) {
    each.from[i] = *(Texture **)arguments[i];
    each.to[i] = *(uint8_t **)arguments[4 + i];
  }
  int *numbers[] = {&each.width, &each.height, &each.pitch, &each.left, &each.top, &each.from_width, &each.from_height};
  for (int i = 0; i < 7; i++) *numbers[i] = *(int *)arguments[8 + i];
  return each;
}

SHOWN int cuLaunchKernel(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                         unsigned threads_y, unsigned threads_z, unsigned shared, void *stream, void **arguments,
                         void **more) {
  (void)blocks_z, (void)threads_z, (void)shared, (void)stream, (void)more;
  Context *context = current_context();
  if (context == NULL) return BAD_CONTEXT;
  const Kernel *kernel = function;
  Parameters parameters = parameters_of(kernel, arguments);
  if (blocks_x * threads_x < (unsigned)parameters.width || blocks_y * threads_y < (unsigned)parameters.height) {
    note("misuse: fewer threads than samples were launched");
    return INVALID_VALUE;
  }
  char value[LONGEST_VALUE];
  const char *lie = of_card("NVIDIA_DOUBLE_LIES", context->card, value);
  run(kernel, &parameters, lie != NULL && strcmp(lie, "scaling") == 0);
  if (!kernel->chroma) {
    note("scaled card=%d from=%dx%d to=%dx%d", context->card, parameters.from_width, parameters.from_height,
         parameters.width, parameters.height);
  }
  return OK;
}
