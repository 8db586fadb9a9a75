/* Pictures in memory that the processor reads and writes: surfaces themselves, and copies of them. */
#include "driver.h"

#include <string.h>

void copied(VADriverContextP ctx, const char *direction, unsigned width, unsigned height) {
  note("va-copied node=%s direction=%s width=%u height=%u", NODE(ctx), direction, width, height);
}

VAStatus image_formats(VADriverContextP ctx, VAImageFormat *list, int *number) {
  (void)ctx;
  list[0] = (VAImageFormat){.fourcc = VA_FOURCC_NV12, .byte_order = VA_LSB_FIRST, .bits_per_pixel = 12};
  *number = 1;
  return VA_STATUS_SUCCESS;
}

static unsigned even(unsigned rows) {
  return (rows + 1) / 2 * 2;
}

/* An image of the given memory, or of memory of its own. */
static VAStatus image_of(VADriverContextP ctx, unsigned width, unsigned height, unsigned pitch, uint8_t *memory,
                         VAImage *image) {
  size_t size = (size_t)pitch * even(height) * 3 / 2;
  int formats;
  *image = (VAImage){.width = (uint16_t)width, .height = (uint16_t)height, .num_planes = 2};
  image_formats(ctx, &image->format, &formats);
  image->data_size = (uint32_t)size;
  image->pitches[0] = image->pitches[1] = pitch;
  image->offsets[1] = pitch * even(height);
  image->image_id = object_new(IMAGE, 0, ctx);
  image->buf = object_new(BUFFER, memory == NULL ? size : 0, ctx);
  Object *buffer = object(BUFFER, image->buf);
  if (buffer == NULL || image->image_id == 0) return VA_STATUS_ERROR_ALLOCATION_FAILED;
  buffer->type = VAImageBufferType;
  buffer->width = width;
  buffer->height = height;
  buffer->pitch = pitch;
  if (memory != NULL) {
    buffer->data = memory;
    buffer->borrowed = 1;
  }
  object(IMAGE, image->image_id)->target = image->buf;
  return VA_STATUS_SUCCESS;
}

VAStatus derive_image(VADriverContextP ctx, VASurfaceID number, VAImage *image) {
  const Object *surface = object(SURFACE, number);
  if (surface == NULL) return INVALID("an image of no surface");
  return image_of(ctx, surface->width, surface->height, surface->pitch, surface->data, image);
}

VAStatus create_image(VADriverContextP ctx, VAImageFormat *format, int width, int height, VAImage *image) {
  if (format->fourcc != VA_FOURCC_NV12) return VA_STATUS_ERROR_INVALID_IMAGE_FORMAT;
  return image_of(ctx, (unsigned)width, (unsigned)height, ((unsigned)width + 31) / 32 * 32, NULL, image);
}

static void copy_rows(const Object *from, Object *to, unsigned width, unsigned height) {
  for (unsigned plane = 0; plane < 2; plane++) {
    const uint8_t *source = from->data + plane * (size_t)from->pitch * even(from->height);
    uint8_t *target = to->data + plane * (size_t)to->pitch * even(to->height);
    unsigned rows = plane == 0 ? height : even(height) / 2;
    for (unsigned y = 0; y < rows; y++) {
      memcpy(target + (size_t)y * to->pitch, source + (size_t)y * from->pitch, plane == 0 ? width : even(width));
    }
  }
}

static int fits(const Object *each, unsigned width, unsigned height) {
  return each != NULL && width <= each->width && height <= each->height;
}

static Object *memory_of(VAImageID number) {
  const Object *image = object(IMAGE, number);
  return image == NULL ? NULL : object(BUFFER, image->target);
}

VAStatus get_image(VADriverContextP ctx, VASurfaceID from, int x, int y, unsigned width, unsigned height,
                   VAImageID into) {
  const Object *surface = object(SURFACE, from);
  Object *memory = memory_of(into);
  if (x != 0 || y != 0 || !fits(surface, width, height) || !fits(memory, width, height)) {
    return INVALID("an image of something else");
  }
  if (lost(card_of(ctx))) return VA_STATUS_ERROR_OPERATION_FAILED;
  copy_rows(surface, memory, width, height);
  copied(ctx, "down", width, height);
  return VA_STATUS_SUCCESS;
}

VAStatus put_image(VADriverContextP ctx, VASurfaceID into, VAImageID from, int x, int y, unsigned width,
                   unsigned height, int to_x, int to_y, unsigned to_width, unsigned to_height) {
  Object *surface = object(SURFACE, into);
  const Object *memory = memory_of(from);
  if (x != 0 || y != 0 || to_x != 0 || to_y != 0 || to_width != width || to_height != height
      || !fits(surface, width, height) || !fits(memory, width, height)) {
    return INVALID("an image into something else");
  }
  if (lost(card_of(ctx))) return VA_STATUS_ERROR_OPERATION_FAILED;
  copy_rows(memory, surface, width, height);
  copied(ctx, "up", width, height);
  return VA_STATUS_SUCCESS;
}

VAStatus destroy_image(VADriverContextP ctx, VAImageID number) {
  Object *image = object(IMAGE, number);
  if (image == NULL) return INVALID("no such image");
  VAStatus status = destroy_buffer(ctx, image->target);
  object_end(IMAGE, number);
  return status;
}
