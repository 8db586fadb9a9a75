/* libnvcuvid.so.1: decodes H.264 on the processor, as software.h says. */
#include "double.h"
#include "software.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SURFACES = 64, CODEC_H264 = 4, LARGEST_SIDE = 4096 };
enum { NV12_MASK = 1, OK = 0, INVALID_VALUE = 1, BAD_CONTEXT = 201, NOT_SUPPORTED = 801, UNKNOWN = 999 };

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

typedef struct {
  Software *software;
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

static Parameters parameters(const void *picture) {
  const char *h264 = (const char *)picture + PICTURE_H264;
  return (Parameters){
    .across = I32(picture, PICTURE_ACROSS), .down = I32(picture, PICTURE_DOWN),
    .frame_number_bits = I32(h264, FRAME_NUMBER_BITS), .order_type = I32(h264, ORDER_TYPE),
    .order_bits = I32(h264, ORDER_BITS), .references = I32(h264, REFERENCES), .only_frames = I32(h264, ONLY_FRAMES),
    .direct_8x8 = I32(h264, DIRECT_8X8), .entropy = I32(h264, ENTROPY), .order_present = I32(h264, ORDER_PRESENT),
    .list_0 = I32(h264, LIST_0), .list_1 = I32(h264, LIST_1), .weighted = I32(h264, WEIGHTED),
    .weighted_b = I32(h264, WEIGHTED_B), .first_quantiser = I32(h264, FIRST_QUANTISER),
    .deblocking = I32(h264, DEBLOCKING), .redundant = I32(h264, REDUNDANT), .transform_8x8 = I32(h264, TRANSFORM_8X8),
    .constrained = I32(h264, CONSTRAINED), .chroma_offset = I32(h264, CHROMA_OFFSET),
    .second_chroma_offset = I32(h264, SECOND_CHROMA_OFFSET)};
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
  decoder->software = software_open();
  decoder->card = card;
  decoder->width = (unsigned)U64(wanted, CREATE_WIDTH);
  decoder->height = (unsigned)U64(wanted, CREATE_HEIGHT);
  decoder->pitch = (decoder->width + 255) / 256 * 256;
  decoder->surfaces = (int)U64(wanted, CREATE_SURFACES);
  for (int i = 0; i < decoder->surfaces; i++) decoder->decoded[i] = calloc(decoder->pitch, decoder->height * 3 / 2);
  note("decoder-opened card=%d width=%u height=%u", decoder->card, decoder->width, decoder->height);
  *made = decoder;
  return OK;
}

SHOWN int cuvidDestroyDecoder(Decoder *decoder) {
  if (decoder->mapped != 0) note("misuse: a decoder was closed with %d pictures mapped", decoder->mapped);
  note("decoder-closed card=%d pictures=%u", decoder->card, decoder->pictures);
  software_close(decoder->software);
  for (int i = 0; i < decoder->surfaces; i++) free(decoder->decoded[i]);
  free(decoder);
  return OK;
}

SHOWN int cuvidDecodePicture(Decoder *decoder, const void *picture) {
  char value[LONGEST_VALUE];
  const char *most = of_card("NVIDIA_DOUBLE_DECODES", decoder->card, value);
  if (fairlead_is_lost(decoder->card) || (most != NULL && (int)decoder->pictures >= atoi(most))) return UNKNOWN;
  int index = I32(picture, PICTURE_INDEX), length = I32(picture, PICTURE_LENGTH);
  if (index < 0 || index >= decoder->surfaces || I32(picture, PICTURE_SLICES) < 1) return INVALID_VALUE;
  const uint8_t *data = PTR(picture, PICTURE_DATA);
  const unsigned *offsets = PTR(picture, PICTURE_OFFSETS);
  uint8_t *luma = decoder->decoded[index];
  Surface surface = {luma, luma + (size_t)decoder->pitch * decoder->height, decoder->pitch, decoder->width, decoder->height};
  Parameters its = parameters(picture);
  int code = software_decode(decoder->software, &its, data + offsets[0], (size_t)length - offsets[0], &surface);
  decoder->pictures++;
  if (code < 0) {
    note("picture-not-decoded card=%d picture=%u code=%d", decoder->card, decoder->pictures, code);
    return INVALID_VALUE;
  }
  const char *lie = of_card("NVIDIA_DOUBLE_LIES", decoder->card, value);
  /* Late, so that it is seen only by what looks at more than the first pictures. */
  if (lie != NULL && strcmp(lie, "decoding") == 0 && decoder->pictures > 20) luma[0] ^= 1;
  return OK;
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
