/*
 * Scaling: each sample is mixed of the two by two that are nearest to its middle, as the simplest of cards do it; so
 * what becomes more than twice smaller in one step loses samples.
 */
#include "driver.h"

#include <stdlib.h>

enum { ONE = 1 << 8, LONGEST_SIDE = 1 << 14 };

VAStatus process_abilities(VADriverContextP ctx, VAContextID context, VABufferID *filters, unsigned number,
                           VAProcPipelineCaps *abilities) {
  (void)ctx;
  (void)filters;
  (void)number;
  if (object(CONTEXT, context) == NULL) return INVALID("abilities of no context");
  /* It is not said how the memory has been before. */
  *abilities = (VAProcPipelineCaps){.max_input_width = LONGEST_SIDE, .max_input_height = LONGEST_SIDE,
                                    .max_output_width = LONGEST_SIDE, .max_output_height = LONGEST_SIDE};
  return VA_STATUS_SUCCESS;
}

VAStatus process_from(Object *context, const VAProcPipelineParameterBuffer *what) {
  const Object *source = object(SURFACE, what->surface);
  const VARectangle *part = what->surface_region;
  if (context->type != VAEntrypointVideoProc) return INVALID("an encoder that is to scale");
  if (source == NULL) return INVALID("nothing is scaled");
  if (part != NULL && (part->x != 0 || part->y != 0)) return INVALID("a part of a picture is scaled");
  if (what->num_filters != 0) return INVALID("more than scaling is asked for");
  context->source = what->surface;
  context->source_width = part == NULL ? source->width : part->width;
  context->source_height = part == NULL ? source->height : part->height;
  if (context->source_width > source->width || context->source_height > source->height) {
    return INVALID("more than a picture is scaled");
  }
  return VA_STATUS_SUCCESS;
}

/* Where the samples are that make one of a smaller or larger row or column, and how much the second counts. */
typedef struct {
  unsigned first, second, weight;
} Taps;

static Taps *taps(unsigned from, unsigned to) {
  Taps *made = calloc(to, sizeof *made);
  if (made == NULL) abort();
  for (unsigned i = 0; i < to; i++) {
    int64_t middle = ((int64_t)(2 * i + 1) * from * ONE / to - ONE) / 2;
    if (middle < 0) middle = 0;
    made[i].first = (unsigned)(middle / ONE);
    made[i].second = made[i].first + 1 < from ? made[i].first + 1 : from - 1;
    made[i].weight = (unsigned)(middle % ONE);
  }
  return made;
}

typedef struct {
  uint8_t *data;
  unsigned pitch, width, height, step;
} Plane;

static void scale(Plane from, Plane to, int mirrored) {
  Taps *columns = taps(from.width, to.width), *rows = taps(from.height, to.height);
  for (unsigned y = 0; y < to.height; y++) {
    const uint8_t *above = from.data + (size_t)rows[y].first * from.pitch;
    const uint8_t *below = from.data + (size_t)rows[y].second * from.pitch;
    uint8_t *row = to.data + (size_t)y * to.pitch;
    unsigned down = rows[y].weight;
    for (unsigned x = 0; x < to.width; x++) {
      const Taps *at = &columns[mirrored ? to.width - 1 - x : x];
      for (unsigned each = 0; each < to.step; each++) {
        size_t left = (size_t)at->first * from.step + each, right = (size_t)at->second * from.step + each;
        unsigned upper = above[left] * (ONE - at->weight) + above[right] * at->weight;
        unsigned lower = below[left] * (ONE - at->weight) + below[right] * at->weight;
        row[(size_t)x * to.step + each] = (uint8_t)((upper * (ONE - down) + lower * down + ONE * ONE / 2) / (ONE * ONE));
      }
    }
  }
  free(columns);
  free(rows);
}

static Plane plane(const Object *surface, unsigned width, unsigned height, int chroma) {
  Plane made = {surface->data, surface->pitch, width, height, 1};
  if (chroma) {
    made.data += (size_t)surface->pitch * ((surface->height + 1) / 2 * 2);
    made.width = (width + 1) / 2;
    made.height = (height + 1) / 2;
    made.step = 2;
  }
  return made;
}

VAStatus process(VADriverContextP ctx, VAContextID number, const Object *context) {
  const Object *from = object(SURFACE, context->source);
  const Object *to = object(SURFACE, context->target);
  if (from == NULL || to == NULL) return INVALID("what is scaled, or into what, is gone");
  if (from->owner != to->owner) return INVALID("from one card to another");
  if (lost(card_of(ctx))) return VA_STATUS_ERROR_OPERATION_FAILED;
  for (int chroma = 0; chroma < 2; chroma++) {
    scale(plane(from, context->source_width, context->source_height, chroma), plane(to, to->width, to->height, chroma),
          mirrors(card_of(ctx)));
  }
  note("va-scaled node=%s session=%u from=%ux%u to=%ux%u", NODE(ctx), number, context->source_width,
       context->source_height, to->width, to->height);
  return VA_STATUS_SUCCESS;
}
