/* The streams of the double: threads that carry out commands, the kernels of kernels.ptx among them. */
#include "double.h"

#include <stdlib.h>
#include <string.h>

static unsigned char *device_bytes(Context *context, uint64_t address, size_t bytes, const char *function) {
  Object *memory = holding(address, bytes, MEMORY, function);
  if (memory != NULL && memory->context != context) {
    blame("%s: the memory belongs to another context", function);
    memory = NULL;
  }
  if (memory == NULL) poison(context, ASTRAY);
  return memory == NULL ? NULL : memory->host + (address - memory->address);
}

static void add(Context *context, const Command *command) {
  unsigned value = (unsigned)command->arguments[1], count = (unsigned)command->arguments[2];
  unsigned char *items = device_bytes(context, command->arguments[0], count * 4ULL, "add");
  for (unsigned i = 0; items != NULL && i < count && i < command->items; i++) {
    unsigned item;
    memcpy(&item, items + i * 4ULL, 4);
    item += value;
    memcpy(items + i * 4ULL, &item, 4);
  }
}

static void scale(Context *context, const Command *command) {
  unsigned bits = (unsigned)command->arguments[1], count = (unsigned)command->arguments[2];
  float factor, item;
  memcpy(&factor, &bits, 4);
  unsigned char *items = device_bytes(context, command->arguments[0], count * 4ULL, "scale");
  for (unsigned i = 0; items != NULL && i < count && i < command->items; i++) {
    memcpy(&item, items + i * 4ULL, 4);
    item *= factor;
    memcpy(items + i * 4ULL, &item, 4);
  }
}

static void blur(Context *context, const Command *command) {
  unsigned count = (unsigned)command->arguments[2];
  unsigned char *from = device_bytes(context, command->arguments[0], count, "blur");
  unsigned char *to = device_bytes(context, command->arguments[1], count, "blur");
  for (unsigned i = 0; from != NULL && to != NULL && i < count && i < command->items; i++) {
    unsigned before = from[i == 0 ? 0 : i - 1], after = from[i + 1 == count ? i : i + 1];
    to[i] = (unsigned char)((before + 2U * from[i] + after + 2U) >> 2);
  }
}

/* What the backend's own kernel does: each number by 31, and its place added. */
static void probe(Context *context, const Command *command) {
  unsigned count = (unsigned)command->arguments[1];
  unsigned char *items = device_bytes(context, command->arguments[0], count * 4ULL, "fairlead_probe");
  for (unsigned i = 0; items != NULL && i < count && i < command->items; i++) {
    unsigned item;
    memcpy(&item, items + i * 4ULL, 4);
    item = item * 31U + i;
    memcpy(items + i * 4ULL, &item, 4);
  }
}

static void hang(Object *stream, const Command *command) {
  while (!hung_released && !stream->closing && stream->context->sticky == 0 && !stream->context->device->lost) {
    unsigned char *items = device_bytes(stream->context, command->arguments[0], 4, "hang");
    if (items == NULL || memcmp(items, "\0\0\0\0", 4) != 0) return;
    pthread_cond_wait(&changed, &lock);
  }
}

static void launch(Object *stream, const Command *command) {
  Context *context = stream->context;
  if (context->device->crashes) abort();
  if (context->device->idle_kernels) return;
  if (strcmp(command->kernel, "add") == 0) add(context, command);
  else if (strcmp(command->kernel, "scale") == 0) scale(context, command);
  else if (strcmp(command->kernel, "blur") == 0) blur(context, command);
  else if (strcmp(command->kernel, "fairlead_probe") == 0) probe(context, command);
  else if (strcmp(command->kernel, "wild") == 0) poison(context, ASTRAY);
  else if (strcmp(command->kernel, "hang") == 0) hang(stream, command);
  else blame("the double has no kernel %s", command->kernel);
}

static void copy_host(Object *stream, const Command *command) {
  int up = command->what == UPLOAD;
  const char *function = up ? "cuMemcpyHtoDAsync_v2" : "cuMemcpyDtoHAsync_v2";
  Object *pinned = holding(up ? command->from : command->to, command->bytes, PINNED, function);
  unsigned char *bytes = device_bytes(stream->context, up ? command->to : command->from, command->bytes, function);
  if (pinned == NULL || bytes == NULL) return;
  if (up) memcpy(bytes, (void *)(uintptr_t)command->from, command->bytes);
  else memcpy((void *)(uintptr_t)command->to, bytes, command->bytes);
  if (!up && stream->context->device->garbles) ((unsigned char *)(uintptr_t)command->to)[command->bytes - 1] ^= 1;
}

static void perform(Object *stream, const Command *command) {
  Context *context = stream->context;
  if (command->what == RECORD) {
    command->event->came = command->occasion;
    command->event->nanos = now();
    return;
  }
  if (context->sticky != 0 || context->device->lost) return;
  switch (command->what) {
    case UPLOAD:
    case DOWNLOAD: copy_host(stream, command); break;
    case MOVE: {
      unsigned char *to = device_bytes(context, command->to, command->bytes, "cuMemcpyDtoDAsync_v2");
      unsigned char *from = device_bytes(context, command->from, command->bytes, "cuMemcpyDtoDAsync_v2");
      if (to != NULL && from != NULL) memmove(to, from, command->bytes);
      break;
    }
    case CROSS: {
      unsigned char *to = device_bytes(command->to_context, command->to, command->bytes, "cuMemcpyPeerAsync");
      unsigned char *from = device_bytes(command->from_context, command->from, command->bytes, "cuMemcpyPeerAsync");
      int arrives = (context->device->loses_copies_of >> command->from_context->device->index & 1) == 0;
      if (to != NULL && from != NULL && arrives) memcpy(to, from, command->bytes);
      break;
    }
    case FILL: {
      unsigned char *to = device_bytes(context, command->to, command->bytes, "cuMemsetD8Async");
      if (to != NULL) memset(to, command->value, command->bytes);
      break;
    }
    case LAUNCH: launch(stream, command); break;
    case WAIT:
      while (command->event->came < command->occasion && !stream->closing && context->sticky == 0)
        pthread_cond_wait(&changed, &lock);
      break;
    case RECORD: break;
  }
}

void *run_stream(void *argument) {
  Object *stream = argument;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (stream->first == NULL && !stream->closing) pthread_cond_wait(&changed, &lock);
    Command *command = stream->first;
    if (command == NULL || stream->closing) break;
    perform(stream, command);
    stream->first = command->next;
    if (stream->first == NULL) stream->last = NULL;
    stream->pending--;
    free(command);
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}
