/* What the parts of libnvidia-encode.so.1 share: sessions, and the few fields of the interface that matter. */
#ifndef FAIRLEAD_NVIDIA_NVENC_H
#define FAIRLEAD_NVIDIA_NVENC_H

#include "double.h"
#include "h264.h"

#include <pthread.h>
#include <stdint.h>

enum {
  SUCCESS = 0, INVALID_DEVICE = 4, INVALID_PTR = 6, INVALID_PARAM = 8, INVALID_CALL = 9, OUT_OF_MEMORY = 10,
  NOT_INITIALIZED = 11, UNSUPPORTED_PARAM = 12, NOT_ENOUGH_BUFFER = 14, INVALID_VERSION = 15, NEED_MORE_INPUT = 17,
  UNIMPLEMENTED = 22
};

enum { FORMAT_NV12 = 0x1, FORMAT_YV12 = 0x10, FORMAT_IYUV = 0x100 };
enum { TYPE_P = 0, TYPE_I = 2, TYPE_IDR = 3, FORCE_INTRA = 1, FORCE_IDR = 2, WITH_HEADERS = 4, END_OF_STREAM = 8 };

typedef struct { uint8_t bytes[16]; } Guid;

/*
 * Structures of the interface are read by offset: where a field lies in them on 64 bits, in versions 12.2
 * to 13.1, in which these fields did not move. A structure begins with its version.
 */
#define U8(structure, offset) (*(uint8_t *)((char *)(structure) + (offset)))
#define U16(structure, offset) (*(uint16_t *)((char *)(structure) + (offset)))
#define U32(structure, offset) (*(uint32_t *)((char *)(structure) + (offset)))
#define U64(structure, offset) (*(uint64_t *)((char *)(structure) + (offset)))
#define PTR(structure, offset) (*(void **)((char *)(structure) + (offset)))
#define GUID_AT(structure, offset) (*(Guid *)((char *)(structure) + (offset)))

enum { OPEN_DEVICE_TYPE = 4, OPEN_DEVICE = 8, OPEN_API_VERSION = 24, DEVICE_TYPE_CUDA = 1 };
enum { CAPS_QUERY = 4, PRESET_CONFIG = 8 };
enum {
  INIT_CODEC = 4, INIT_PRESET = 20, INIT_WIDTH = 36, INIT_HEIGHT = 40, INIT_SHAPE_WIDTH = 44, INIT_SHAPE_HEIGHT = 48,
  INIT_RATE = 52, INIT_RATE_BASE = 56, INIT_CONFIG = 88, INIT_TUNING = 136
};
/* Of a configuration; what begins with RC and H264 is embedded in it. */
enum {
  CONFIG_PROFILE = 4, CONFIG_GOP = 20, CONFIG_INTERVAL_P = 24, RC_MODE = 44, RC_CONST_QP = 48, RC_BITRATE = 60,
  RC_MAXRATE = 64, RC_VBV = 68, RC_FLAGS = 76, RC_QUALITY = 128, RC_QUALITY_FRACTION = 129, RC_LOOKAHEAD = 130,
  RC_MULTIPASS = 140, H264_FLAGS = 168, H264_LEVEL = 172, H264_IDR_PERIOD = 176, H264_VUI = 240,
  H264_OUTPUT_DEPTH = 380
};
enum { H264_DELIMITERS = 1 << 6, H264_NO_HEADERS = 1 << 7, H264_REPEAT_HEADERS = 1 << 12, RC_LOOKS_AHEAD = 1 << 5 };
enum {
  VUI_SIGNAL = 8, VUI_FORMAT = 12, VUI_FULL_RANGE = 16, VUI_COLOURS = 20, VUI_PRIMARIES = 24, VUI_TRANSFER = 28,
  VUI_MATRIX = 32
};
enum { INPUT_WIDTH = 4, INPUT_HEIGHT = 8, INPUT_FORMAT = 16, INPUT_BUFFER = 24, OUTPUT_BUFFER = 16 };
enum { LOCK_BUFFER = 8, LOCK_DATA = 16, LOCK_PITCH = 24 };
enum {
  REGISTER_WIDTH = 8, REGISTER_HEIGHT = 12, REGISTER_PITCH = 16, REGISTER_MEMORY = 24, REGISTER_RESULT = 32,
  REGISTER_FORMAT = 40, MAP_REGISTERED = 16, MAP_RESULT = 24, MAP_FORMAT = 32
};
enum {
  PICTURE_FLAGS = 16, PICTURE_INDEX = 20, PICTURE_TIME = 24, PICTURE_DURATION = 32, PICTURE_INPUT = 40, PICTURE_OUTPUT = 48
};
enum {
  STREAM_BUFFER = 8, STREAM_INDEX = 24, STREAM_STATUS = 28, STREAM_SLICES = 32, STREAM_SIZE = 36, STREAM_TIME = 40,
  STREAM_DURATION = 48, STREAM_DATA = 56, STREAM_TYPE = 64, STREAM_STRUCTURE = 68, STREAM_QP = 72
};
enum { HEADERS_ROOM = 4, HEADERS_DATA = 16, HEADERS_SIZE = 24 };
enum { RECONFIGURE_INIT = 8, RECONFIGURE_FLAGS = 1808, RECONFIGURE_FORCE_IDR = 2 };

typedef struct Session {
  int open, card, number;
  const void *context;
  int host_session;       /* what take_session() answered */
  unsigned version;       /* of the interface, that all structures have to have */
  int initialized, buffers;
  int inputs;             /* of its own that it ever had */
  char error[128];
  Sequence sequence;
  unsigned flags, interval, idr_period;
  unsigned pictures;      /* that were encoded */
  unsigned since_idr, idrs;
  int force_idr;          /* the next picture, because of a reconfiguration */
  int format;             /* of the pictures, once there is one */
  uint64_t from, until;   /* when the first picture came, and when the last will be done */
} Session;

/* What a picture is read from: memory of the session, or a resource that was registered. */
typedef struct { uint8_t *memory; unsigned width, height, pitch, format; int own; } Input;

typedef struct {
  uint8_t *bytes;
  size_t size, room;
  uint64_t time, duration, ready; /* ready: nanoseconds of the monotonic clock */
  uint32_t index, type;
} Output;

/* Records why a call failed, for nvEncGetLastErrorString, and answers the code. */
OWN int fail(Session *session, int code, const char *why);

/* Whether the session may be used with a structure of that version: SUCCESS or what to answer. */
OWN int check(Session *session, const void *structure);

/* Counts one picture of a card: SUCCESS, what a card that failed answers, or it does not return. */
OWN int picture_on(int card);
/* What a card that failed answers, or SUCCESS. */
OWN int lost(int card);
/* Nanoseconds of the monotonic clock. */
OWN uint64_t now(void);
/* When a card has done one more picture that comes at that time. */
OWN uint64_t ready_at(int card, uint64_t time);

/* The functions of pictures.c that are in the list which the library hands out. */
OWN int create_input(Session *session, void *parameters);
OWN int destroy_input(Session *session, Input *input);
OWN int create_output(Session *session, void *parameters);
OWN int destroy_output(Session *session, Output *output);
OWN int lock_input(Session *session, void *parameters);
OWN int unlock_input(Session *session, Input *input);
OWN int register_resource(Session *session, void *parameters);
OWN int map_input(Session *session, void *parameters);
OWN int unmap_input(Session *session, Input *input);
OWN int encode_picture(Session *session, void *parameters);
OWN int lock_output(Session *session, void *parameters);
OWN int unlock_output(Session *session, Output *output);
OWN int sequence_parameters(Session *session, void *parameters);

#endif
