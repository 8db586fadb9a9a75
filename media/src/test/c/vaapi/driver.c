/*
 * A driver for libva that decodes H.264, encodes it so that every picture comes out as it was put in, scales pictures, and
 * keeps books. What it encodes is of one profile, Constrained Baseline, of pictures in NV12, with a constant quantiser.
 * Headers of sequences and slices are the application's; macroblocks are I_PCM. driver.h says what it can be told.
 *
 * Its entry is named after the version of the headers that it was compiled with, as that of every driver: a
 * libva that is older than the system's does not find it.
 */
#include "driver.h"
#include "../nvidia/h264.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <va/va_drmcommon.h>
#include <va/va_enc_h264.h>

enum { LONGEST_NAME = 4096, LARGEST_SIDE = 8192, MOST_ENTRIES = 2, MOST_PROFILES = 4 };

static VAStatus unsupported(void) {
  return VA_STATUS_ERROR_UNIMPLEMENTED;
}

static VAStatus terminate(VADriverContextP ctx) {
  note("va-closed node=%s surfaces=%d buffers=%d images=%d contexts=%d", NODE(ctx), object_count(SURFACE, ctx),
       object_count(BUFFER, ctx), object_count(IMAGE, ctx), object_count(CONTEXT, ctx));
  free(ctx->pDriverData);
  return VA_STATUS_SUCCESS;
}

/* What a profile is for: so many entries of the list. */
static int entries_of(VADriverContextP ctx, VAProfile profile, VAEntrypoint *list) {
  int card = card_of(ctx), number = 0;
  switch (profile) {
    case VAProfileH264ConstrainedBaseline:
      if (encodes(card)) list[number++] = VAEntrypointEncSlice;
      if (decodes(card)) list[number++] = VAEntrypointVLD;
      break;
    case VAProfileH264Main:
    case VAProfileH264High:
      /* Whoever encodes takes the highest that there is, and these would be with CABAC. */
      if (!encodes(card) && decodes(card)) list[number++] = VAEntrypointVLD;
      break;
    case VAProfileNone:
      if (processes(card)) list[number++] = VAEntrypointVideoProc;
      break;
    default:
      break;
  }
  return number;
}

static VAStatus profiles(VADriverContextP ctx, VAProfile *list, int *number) {
  static const VAProfile ALL[MOST_PROFILES] = {VAProfileH264ConstrainedBaseline, VAProfileH264Main, VAProfileH264High,
                                               VAProfileNone};
  VAEntrypoint entries[MOST_ENTRIES];
  *number = 0;
  for (int i = 0; i < MOST_PROFILES; i++) {
    if (entries_of(ctx, ALL[i], entries) > 0) list[(*number)++] = ALL[i];
  }
  return VA_STATUS_SUCCESS;
}

static VAStatus entrypoints(VADriverContextP ctx, VAProfile profile, VAEntrypoint *list, int *number) {
  *number = entries_of(ctx, profile, list);
  return *number == 0 ? VA_STATUS_ERROR_UNSUPPORTED_PROFILE : VA_STATUS_SUCCESS;
}

static unsigned attribute(VAConfigAttribType type) {
  switch (type) {
    case VAConfigAttribRTFormat: return VA_RT_FORMAT_YUV420;
    case VAConfigAttribRateControl: return VA_RC_CQP;
    case VAConfigAttribEncPackedHeaders: return VA_ENC_PACKED_HEADER_SEQUENCE | VA_ENC_PACKED_HEADER_SLICE;
    case VAConfigAttribEncMaxRefFrames: return 1;
    default: return VA_ATTRIB_NOT_SUPPORTED;
  }
}

static VAStatus attributes(VADriverContextP ctx, VAProfile profile, VAEntrypoint entry, VAConfigAttrib *list, int number) {
  (void)ctx;
  (void)profile;
  (void)entry;
  for (int i = 0; i < number; i++) list[i].value = attribute(list[i].type);
  return VA_STATUS_SUCCESS;
}

static VAStatus create_config(VADriverContextP ctx, VAProfile profile, VAEntrypoint entry, VAConfigAttrib *list,
                              int number, VAConfigID *made) {
  (void)list;
  (void)number;
  VAEntrypoint its[MOST_ENTRIES];
  int entries = entries_of(ctx, profile, its), known = 0;
  if (entries == 0) return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
  for (int i = 0; i < entries; i++) known |= its[i] == entry;
  if (!known) return VA_STATUS_ERROR_UNSUPPORTED_ENTRYPOINT;
  *made = object_new(CONFIG, 0, ctx);
  object(CONFIG, *made)->type = (int)entry;
  return VA_STATUS_SUCCESS;
}

static VAStatus destroy_config(VADriverContextP ctx, VAConfigID config) {
  (void)ctx;
  return object_end(CONFIG, config) ? VA_STATUS_SUCCESS : INVALID("no such configuration");
}

static VAStatus surface_attributes(VADriverContextP ctx, VAConfigID config, VASurfaceAttrib *list, unsigned *number) {
  static const struct { VASurfaceAttribType type; int value; } ALL[] = {
    {VASurfaceAttribPixelFormat, VA_FOURCC_NV12}, {VASurfaceAttribMinWidth, 16}, {VASurfaceAttribMinHeight, 16},
    {VASurfaceAttribMaxWidth, LARGEST_SIDE}, {VASurfaceAttribMaxHeight, LARGEST_SIDE}};
  unsigned all = sizeof ALL / sizeof ALL[0];
  (void)ctx;
  (void)config;
  for (unsigned i = 0; list != NULL && i < all && i < *number; i++) {
    list[i] = (VASurfaceAttrib){.type = ALL[i].type, .flags = VA_SURFACE_ATTRIB_GETTABLE};
    list[i].value.type = VAGenericValueTypeInteger;
    list[i].value.value.i = ALL[i].value;
  }
  *number = all;
  return VA_STATUS_SUCCESS;
}

static VAStatus create_surfaces2(VADriverContextP ctx, unsigned format, unsigned width, unsigned height, VASurfaceID *made,
                                 unsigned number, VASurfaceAttrib *list, unsigned attributes_given) {
  (void)list;
  (void)attributes_given;
  if (lost(card_of(ctx))) return VA_STATUS_ERROR_OPERATION_FAILED;
  if (format != VA_RT_FORMAT_YUV420) return VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
  for (unsigned i = 0; i < number; i++) {
    unsigned pitch = (width + 63) / 64 * 64; /* not the width, so that whoever mixes them up is seen */
    made[i] = object_new(SURFACE, (size_t)pitch * ((height + 1) / 2 * 2) * 3 / 2, ctx);
    Object *surface = object(SURFACE, made[i]);
    if (surface == NULL) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    surface->width = width;
    surface->height = height;
    surface->pitch = pitch;
  }
  note("va-surfaces-made node=%s number=%u width=%u height=%u", NODE(ctx), number, width, height);
  return VA_STATUS_SUCCESS;
}

static VAStatus create_surfaces(VADriverContextP ctx, int width, int height, int format, int number, VASurfaceID *made) {
  return create_surfaces2(ctx, (unsigned)format, (unsigned)width, (unsigned)height, made, (unsigned)number, NULL, 0);
}

static VAStatus destroy_surfaces(VADriverContextP ctx, VASurfaceID *list, int number) {
  for (int i = 0; i < number; i++) {
    if (!object_end(SURFACE, list[i])) return INVALID("no such surface");
  }
  note("va-surfaces-gone node=%s number=%d", NODE(ctx), number);
  return VA_STATUS_SUCCESS;
}

static VAStatus create_context(VADriverContextP ctx, VAConfigID config, int width, int height, int flags,
                               VASurfaceID *targets, int number, VAContextID *made) {
  (void)flags;
  (void)targets;
  (void)number;
  const Object *its = object(CONFIG, config);
  if (its == NULL) return INVALID("a context without a configuration");
  if (lost(card_of(ctx))) return VA_STATUS_ERROR_OPERATION_FAILED;
  *made = object_new(CONTEXT, 0, ctx);
  Object *context = object(CONTEXT, *made);
  context->type = its->type;
  if (its->type == VAEntrypointVLD) context->decoding = decoding_open();
  note("va-session-opened node=%s session=%u width=%d height=%d for=%s", NODE(ctx), *made, width, height,
       its->type == VAEntrypointVideoProc ? "scaling" : its->type == VAEntrypointVLD ? "decoding" : "encoding");
  return VA_STATUS_SUCCESS;
}

static VAStatus destroy_context(VADriverContextP ctx, VAContextID context) {
  Object *ended = object(CONTEXT, context);
  if (ended == NULL) return INVALID("no such context");
  decoding_close(ended->decoding);
  object_end(CONTEXT, context);
  note("va-session-closed node=%s session=%u", NODE(ctx), context);
  return VA_STATUS_SUCCESS;
}

static VAStatus create_buffer(VADriverContextP ctx, VAContextID context, VABufferType type, unsigned size, unsigned number,
                              void *data, VABufferID *made) {
  (void)context;
  *made = object_new(BUFFER, (size_t)size * number, ctx);
  Object *buffer = object(BUFFER, *made);
  if (buffer == NULL) return VA_STATUS_ERROR_ALLOCATION_FAILED;
  buffer->type = (int)type;
  if (data != NULL) memcpy(buffer->data, data, buffer->size);
  return VA_STATUS_SUCCESS;
}

static VAStatus map_buffer(VADriverContextP ctx, VABufferID number, void **data) {
  Object *buffer = object(BUFFER, number);
  if (buffer == NULL) return INVALID("no such buffer is mapped");
  if (buffer->type == VAImageBufferType && lost(card_of(ctx))) return VA_STATUS_ERROR_OPERATION_FAILED;
  if (buffer->borrowed) copied(ctx, "up", buffer->width, buffer->height);
  *data = buffer->type == VAEncCodedBufferType ? (void *)&buffer->segment : buffer->data;
  return VA_STATUS_SUCCESS;
}

static VAStatus unmap_buffer(VADriverContextP ctx, VABufferID number) {
  (void)ctx;
  return object(BUFFER, number) != NULL ? VA_STATUS_SUCCESS : INVALID("no such buffer is unmapped");
}

VAStatus destroy_buffer(VADriverContextP ctx, VABufferID number) {
  (void)ctx;
  return object_end(BUFFER, number) ? VA_STATUS_SUCCESS : INVALID("no such buffer is destroyed");
}

static VAStatus begin_picture(VADriverContextP ctx, VAContextID number, VASurfaceID target) {
  (void)ctx;
  Object *context = object(CONTEXT, number);
  if (context == NULL || object(SURFACE, target) == NULL) return INVALID("a picture of nothing");
  context->target = target;
  context->coded = VA_INVALID_ID;
  context->header_bytes = 0;
  context->slice_bits = 0;
  context->source = VA_INVALID_ID;
  if (context->decoding != NULL) decode_begin(context->decoding);
  return VA_STATUS_SUCCESS;
}

static VAStatus packed(Object *context, const Object *buffer) {
  size_t bytes = (context->packed_bits + 7) / 8;
  int slice = context->packed_type == VAEncPackedHeaderSlice;
  size_t before = slice ? 0 : context->header_bytes;
  if (bytes > buffer->size || before + bytes > sizeof context->headers) return INVALID("a header that is too long");
  memcpy((slice ? context->slice : context->headers) + before, buffer->data, bytes);
  if (slice) context->slice_bits = context->packed_bits;
  else context->header_bytes += bytes;
  return VA_STATUS_SUCCESS;
}

static VAStatus take(Object *context, const Object *buffer) {
  if (context->decoding != NULL) return decode_from(context, buffer);
  switch (buffer->type) {
    case VAEncPictureParameterBufferType: {
      const VAEncPictureParameterBufferH264 *picture = (const void *)buffer->data;
      context->coded = picture->coded_buf;
      context->entropy = picture->pic_fields.bits.entropy_coding_mode_flag;
      return VA_STATUS_SUCCESS;
    }
    case VAEncSliceParameterBufferType: {
      const VAEncSliceParameterBufferH264 *slice = (const void *)buffer->data;
      context->inter = slice->slice_type % 5 != 2;
      return VA_STATUS_SUCCESS;
    }
    case VAEncPackedHeaderParameterBufferType: {
      const VAEncPackedHeaderParameterBuffer *header = (const void *)buffer->data;
      context->packed_type = header->type;
      context->packed_bits = header->bit_length;
      return VA_STATUS_SUCCESS;
    }
    case VAEncPackedHeaderDataBufferType:
      return packed(context, buffer);
    case VAProcPipelineParameterBufferType:
      return process_from(context, (const void *)buffer->data);
    default:
      return VA_STATUS_SUCCESS; /* says how to code, and nothing is coded */
  }
}

static VAStatus render_picture(VADriverContextP ctx, VAContextID number, VABufferID *list, int buffers) {
  (void)ctx;
  Object *context = object(CONTEXT, number);
  VAStatus status = context == NULL ? INVALID("a picture without a context") : VA_STATUS_SUCCESS;
  for (int i = 0; status == VA_STATUS_SUCCESS && i < buffers; i++) {
    const Object *buffer = object(BUFFER, list[i]);
    status = buffer == NULL ? INVALID("a picture of no buffer") : take(context, buffer);
  }
  return status;
}

static VAStatus end_picture(VADriverContextP ctx, VAContextID number) {
  Object *context = object(CONTEXT, number);
  if (context == NULL) return INVALID("the end of no picture");
  if (context->type == VAEntrypointVideoProc) return process(ctx, number, context);
  if (context->decoding != NULL) return decode(ctx, number, context);
  if (picture_on(card_of(ctx))) return VA_STATUS_ERROR_OPERATION_FAILED;
  const Object *surface = object(SURFACE, context->target);
  Object *coded = object(BUFFER, context->coded);
  if (surface == NULL || coded == NULL || context->slice_bits == 0) return INVALID("a picture that lacks something");
  if (context->entropy) return INVALID("a baseline picture with CABAC");
  Sequence sequence = {.width = surface->width, .height = surface->height};
  if (context->header_bytes + h264_most(&sequence) > coded->size * 2) return INVALID("a small buffer");
  uint8_t *stream = malloc(context->header_bytes + h264_most(&sequence));
  if (stream == NULL) abort();
  memcpy(stream, context->headers, context->header_bytes);
  const uint8_t *chroma = surface->data + (size_t)surface->pitch * ((surface->height + 1) / 2 * 2);
  Planes planes = {surface->data, chroma, chroma + 1, surface->pitch, surface->pitch, 2};
  size_t size = context->header_bytes
              + h264_slice(&sequence, &planes, context->slice, context->slice_bits, context->inter,
                           stream + context->header_bytes);
  if (size > coded->size) {
    free(stream);
    return INVALID("a picture that is larger than its buffer");
  }
  memcpy(coded->data, stream, size);
  free(stream);
  coded->segment = (VACodedBufferSegment){.size = (unsigned)size, .buf = coded->data};
  note("va-picture node=%s session=%u key=%d", NODE(ctx), number, !context->inter);
  return VA_STATUS_SUCCESS;
}

static VAStatus sync_surface(VADriverContextP ctx, VASurfaceID number) {
  (void)ctx;
  return object(SURFACE, number) != NULL ? VA_STATUS_SUCCESS : INVALID("no such surface is waited for");
}

static VAStatus surface_status(VADriverContextP ctx, VASurfaceID number, VASurfaceStatus *status) {
  *status = VASurfaceReady;
  return sync_surface(ctx, number);
}

#define ENTRY_OF(major, minor) __vaDriverInit_##major##_##minor
#define ENTRY(major, minor) ENTRY_OF(major, minor)

SHOWN VAStatus ENTRY(VA_MAJOR_VERSION, VA_MINOR_VERSION)(VADriverContextP ctx) {
  char link[64], *node = calloc(1, LONGEST_NAME);
  if (node == NULL) abort();
  snprintf(link, sizeof link, "/proc/self/fd/%d", ((struct drm_state *)ctx->drm_state)->fd);
  if (readlink(link, node, LONGEST_NAME - 1) < 0) return VA_STATUS_ERROR_INVALID_DISPLAY;
  ctx->pDriverData = node;
  ctx->version_major = VA_MAJOR_VERSION;
  ctx->version_minor = VA_MINOR_VERSION;
  ctx->max_profiles = MOST_PROFILES;
  ctx->max_entrypoints = MOST_ENTRIES;
  ctx->max_image_formats = ctx->max_subpic_formats = 1;
  ctx->max_attributes = 16;
  ctx->max_display_attributes = 1;
  ctx->str_vendor = "Fairlead's double";
  void **all = (void **)ctx->vtable;
  struct VADriverVTable *table = ctx->vtable;
  /* Those that libva wants to be there, up to the last of its first version. */
  for (void **each = all; each <= (void **)&table->vaSetDisplayAttributes; each++) *each = (void *)unsupported;
  table->vaTerminate = terminate;
  table->vaQueryConfigProfiles = profiles;
  table->vaQueryConfigEntrypoints = entrypoints;
  table->vaGetConfigAttributes = attributes;
  table->vaCreateConfig = create_config;
  table->vaDestroyConfig = destroy_config;
  table->vaCreateSurfaces = create_surfaces;
  table->vaCreateSurfaces2 = create_surfaces2;
  table->vaQuerySurfaceAttributes = surface_attributes;
  table->vaDestroySurfaces = destroy_surfaces;
  table->vaCreateContext = create_context;
  table->vaDestroyContext = destroy_context;
  table->vaCreateBuffer = create_buffer;
  table->vaMapBuffer = map_buffer;
  table->vaUnmapBuffer = unmap_buffer;
  table->vaDestroyBuffer = destroy_buffer;
  table->vaBeginPicture = begin_picture;
  table->vaRenderPicture = render_picture;
  table->vaEndPicture = end_picture;
  table->vaSyncSurface = sync_surface;
  table->vaQuerySurfaceStatus = surface_status;
  table->vaQueryImageFormats = image_formats;
  table->vaDeriveImage = derive_image;
  table->vaCreateImage = create_image;
  table->vaGetImage = get_image;
  table->vaPutImage = put_image;
  table->vaDestroyImage = destroy_image;
  ctx->vtable_vpp->version = VA_DRIVER_VTABLE_VPP_VERSION;
  ctx->vtable_vpp->vaQueryVideoProcPipelineCaps = process_abilities;
  note("va-opened node=%s", node);
  return VA_STATUS_SUCCESS;
}
