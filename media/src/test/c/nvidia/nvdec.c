/*
 * libnvcuvid.so.1: decodes H.264 with the libavcodec of the process that has loaded it, whose decoder on the processor
 * it hands each picture. What the application has read of the parameter sets comes back as numbers; they are
 * written anew here, so that a number which the application does not hand on right gives other pictures.
 */
#include "bits.h"
#include "double.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SURFACES = 64, CODEC_H264 = 4, AV_CODEC_ID_H264 = 27, LARGEST_SIDE = 4096, HEADERS = 128 };
enum { NV12_MASK = 1, OK = 0, INVALID_VALUE = 1, NO_MEMORY = 2, BAD_CONTEXT = 201, NOT_SUPPORTED = 801, UNKNOWN = 999 };

/* Fields of the interface's structures, by their offsets on 64 bits. */
#define I32(structure, offset) (*(int32_t *)((char *)(structure) + (offset)))
#define U8(structure, offset) (*(uint8_t *)((char *)(structure) + (offset)))
#define U16(structure, offset) (*(uint16_t *)((char *)(structure) + (offset)))
#define U64(structure, offset) (*(uint64_t *)((char *)(structure) + (offset)))
#define PTR(structure, offset) (*(void **)((char *)(structure) + (offset)))
enum { CREATE_WIDTH = 0, CREATE_HEIGHT = 8, CREATE_SURFACES = 16, CREATE_CODEC = 24 };
enum {
  CAPS_CODEC = 0, CAPS_DEPTH = 8, CAPS_SUPPORTED = 24, CAPS_ENGINES = 25, CAPS_FORMATS = 26, CAPS_MOST_WIDTH = 28,
  CAPS_MOST_HEIGHT = 32, CAPS_MOST_BLOCKS = 36, CAPS_LEAST_WIDTH = 40, CAPS_LEAST_HEIGHT = 42
};
enum {
  PICTURE_ACROSS = 0, PICTURE_DOWN = 4, PICTURE_INDEX = 8, PICTURE_LENGTH = 24, PICTURE_DATA = 32, PICTURE_SLICES = 40,
  PICTURE_OFFSETS = 48, PICTURE_H264 = 184
};
enum {
  FRAME_NUMBER_BITS = 0, ORDER_TYPE = 4, ORDER_BITS = 8, ONLY_FRAMES = 16, DIRECT_8X8 = 20, REFERENCES = 24,
  ENTROPY = 32, ORDER_PRESENT = 36, LIST_0 = 40, LIST_1 = 44, WEIGHTED = 48, WEIGHTED_B = 52, FIRST_QUANTISER = 56,
  DEBLOCKING = 60, REDUNDANT = 64, TRANSFORM_8X8 = 68, CONSTRAINED = 76, CHROMA_OFFSET = 80, SECOND_CHROMA_OFFSET = 84
};

/* The functions of libavcodec and libavutil that are called, and the places of a packet and a frame that are read. */
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
} Software;
enum { PACKET_DATA = 24, FRAME_LINES = 64 };

typedef struct {
  Software software;
  void *context;
  int card, surfaces, mapped;
  unsigned width, height, pitch, pictures;
  uint8_t *decoded[MOST_SURFACES];
} Decoder;

/* In libcuda.so.1. */
int cuCtxGetCurrent(void **context);

/* The card whose context is current in the calling thread, or -1. */
static int current_card(void) {
  void *context = NULL;
  return cuCtxGetCurrent(&context) == OK && context != NULL ? fairlead_card_of(context) : -1;
}

static void *needed(void *library, const char *name) {
  void *function = library == NULL ? NULL : dlsym(library, name);
  if (function == NULL) {
    fprintf(stderr, "The double decodes with the libavcodec of its process: there is no %s\n", name);
    abort();
  }
  return function;
}

static Software software(void) {
  void *codec = dlopen("libavcodec.so.62", RTLD_LAZY | RTLD_NOLOAD);
  void *util = dlopen("libavutil.so.60", RTLD_LAZY | RTLD_NOLOAD);
  return (Software){
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

static uint8_t *put_sps(const char *picture, uint8_t *into) {
  const char *h264 = picture + PICTURE_H264;
  Writer writer = begin(into, 3, NAL_SPS);
  put(&writer, 100, 8); /* High, which has all that the numbers can say */
  put(&writer, 0, 8);
  put(&writer, 51, 8);
  put_ue(&writer, 0); /* seq_parameter_set_id */
  put_ue(&writer, 1); /* chroma_format_idc: 4:2:0 */
  put_ue(&writer, 0);
  put_ue(&writer, 0);
  put(&writer, 0, 2); /* no bypass, no scaling matrices */
  put_ue(&writer, (unsigned)I32(h264, FRAME_NUMBER_BITS));
  put_ue(&writer, (unsigned)I32(h264, ORDER_TYPE));
  if (I32(h264, ORDER_TYPE) == 0) put_ue(&writer, (unsigned)I32(h264, ORDER_BITS));
  put_ue(&writer, (unsigned)I32(h264, REFERENCES));
  put(&writer, 0, 1); /* gaps_in_frame_num_value_allowed_flag */
  put_ue(&writer, (unsigned)I32(picture, PICTURE_ACROSS) - 1);
  put_ue(&writer, (unsigned)I32(picture, PICTURE_DOWN) - 1);
  put(&writer, (unsigned)I32(h264, ONLY_FRAMES), 1);
  put(&writer, (unsigned)I32(h264, DIRECT_8X8), 1);
  put(&writer, 0, 1); /* frame_cropping_flag: surfaces are whole macroblocks */
  put(&writer, 1, 1); /* vui_parameters_present_flag */
  put(&writer, 0, 8); /* none of what says how to show pictures */
  put(&writer, 3, 2); /* bitstream_restriction_flag, motion_vectors_over_pic_boundaries_flag */
  put_ue(&writer, 0);
  put_ue(&writer, 0);
  put_ue(&writer, 15);
  put_ue(&writer, 15);
  put_ue(&writer, 0); /* max_num_reorder_frames: what is decoded comes out at once */
  put_ue(&writer, (unsigned)I32(h264, REFERENCES));
  return end(&writer);
}

static uint8_t *put_pps(const char *h264, unsigned number, uint8_t *into) {
  Writer writer = begin(into, 3, NAL_PPS);
  put_ue(&writer, number);
  put_ue(&writer, 0);
  put(&writer, (unsigned)I32(h264, ENTROPY), 1);
  put(&writer, (unsigned)I32(h264, ORDER_PRESENT), 1);
  put_ue(&writer, 0); /* num_slice_groups_minus1 */
  put_ue(&writer, (unsigned)I32(h264, LIST_0));
  put_ue(&writer, (unsigned)I32(h264, LIST_1));
  put(&writer, (unsigned)I32(h264, WEIGHTED), 1);
  put(&writer, (unsigned)I32(h264, WEIGHTED_B), 2);
  put_se(&writer, I32(h264, FIRST_QUANTISER));
  put_se(&writer, 0);
  put_se(&writer, I32(h264, CHROMA_OFFSET));
  put(&writer, (unsigned)I32(h264, DEBLOCKING), 1);
  put(&writer, (unsigned)I32(h264, CONSTRAINED), 1);
  put(&writer, (unsigned)I32(h264, REDUNDANT), 1);
  put(&writer, (unsigned)I32(h264, TRANSFORM_8X8), 1);
  put(&writer, 0, 1); /* pic_scaling_matrix_present_flag */
  put_se(&writer, I32(h264, SECOND_CHROMA_OFFSET));
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

static void keep(Decoder *decoder, int index, const void *frame) {
  uint8_t *surface = decoder->decoded[index];
  const int *lines = (const int *)((const char *)frame + FRAME_LINES);
  for (unsigned row = 0; row < decoder->height; row++) {
    memcpy(surface + (size_t)row * decoder->pitch, (uint8_t *)PTR(frame, 0) + (ptrdiff_t)row * lines[0], decoder->width);
  }
  uint8_t *chroma = surface + (size_t)decoder->pitch * decoder->height;
  for (unsigned row = 0; row < decoder->height / 2; row++) {
    for (unsigned x = 0; x < decoder->width / 2; x++) {
      chroma[(size_t)row * decoder->pitch + 2 * x] = ((uint8_t *)PTR(frame, 8))[(ptrdiff_t)row * lines[1] + x];
      chroma[(size_t)row * decoder->pitch + 2 * x + 1] = ((uint8_t *)PTR(frame, 16))[(ptrdiff_t)row * lines[2] + x];
    }
  }
  char value[LONGEST_VALUE];
  const char *lie = of_card("NVIDIA_DOUBLE_LIES", decoder->card, value);
  /* Late, so that it is seen only by what looks at more than the first pictures. */
  if (lie != NULL && strcmp(lie, "decoding") == 0 && decoder->pictures > 20) surface[0] ^= 1;
}

SHOWN int cuvidGetDecoderCaps(void *caps) {
  if (current_card() < 0) return BAD_CONTEXT;
  U8(caps, CAPS_SUPPORTED) = I32(caps, CAPS_CODEC) == CODEC_H264 && I32(caps, CAPS_DEPTH) == 0;
  U8(caps, CAPS_ENGINES) = 1;
  U16(caps, CAPS_FORMATS) = NV12_MASK;
  I32(caps, CAPS_MOST_WIDTH) = I32(caps, CAPS_MOST_HEIGHT) = LARGEST_SIDE;
  I32(caps, CAPS_MOST_BLOCKS) = LARGEST_SIDE / 16 * (LARGEST_SIDE / 16);
  U16(caps, CAPS_LEAST_WIDTH) = U16(caps, CAPS_LEAST_HEIGHT) = 48;
  return OK;
}

SHOWN int cuvidCreateDecoder(Decoder **made, const void *wanted) {
  int card = current_card();
  if (card < 0) return BAD_CONTEXT;
  if (I32(wanted, CREATE_CODEC) != CODEC_H264 || U64(wanted, CREATE_SURFACES) > MOST_SURFACES) return NOT_SUPPORTED;
  Decoder *decoder = calloc(1, sizeof *decoder);
  decoder->software = software();
  decoder->card = card;
  decoder->width = (unsigned)U64(wanted, CREATE_WIDTH);
  decoder->height = (unsigned)U64(wanted, CREATE_HEIGHT);
  decoder->pitch = (decoder->width + 255) / 256 * 256;
  decoder->surfaces = (int)U64(wanted, CREATE_SURFACES);
  void *codec = decoder->software.find(AV_CODEC_ID_H264);
  decoder->context = decoder->software.allocate(codec);
  decoder->software.set(decoder->context, "flags", "+low_delay", 0);
  if (decoder->software.open(decoder->context, codec, NULL) < 0) abort();
  for (int i = 0; i < decoder->surfaces; i++) decoder->decoded[i] = calloc(decoder->pitch, decoder->height * 3 / 2);
  note("decoder-opened card=%d width=%u height=%u", decoder->card, decoder->width, decoder->height);
  *made = decoder;
  return OK;
}

SHOWN int cuvidDestroyDecoder(Decoder *decoder) {
  if (decoder->mapped != 0) note("misuse: a decoder was closed with %d pictures mapped", decoder->mapped);
  note("decoder-closed card=%d pictures=%u", decoder->card, decoder->pictures);
  decoder->software.close(&decoder->context);
  for (int i = 0; i < decoder->surfaces; i++) free(decoder->decoded[i]);
  free(decoder);
  return OK;
}

SHOWN int cuvidDecodePicture(Decoder *decoder, const void *picture) {
  const Software *software = &decoder->software;
  char value[LONGEST_VALUE];
  const char *most = of_card("NVIDIA_DOUBLE_DECODES", decoder->card, value);
  if (fairlead_is_lost(decoder->card) || (most != NULL && (int)decoder->pictures >= atoi(most))) return UNKNOWN;
  int index = I32(picture, PICTURE_INDEX), length = I32(picture, PICTURE_LENGTH);
  if (index < 0 || index >= decoder->surfaces || I32(picture, PICTURE_SLICES) < 1) return INVALID_VALUE;
  const uint8_t *data = PTR(picture, PICTURE_DATA);
  const unsigned *offsets = PTR(picture, PICTURE_OFFSETS);
  uint8_t headers[2 * HEADERS];
  uint8_t *behind = put_sps(picture, headers);
  behind = put_pps((const char *)picture + PICTURE_H264, parameters_of(data + offsets[0]), behind);
  void *packet = software->new_packet(), *frame = software->new_frame();
  int before = (int)(behind - headers);
  if (software->fill(packet, before + length) < 0) return NO_MEMORY;
  memcpy(PTR(packet, PACKET_DATA), headers, (size_t)before);
  memcpy((char *)PTR(packet, PACKET_DATA) + before, data, (size_t)length);
  int code = software->send(decoder->context, packet);
  if (code >= 0) code = software->receive(decoder->context, frame);
  decoder->pictures++;
  if (code >= 0) keep(decoder, index, frame);
  else note("picture-not-decoded card=%d picture=%u code=%d", decoder->card, decoder->pictures, code);
  software->free_packet(&packet);
  software->free_frame(&frame);
  return code >= 0 ? OK : INVALID_VALUE;
}

SHOWN int cuvidMapVideoFrame64(Decoder *decoder, int index, uint64_t *address, unsigned *pitch, const void *parameters) {
  (void)parameters;
  if (index < 0 || index >= decoder->surfaces) return INVALID_VALUE;
  decoder->mapped++;
  *address = (uint64_t)(uintptr_t)decoder->decoded[index];
  *pitch = decoder->pitch;
  return OK;
}

SHOWN int cuvidUnmapVideoFrame64(Decoder *decoder, uint64_t address) {
  (void)address;
  decoder->mapped--;
  return OK;
}

/* FFmpeg does not load a driver that lacks one of these, though it calls none of them to decode. */
#define LACKING(name) \
  SHOWN int name(void) { \
    note("misuse: " #name " is not in the double"); \
    return NOT_SUPPORTED; \
  }
LACKING(cuvidGetDecodeStatus)
LACKING(cuvidReconfigureDecoder)
LACKING(cuvidCtxLockCreate)
LACKING(cuvidCtxLockDestroy)
LACKING(cuvidCtxLock)
LACKING(cuvidCtxUnlock)
LACKING(cuvidCreateVideoSource)
LACKING(cuvidCreateVideoSourceW)
LACKING(cuvidDestroyVideoSource)
LACKING(cuvidSetVideoSourceState)
LACKING(cuvidGetVideoSourceState)
LACKING(cuvidGetSourceVideoFormat)
LACKING(cuvidGetSourceAudioFormat)
LACKING(cuvidCreateVideoParser)
LACKING(cuvidParseVideoData)
LACKING(cuvidDestroyVideoParser)
