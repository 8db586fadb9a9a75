/* Contexts, whose objects go with them, and where memory is. */
#include "double.h"

#include <stdlib.h>

static uint64_t next_address = 1ULL << 52;

void end_primary(Device *device) {
  Context *context = device->primary;
  if (context == NULL) return;
  int left = 0;
  for (Object *each = live, *next; each != NULL; each = next) {
    next = each->next_live;
    if (each->context != context) continue;
    if (each->kind == STREAM) each->closing = 1;
    if (each->kind != FUNCTION) left++;
    bury(each);
  }
  if (left > 0 && context->sticky == 0) blame("%d objects were left in a sound context at its end", left);
  context->alive = 0;
  device->kept_error = device->keeps_errors ? context->sticky : 0;
  device->primary = NULL;
  pthread_cond_broadcast(&changed);
}

Context *begin_primary(Device *device) {
  if (device->primary == NULL) {
    Context *context = calloc(1, sizeof *context);
    context->device = device;
    context->alive = 1;
    context->sticky = device->kept_error;
    context->next = contexts;
    contexts = context;
    device->primary = context;
  }
  return device->primary;
}

void place(Object *memory, size_t bytes) {
  memory->bytes = bytes;
  memory->address = memory->handle = next_address;
  next_address += (bytes + 511) / 512 * 512 + 512;
}
