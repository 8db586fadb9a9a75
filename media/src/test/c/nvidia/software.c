#include "software.h"

#include "bits.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

enum { AV_CODEC_ID_H264 = 27, HEADERS = 128, PACKET_DATA = 24, FRAME_LINES = 64 };
#define PTR(structure, offset) (*(void **)((char *)(structure) + (offset)))

/* The functions of libavcodec and libavutil that are called; above, the places of a packet and a frame that are read. */
typedef struct {
  void *(*find)(int codec);
  void *(*allocate)(const void *codec);
  int (*open)(void *context, const void *codec, void **options);
  void (*close)(void **context);
  void *(*new_packet)(void);
  int (*fill)(void *packet, int size);
  void (*free_packet)(void **packet);
  int (*send)(void *context, const void *packet);
  int (*receive)(void *context, void *frame);
  void *(*new_frame)(void);
  void (*free_frame)(void **frame);
  int (*set)(void *object, const char *name, const char *value, int flags);
} Functions;

struct Software {
  Functions functions;
  void *context;
};

static void *needed(void *library, const char *name) {
  void *function = library == NULL ? NULL : dlsym(library, name);
  if (function == NULL) {
    fprintf(stderr, "The double decodes with the libavcodec of its process: there is no %s\n", name);
    abort();
  }
  return function;
}

static Functions functions(void) {
  void *codec = dlopen("libavcodec.so.62", RTLD_LAZY | RTLD_NOLOAD);
  void *util = dlopen("libavutil.so.60", RTLD_LAZY | RTLD_NOLOAD);
  return (Functions){
    .find = needed(codec, "avcodec_find_decoder"), .allocate = needed(codec, "avcodec_alloc_context3"),
    .open = needed(codec, "avcodec_open2"), .close = needed(codec, "avcodec_free_context"),
    .new_packet = needed(codec, "av_packet_alloc"), .fill = needed(codec, "av_new_packet"),
    .free_packet = needed(codec, "av_packet_free"), .send = needed(codec, "avcodec_send_packet"),
    .receive = needed(codec, "avcodec_receive_frame"), .new_frame = needed(util, "av_frame_alloc"),
    .free_frame = needed(util, "av_frame_free"), .set = needed(util, "av_opt_set")};
}

/* se(v): positive numbers are odd, negative ones even. */
static void put_se(Writer *writer, int value) {
  put_ue(writer, value > 0 ? 2u * (unsigned)value - 1 : 2u * (unsigned)-value);
}

static uint8_t *put_sps(const Parameters *its, uint8_t *into) {
  Writer writer = begin(into, 3, NAL_SPS);
  put(&writer, 100, 8); /* High, which has all that the numbers can say */
  put(&writer, 0, 8);
  put(&writer, 51, 8);
  put_ue(&writer, 0); /* seq_parameter_set_id */
  put_ue(&writer, 1); /* chroma_format_idc: 4:2:0 */
  put_ue(&writer, 0);
  put_ue(&writer, 0);
  put(&writer, 0, 2); /* no bypass, no scaling matrices */
  put_ue(&writer, (unsigned)its->frame_number_bits);
  put_ue(&writer, (unsigned)its->order_type);
  if (its->order_type == 0) put_ue(&writer, (unsigned)its->order_bits);
  put_ue(&writer, (unsigned)its->references);
  put(&writer, 0, 1); /* gaps_in_frame_num_value_allowed_flag */
  put_ue(&writer, (unsigned)its->across - 1);
  put_ue(&writer, (unsigned)its->down - 1);
  put(&writer, (unsigned)its->only_frames, 1);
  put(&writer, (unsigned)its->direct_8x8, 1);
  put(&writer, 0, 1); /* frame_cropping_flag: surfaces are whole macroblocks */
  put(&writer, 1, 1); /* vui_parameters_present_flag */
  put(&writer, 0, 8); /* none of what says how to show pictures */
  put(&writer, 3, 2); /* bitstream_restriction_flag, motion_vectors_over_pic_boundaries_flag */
  put_ue(&writer, 0);
  put_ue(&writer, 0);
  put_ue(&writer, 15);
  put_ue(&writer, 15);
  put_ue(&writer, 0); /* max_num_reorder_frames: what is decoded comes out at once */
  put_ue(&writer, (unsigned)its->references);
  return end(&writer);
}

static uint8_t *put_pps(const Parameters *its, unsigned number, uint8_t *into) {
  Writer writer = begin(into, 3, NAL_PPS);
  put_ue(&writer, number);
  put_ue(&writer, 0);
  put(&writer, (unsigned)its->entropy, 1);
  put(&writer, (unsigned)its->order_present, 1);
  put_ue(&writer, 0); /* num_slice_groups_minus1 */
  put_ue(&writer, (unsigned)its->list_0);
  put_ue(&writer, (unsigned)its->list_1);
  put(&writer, (unsigned)its->weighted, 1);
  put(&writer, (unsigned)its->weighted_b, 2);
  put_se(&writer, its->first_quantiser);
  put_se(&writer, 0);
  put_se(&writer, its->chroma_offset);
  put(&writer, (unsigned)its->deblocking, 1);
  put(&writer, (unsigned)its->constrained, 1);
  put(&writer, (unsigned)its->redundant, 1);
  put(&writer, (unsigned)its->transform_8x8, 1);
  put(&writer, 0, 1); /* pic_scaling_matrix_present_flag */
  put_se(&writer, its->second_chroma_offset);
  return end(&writer);
}

static unsigned get_ue(const uint8_t *data, unsigned *bit) {
  unsigned zeros = 0, value = 1;
  while ((data[*bit / 8] >> (7 - *bit % 8) & 1) == 0 && zeros < 31) zeros++, (*bit)++;
  for ((*bit)++; zeros > 0; zeros--, (*bit)++) value = value << 1 | (data[*bit / 8] >> (7 - *bit % 8) & 1);
  return value - 1;
}

/* The parameter set that a slice names: the third number behind the start code and the header of its unit. */
static unsigned parameters_of(const uint8_t *slice) {
  unsigned bit = 0;
  const uint8_t *header = slice + 4;
  get_ue(header, &bit);
  get_ue(header, &bit);
  return get_ue(header, &bit);
}

static void copy(const void *frame, const Surface *into) {
  const int *lines = (const int *)((const char *)frame + FRAME_LINES);
  const uint8_t *luma = PTR(frame, 0), *cb = PTR(frame, 8), *cr = PTR(frame, 16);
  for (unsigned row = 0; row < into->height; row++) {
    memcpy(into->luma + (size_t)row * into->pitch, luma + (ssize_t)row * lines[0], into->width);
  }
  for (unsigned row = 0; row < into->height / 2; row++) {
    uint8_t *to = into->chroma + (size_t)row * into->pitch;
    for (unsigned x = 0; x < into->width / 2; x++) {
      to[2 * x] = cb[(ssize_t)row * lines[1] + x];
      to[2 * x + 1] = cr[(ssize_t)row * lines[2] + x];
    }
  }
}

Software *software_open(void) {
  Software *software = calloc(1, sizeof *software);
  if (software == NULL) abort();
  software->functions = functions();
  void *codec = software->functions.find(AV_CODEC_ID_H264);
  software->context = software->functions.allocate(codec);
  software->functions.set(software->context, "flags", "+low_delay", 0);
  if (software->functions.open(software->context, codec, NULL) < 0) abort();
  return software;
}

void software_close(Software *software) {
  software->functions.close(&software->context);
  free(software);
}

int software_decode(Software *software, const Parameters *parameters, const uint8_t *slices, size_t length,
                    const Surface *into) {
  const Functions *call = &software->functions;
  uint8_t headers[2 * HEADERS];
  uint8_t *behind = put_pps(parameters, parameters_of(slices), put_sps(parameters, headers));
  size_t before = (size_t)(behind - headers);
  void *packet = call->new_packet(), *frame = call->new_frame();
  int code = call->fill(packet, (int)(before + length));
  if (code >= 0) {
    memcpy(PTR(packet, PACKET_DATA), headers, before);
    memcpy((char *)PTR(packet, PACKET_DATA) + before, slices, length);
    code = call->send(software->context, packet);
  }
  if (code >= 0) code = call->receive(software->context, frame);
  if (code >= 0) copy(frame, into);
  call->free_packet(&packet);
  call->free_frame(&frame);
  return code;
}
