/*
 * Decoding of H.264, as ../nvidia/software.h says. Which pictures others refer to is looked at only to see that their
 * surfaces are still there, and are not what is written now: the decoder on the processor has its own.
 */
#include "driver.h"
#include "../nvidia/software.h"

#include <stdlib.h>
#include <string.h>

enum { START = 3 };

struct Decoding {
  Software *software;
  Parameters parameters;
  uint8_t *slices;
  size_t length, room;
  unsigned pictures;
};

Decoding *decoding_open(void) {
  Decoding *made = calloc(1, sizeof *made);
  if (made == NULL) abort();
  made->software = software_open();
  return made;
}

void decoding_close(Decoding *decoding) {
  if (decoding == NULL) return;
  software_close(decoding->software);
  free(decoding->slices);
  free(decoding);
}

void decode_begin(Decoding *decoding) {
  decoding->length = 0;
  decoding->parameters = (Parameters){0};
}

static int most(int one, int other) {
  return one > other ? one : other;
}

static VAStatus picture(Object *context, const VAPictureParameterBufferH264 *its) {
  if (its->CurrPic.picture_id != context->target) return INVALID("a picture that is decoded into another surface");
  for (int i = 0; i < its->num_ref_frames; i++) {
    const VAPictureH264 *each = &its->ReferenceFrames[i];
    if (each->flags & VA_PICTURE_H264_INVALID) continue;
    if (object(SURFACE, each->picture_id) == NULL) return INVALID("a picture that is referred to is gone");
    if (each->picture_id == context->target) return INVALID("a picture that is referred to is written");
  }
  context->decoding->parameters = (Parameters){
    .across = its->picture_width_in_mbs_minus1 + 1, .down = its->picture_height_in_mbs_minus1 + 1,
    .frame_number_bits = (int)its->seq_fields.bits.log2_max_frame_num_minus4,
    .order_type = (int)its->seq_fields.bits.pic_order_cnt_type,
    .order_bits = (int)its->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4, .references = its->num_ref_frames,
    .only_frames = (int)its->seq_fields.bits.frame_mbs_only_flag,
    .direct_8x8 = (int)its->seq_fields.bits.direct_8x8_inference_flag,
    .entropy = (int)its->pic_fields.bits.entropy_coding_mode_flag,
    .order_present = (int)its->pic_fields.bits.pic_order_present_flag,
    .weighted = (int)its->pic_fields.bits.weighted_pred_flag,
    .weighted_b = (int)its->pic_fields.bits.weighted_bipred_idc, .first_quantiser = its->pic_init_qp_minus26,
    .deblocking = (int)its->pic_fields.bits.deblocking_filter_control_present_flag,
    .redundant = (int)its->pic_fields.bits.redundant_pic_cnt_present_flag,
    .transform_8x8 = (int)its->pic_fields.bits.transform_8x8_mode_flag,
    .constrained = (int)its->pic_fields.bits.constrained_intra_pred_flag,
    .chroma_offset = its->chroma_qp_index_offset, .second_chroma_offset = its->second_chroma_qp_index_offset};
  return VA_STATUS_SUCCESS;
}

/* How many pictures a slice refers to: its own header says so unless that is what the parameter set says. */
static void slice(Decoding *decoding, const VASliceParameterBufferH264 *its) {
  Parameters *parameters = &decoding->parameters;
  parameters->list_0 = most(parameters->list_0, its->num_ref_idx_l0_active_minus1);
  parameters->list_1 = most(parameters->list_1, its->num_ref_idx_l1_active_minus1);
}

static void data(Decoding *decoding, const Object *buffer) {
  static const uint8_t CODE[START] = {0, 0, 1};
  size_t length = decoding->length + START + buffer->size;
  if (length > decoding->room) {
    decoding->slices = realloc(decoding->slices, length);
    if (decoding->slices == NULL) abort();
    decoding->room = length;
  }
  memcpy(decoding->slices + decoding->length, CODE, START);
  memcpy(decoding->slices + decoding->length + START, buffer->data, buffer->size);
  decoding->length = length;
}

VAStatus decode_from(Object *context, const Object *buffer) {
  switch (buffer->type) {
    case VAPictureParameterBufferType:
      return picture(context, (const void *)buffer->data);
    case VASliceParameterBufferType:
      slice(context->decoding, (const void *)buffer->data);
      return VA_STATUS_SUCCESS;
    case VASliceDataBufferType:
      data(context->decoding, buffer);
      return VA_STATUS_SUCCESS;
    default:
      return VA_STATUS_SUCCESS; /* scaling matrices, which streams of the tests do not have */
  }
}

VAStatus decode(VADriverContextP ctx, VAContextID number, Object *context) {
  Decoding *decoding = context->decoding;
  Object *surface = object(SURFACE, context->target);
  int card = card_of(ctx);
  if (surface == NULL || decoding->length == 0) return INVALID("a picture that lacks something is decoded");
  if (decoded_on(card)) return VA_STATUS_ERROR_DECODING_ERROR;
  Surface into = {surface->data, surface->data + (size_t)surface->pitch * ((surface->height + 1) / 2 * 2),
                  surface->pitch, surface->width, surface->height};
  if (into.width > 16u * (unsigned)decoding->parameters.across || into.height > 16u * (unsigned)decoding->parameters.down) {
    return INVALID("a picture is decoded into a larger surface");
  }
  int code = software_decode(decoding->software, &decoding->parameters, decoding->slices, decoding->length, &into);
  note("va-decoded node=%s session=%u picture=%u code=%d", NODE(ctx), number, ++decoding->pictures, code);
  if (code < 0) return VA_STATUS_ERROR_DECODING_ERROR;
  /* Late, so that it is seen only by what looks at more than the first pictures. */
  if (decodes_wrong(card) && decoding->pictures > 20) surface->data[0] ^= 1;
  return VA_STATUS_SUCCESS;
}
