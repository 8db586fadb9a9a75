/* Writes the stream of h264.h; names and order of the fields are those of Rec. ITU-T H.264, 7.3. */
#include "bits.h"
#include "h264.h"

enum { MACROBLOCK = 16, I_PCM = 25, INTER_TYPES = 5, SLICE_P_ONLY = 5, SLICE_I_ONLY = 7, EXTENDED_SAR = 255 };

static unsigned macroblocks(unsigned samples) {
  return (samples + MACROBLOCK - 1) / MACROBLOCK;
}

unsigned h264_level(const Sequence *sequence) {
  /* Table A-1: macroblocks a second and a picture. */
  static const struct { unsigned level, a_second, a_picture; } LEVELS[] = {
    {10, 1485, 99}, {11, 3000, 396}, {12, 6000, 396}, {13, 11880, 396}, {21, 19800, 792}, {22, 20250, 1620},
    {30, 40500, 1620}, {31, 108000, 3600}, {32, 216000, 5120}, {40, 245760, 8192}, {42, 522240, 8704},
    {50, 589824, 22080}, {51, 983040, 36864}, {52, 2073600, 36864}, {60, 4177920, 139264}, {62, 16711680, 139264}};
  if (sequence->level != 0) return sequence->level;
  uint64_t a_picture = (uint64_t)macroblocks(sequence->width) * macroblocks(sequence->height);
  uint64_t base = sequence->rate_base == 0 ? 1 : sequence->rate_base;
  uint64_t a_second = a_picture * sequence->rate / base;
  size_t last = sizeof LEVELS / sizeof LEVELS[0] - 1, i = 0;
  while (i < last && (LEVELS[i].a_second < a_second || LEVELS[i].a_picture < a_picture)) i++;
  return LEVELS[i].level;
}

static uint64_t divisor(uint64_t a, uint64_t b) {
  return b == 0 ? a : divisor(b, a % b);
}

/* The shape of a sample, out of the shape of the picture. */
static void put_aspect_ratio(Writer *writer, const Sequence *sequence) {
  uint64_t wide = (uint64_t)sequence->shape_width * sequence->height;
  uint64_t high = (uint64_t)sequence->shape_height * sequence->width;
  int known = wide != 0 && high != 0;
  put(writer, known, 1);
  if (!known) return;
  if (wide == high) {
    put(writer, 1, 8);
    return;
  }
  uint64_t common = divisor(wide, high);
  put(writer, EXTENDED_SAR, 8);
  put(writer, (unsigned)(wide / common), 16);
  put(writer, (unsigned)(high / common), 16);
}

static void put_vui(Writer *writer, const Sequence *sequence) {
  put_aspect_ratio(writer, sequence);
  put(writer, 0, 1); /* overscan_info_present_flag */
  put(writer, sequence->has_signal, 1);
  if (sequence->has_signal) {
    put(writer, sequence->video_format, 3);
    put(writer, sequence->full_range, 1);
    put(writer, sequence->has_colours, 1);
    if (sequence->has_colours) {
      put(writer, sequence->primaries, 8);
      put(writer, sequence->transfer, 8);
      put(writer, sequence->matrix, 8);
    }
  }
  put(writer, 0, 1); /* chroma_loc_info_present_flag */
  int timed = sequence->rate != 0 && sequence->rate_base != 0;
  put(writer, timed, 1);
  if (timed) {
    put(writer, sequence->rate_base, 32);
    put(writer, sequence->rate * 2, 32); /* ticks are of fields */
    put(writer, 0, 1);                   /* fixed_frame_rate_flag */
  }
  put(writer, 0, 3);  /* no HRD parameters of either kind, no pic_struct */
  put(writer, 1, 1);  /* bitstream_restriction_flag */
  put(writer, 1, 1);  /* motion_vectors_over_pic_boundaries_flag */
  put_ue(writer, 0);  /* max_bytes_per_pic_denom: I_PCM keeps to none */
  put_ue(writer, 0);  /* max_bits_per_mb_denom */
  put_ue(writer, 15); /* log2_max_mv_length_horizontal */
  put_ue(writer, 15); /* log2_max_mv_length_vertical */
  put_ue(writer, 0);  /* max_num_reorder_frames: pictures are shown in the order in which they are coded */
  put_ue(writer, 2);  /* max_dec_frame_buffering */
}

static uint8_t *put_sps(const Sequence *sequence, uint8_t *into) {
  unsigned across = macroblocks(sequence->width), down = macroblocks(sequence->height);
  Writer writer = begin(into, 3, NAL_SPS);
  put(&writer, sequence->profile, 8);
  put(&writer, 0, 8); /* constraint flags */
  put(&writer, h264_level(sequence), 8);
  put_ue(&writer, 0); /* seq_parameter_set_id */
  if (sequence->profile >= 100) {
    put_ue(&writer, 1); /* chroma_format_idc: 4:2:0 */
    put_ue(&writer, 0); /* bit_depth_luma_minus8 */
    put_ue(&writer, 0); /* bit_depth_chroma_minus8 */
    put(&writer, 0, 2); /* qpprime_y_zero_transform_bypass_flag, seq_scaling_matrix_present_flag */
  }
  put_ue(&writer, FRAME_NUMBER_BITS - 4);
  put_ue(&writer, 2); /* pic_order_cnt_type: the order of coding */
  put_ue(&writer, 2); /* max_num_ref_frames: with fewer, parsers take every picture of I slices for a key */
  put(&writer, 0, 1); /* gaps_in_frame_num_value_allowed_flag */
  put_ue(&writer, across - 1);
  put_ue(&writer, down - 1);
  put(&writer, 3, 2); /* frame_mbs_only_flag, direct_8x8_inference_flag */
  unsigned right = (across * MACROBLOCK - sequence->width) / 2;
  unsigned bottom = (down * MACROBLOCK - sequence->height) / 2;
  put(&writer, right + bottom != 0, 1);
  if (right + bottom != 0) {
    put_ue(&writer, 0);
    put_ue(&writer, right);
    put_ue(&writer, 0);
    put_ue(&writer, bottom);
  }
  put(&writer, 1, 1); /* vui_parameters_present_flag */
  put_vui(&writer, sequence);
  return end(&writer);
}

static uint8_t *put_pps(uint8_t *into) {
  Writer writer = begin(into, 3, NAL_PPS);
  put_ue(&writer, 0); /* pic_parameter_set_id */
  put_ue(&writer, 0); /* seq_parameter_set_id */
  put(&writer, 0, 2); /* entropy_coding_mode_flag: CAVLC; bottom_field_pic_order_in_frame_present_flag */
  put_ue(&writer, 0); /* num_slice_groups_minus1 */
  put_ue(&writer, 0); /* num_ref_idx_l0_default_active_minus1 */
  put_ue(&writer, 0); /* num_ref_idx_l1_default_active_minus1 */
  put(&writer, 0, 3); /* weighted_pred_flag, weighted_bipred_idc */
  put_ue(&writer, 0); /* pic_init_qp_minus26 */
  put_ue(&writer, 0); /* pic_init_qs_minus26 */
  put_ue(&writer, 0); /* chroma_qp_index_offset */
  put(&writer, 4, 3); /* deblocking_filter_control_present_flag, so that slices can do without */
  return end(&writer);
}

size_t h264_headers(const Sequence *sequence, uint8_t *into) {
  return (size_t)(put_pps(put_sps(sequence, into)) - into);
}

size_t h264_delimiter(uint8_t *into) {
  Writer writer = begin(into, 0, NAL_DELIMITER);
  put(&writer, 0, 3); /* primary_pic_type: I slices only */
  return (size_t)(end(&writer) - into);
}

size_t h264_most(const Sequence *sequence) {
  size_t samples = (size_t)macroblocks(sequence->width) * macroblocks(sequence->height) * MACROBLOCK * MACROBLOCK * 3 / 2;
  /* At worst, one byte is put in for every two; and what stands before pictures and macroblocks. */
  return samples * 2 + 2 * LONGEST_HEADERS;
}

/* The samples of one plane in one macroblock; those outside of the picture are those at its edge. */
static void put_block(Writer *writer, const uint8_t *plane, unsigned pitch, unsigned step, unsigned left, unsigned top,
                      unsigned side, unsigned width, unsigned height) {
  for (unsigned y = top; y < top + side; y++) {
    const uint8_t *row = plane + (size_t)(y < height ? y : height - 1) * pitch;
    for (unsigned x = left; x < left + side; x++) put_byte(writer, row[(size_t)(x < width ? x : width - 1) * step]);
  }
}

/* All macroblocks of a picture; in a slice that may refer to others, none is skipped. */
static void put_macroblocks(Writer *writer, const Sequence *sequence, const Planes *planes, int inter) {
  unsigned width = sequence->width, height = sequence->height;
  for (unsigned y = 0; y < macroblocks(height) * MACROBLOCK; y += MACROBLOCK) {
    for (unsigned x = 0; x < macroblocks(width) * MACROBLOCK; x += MACROBLOCK) {
      if (inter) put_ue(writer, 0); /* mb_skip_run */
      put_ue(writer, inter ? INTER_TYPES + I_PCM : I_PCM);
      fill_with_zeros(writer);
      put_block(writer, planes->luma, planes->pitch, 1, x, y, 16, width, height);
      put_block(writer, planes->cb, planes->chroma_pitch, planes->step, x / 2, y / 2, 8, width / 2, height / 2);
      put_block(writer, planes->cr, planes->chroma_pitch, planes->step, x / 2, y / 2, 8, width / 2, height / 2);
    }
  }
}

size_t h264_picture(const Sequence *sequence, const Planes *planes, int idr, unsigned frame_number,
                    unsigned idr_identifier, uint8_t *into) {
  Writer writer = begin(into, 1, idr ? NAL_IDR : NAL_SLICE);
  put_ue(&writer, 0); /* first_mb_in_slice */
  put_ue(&writer, SLICE_I_ONLY);
  put_ue(&writer, 0); /* pic_parameter_set_id */
  put(&writer, frame_number, FRAME_NUMBER_BITS);
  if (idr) put_ue(&writer, idr_identifier);
  put(&writer, 0, idr ? 2 : 1); /* dec_ref_pic_marking: nothing out of the ordinary */
  put_ue(&writer, 0);           /* slice_qp_delta */
  put_ue(&writer, 1);           /* disable_deblocking_filter_idc: nothing is smoothed */
  put_macroblocks(&writer, sequence, planes, 0);
  return (size_t)(end(&writer) - into);
}

size_t h264_slice(const Sequence *sequence, const Planes *planes, const uint8_t *header, unsigned bits, int inter,
                  uint8_t *into) {
  unsigned start = header[2] == 1 ? 4 : 5; /* the start code and the header of the unit */
  memcpy(into, header, start);
  Writer writer = {.at = into + start};
  int zeros = 0;
  for (unsigned at = start * 8; at < bits; at += 8) {
    uint8_t byte = header[at / 8];
    int emulation = zeros >= 2 && byte == 3;
    zeros = byte == 0 ? zeros + 1 : 0;
    int length = bits - at < 8 ? (int)(bits - at) : 8;
    if (!emulation) put(&writer, byte >> (8 - length), length);
  }
  put_macroblocks(&writer, sequence, planes, inter);
  return (size_t)(end(&writer) - into);
}

size_t h264_same_picture(const Sequence *sequence, unsigned frame_number, uint8_t *into) {
  Writer writer = begin(into, 1, NAL_SLICE);
  put_ue(&writer, 0); /* first_mb_in_slice */
  put_ue(&writer, SLICE_P_ONLY);
  put_ue(&writer, 0); /* pic_parameter_set_id */
  put(&writer, frame_number, FRAME_NUMBER_BITS);
  put(&writer, 0, 3); /* num_ref_idx_active_override_flag, ref_pic_list_modification_flag_l0, adaptive marking */
  put_ue(&writer, 0); /* slice_qp_delta */
  put_ue(&writer, 1); /* disable_deblocking_filter_idc */
  put_ue(&writer, macroblocks(sequence->width) * macroblocks(sequence->height)); /* mb_skip_run */
  return (size_t)(end(&writer) - into);
}
