/* libnvidia-encode.so.1: what it hands out, sessions, and what cards say that they can do. */
#include "nvenc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWEST_MAJOR = 13, NEWEST_MINOR = 1, NARROWEST = 145, LOWEST = 49, LARGEST = 4096, USUAL_GOP = 250 };

/* The first four bytes of a GUID tell those apart that matter. */
enum { H264 = 0x6bc82762, HEVC = 0x790cdc88, AV1 = 0x0a352289 };
static const Guid CODECS[] = {
  {{0x62, 0x27, 0xc8, 0x6b, 0x63, 0x4e, 0xa4, 0x4c, 0xaa, 0x85, 0x1e, 0x50, 0xf3, 0x21, 0xf6, 0xbf}},
  {{0x88, 0xdc, 0x0c, 0x79, 0x22, 0x45, 0x7b, 0x4d, 0x94, 0x25, 0xbd, 0xa9, 0x97, 0x5f, 0x76, 0x03}},
  {{0x89, 0x22, 0x35, 0x0a, 0xa7, 0x0a, 0x59, 0x47, 0x86, 0x2d, 0x5d, 0x15, 0xcd, 0x16, 0xd2, 0x54}}};
static const char *const CODEC_NAMES[] = {"h264", "hevc", "av1"};
enum { CODEC_COUNT = 3 };

static int sessions;

static unsigned first_word(Guid guid) {
  return U32(&guid, 0);
}

static int codec_of(Guid guid) {
  for (int i = 0; i < CODEC_COUNT; i++) {
    if (memcmp(&guid, &CODECS[i], sizeof guid) == 0) return i;
  }
  return -1;
}

static int encodes(int card, int codec) {
  char value[LONGEST_VALUE];
  const char *list = of_card("NVIDIA_DOUBLE_CODECS", card, value);
  return strstr(list == NULL ? "h264" : list, CODEC_NAMES[codec]) != NULL;
}

int fail(Session *session, int code, const char *why) {
  snprintf(session->error, sizeof session->error, "%s", why);
  return code;
}

int check(Session *session, const void *structure) {
  if (session == NULL || structure == NULL) return INVALID_PTR;
  if (!session->open) {
    note("misuse: session %d was used after it was closed", session->number);
    return INVALID_CALL;
  }
  if ((U32(structure, 0) & 0x0f0000ff) != session->version) {
    return fail(session, INVALID_VERSION, "A structure is of another version than the session");
  }
  return SUCCESS;
}

static int newest(void) {
  const char *said = getenv("NVIDIA_DOUBLE_API");
  int major = NEWEST_MAJOR, minor = NEWEST_MINOR;
  if (said != NULL) sscanf(said, "%d.%d", &major, &minor);
  return major << 4 | minor;
}

static int open_session(void *parameters, Session **made) {
  *made = NULL;
  unsigned version = U32(parameters, OPEN_API_VERSION);
  if (((version & 0xff) << 4 | version >> 24) > (unsigned)newest()) return INVALID_VERSION;
  const void *context = PTR(parameters, OPEN_DEVICE);
  int card = U32(parameters, OPEN_DEVICE_TYPE) == DEVICE_TYPE_CUDA ? fairlead_card_of(context) : -1;
  if (card < 0) return INVALID_DEVICE;
  if (lost(card) != SUCCESS) return lost(card);
  int taken = take_session();
  if (taken == -1) {
    const char *refusal = getenv("NVIDIA_DOUBLE_REFUSAL");
    int code = refusal == NULL ? OUT_OF_MEMORY : atoi(refusal);
    note("session-refused card=%d code=%d", card, code);
    return code;
  }
  Session *session = calloc(1, sizeof *session);
  session->open = 1;
  session->card = card;
  session->context = context;
  session->number = __atomic_add_fetch(&sessions, 1, __ATOMIC_RELAXED);
  session->host_session = taken;
  session->version = version;
  note("session-opened card=%d session=%d context=%p", card, session->number, context);
  *made = session;
  return SUCCESS;
}

static int destroy_session(Session *session) {
  if (session == NULL || !session->open) {
    note("misuse: a session was closed that is not open");
    return INVALID_PTR;
  }
  if (fairlead_card_of(session->context) < 0) note("misuse: session %d was closed after its context", session->number);
  if (session->buffers != 0) note("misuse: session %d was closed with %d buffers", session->number, session->buffers);
  note("session-closed card=%d session=%d pictures=%u inputs=%d from=%llu until=%llu", session->card, session->number,
       session->pictures, session->inputs, (unsigned long long)session->from, (unsigned long long)session->until);
  session->open = 0; /* and is never free, so that it is seen when it is used again */
  give_back_session(session->host_session);
  return SUCCESS;
}

static int count_codecs(Session *session, uint32_t *count) {
  *count = 0;
  for (int i = 0; i < CODEC_COUNT; i++) *count += (uint32_t)encodes(session->card, i);
  return SUCCESS;
}

static int list_codecs(Session *session, Guid *guids, uint32_t room, uint32_t *count) {
  *count = 0;
  for (int i = 0; i < CODEC_COUNT; i++) {
    if (encodes(session->card, i) && *count < room) guids[(*count)++] = CODECS[i];
  }
  return SUCCESS;
}

static int capability(Session *session, Guid codec, void *parameters, int *value) {
  enum {
    B_FRAMES = 0, RATE_CONTROLS = 1, CABAC = 7, LEVEL = 13, WIDTH = 16, HEIGHT = 17, CHANGE_BITRATE = 20, CONSTRAINED = 24,
    INTRA_REFRESH = 25, VBV = 26, LOSSLESS = 34, LOOKAHEAD = 37, TEMPORAL_AQ = 38, TEN_BITS = 39, WEIGHTED = 41,
    B_REFERENCES = 43, LEAST_WIDTH = 45, LEAST_HEIGHT = 46, REFERENCES = 47, ENGINES = 49
  };
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  switch (U32(parameters, CAPS_QUERY)) {
    case B_FRAMES: *value = 4; break;
    case RATE_CONTROLS: *value = 3; break;
    case LEVEL: *value = 62; break;
    case WIDTH: case HEIGHT: *value = LARGEST; break;
    case B_REFERENCES: *value = 3; break;
    case LEAST_WIDTH: *value = NARROWEST; break;
    case LEAST_HEIGHT: *value = LOWEST; break;
    case TEN_BITS: *value = first_word(codec) != H264; break;
    case CABAC: case CHANGE_BITRATE: case CONSTRAINED: case INTRA_REFRESH: case VBV: case LOSSLESS: case LOOKAHEAD:
    case TEMPORAL_AQ: case WEIGHTED: case REFERENCES: case ENGINES: *value = 1; break;
    default: *value = 0;
  }
  return SUCCESS;
}

static int preset_config(Session *session, Guid codec, Guid preset, int tuning, void *parameters) {
  (void)codec, (void)preset, (void)tuning;
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  char *config = (char *)parameters + PRESET_CONFIG;
  enum { VARIABLE_BITRATE = 1, UNSPECIFIED_VIDEO = 5 };
  U32(config, CONFIG_GOP) = USUAL_GOP;
  U32(config, CONFIG_INTERVAL_P) = 1;
  U32(config, RC_MODE) = VARIABLE_BITRATE;
  if (first_word(codec) == H264) {
    U32(config, H264_IDR_PERIOD) = USUAL_GOP;
    U32(config + H264_VUI, VUI_FORMAT) = UNSPECIFIED_VIDEO;
  }
  return SUCCESS;
}

static int preset_number(Guid preset) {
  static const unsigned PRESETS[] = {0xfc0a8d3e, 0xf581cfb8, 0x36850110, 0x90a7b826, 0x21c6e6b4, 0x8e75c279, 0x84848c12};
  for (int i = 0; i < 7; i++) {
    if (PRESETS[i] == first_word(preset)) return i + 1;
  }
  return 0;
}

static unsigned profile_of(const void *config) {
  enum { BASELINE = 0x0727bcaa, HIGH = 0xe7cbc309 };
  unsigned profile = U32(config, CONFIG_PROFILE);
  return profile == BASELINE ? 66 : profile == (unsigned)HIGH ? 100 : 77;
}

static void note_settings(const Session *session, const void *init, const void *config) {
  static const char *const MODES[] = {"constqp", "vbr", "cbr"};
  unsigned mode = U32(config, RC_MODE);
  const Sequence *sequence = &session->sequence;
  note("session-initialized card=%d session=%d codec=h264 width=%u height=%u rate=%u/%u preset=p%d tuning=%u rc=%s qp=%u "
       "bitrate=%u maxrate=%u vbv=%u cq=%u.%02u gop=%u idr=%u b=%d lookahead=%u multipass=%u profile=%u level=%u depth=%u",
       session->card, session->number, sequence->width, sequence->height, sequence->rate, sequence->rate_base,
       preset_number(GUID_AT(init, INIT_PRESET)), U32(init, INIT_TUNING), mode < 3 ? MODES[mode] : "other",
       U32(config, RC_CONST_QP), U32(config, RC_BITRATE), U32(config, RC_MAXRATE), U32(config, RC_VBV),
       U8(config, RC_QUALITY), U8(config, RC_QUALITY_FRACTION) * 100u / 256, U32(config, CONFIG_GOP), session->idr_period,
       (int)session->interval - 1, U32(config, RC_FLAGS) & RC_LOOKS_AHEAD ? U16(config, RC_LOOKAHEAD) : 0u,
       U32(config, RC_MULTIPASS), sequence->profile, h264_level(sequence), U32(config, H264_OUTPUT_DEPTH));
}

static int initialize(Session *session, void *init) {
  int code = check(session, init);
  if (code == SUCCESS) code = lost(session->card);
  if (code != SUCCESS) return code;
  int codec = codec_of(GUID_AT(init, INIT_CODEC));
  const char *config = PTR(init, INIT_CONFIG);
  if (codec < 0 || !encodes(session->card, codec)) return fail(session, UNSUPPORTED_PARAM, "The card has no such codec");
  if (first_word(CODECS[codec]) != H264) return fail(session, UNIMPLEMENTED, "The double encodes H.264 only");
  if (config == NULL) return fail(session, INVALID_PTR, "There is no configuration");
  unsigned width = U32(init, INIT_WIDTH), height = U32(init, INIT_HEIGHT);
  if (width < NARROWEST || height < LOWEST) {
    return fail(session, INVALID_PARAM, "Frame Dimension less than the minimum supported value.");
  }
  if (width > LARGEST || height > LARGEST || width % 2 != 0 || height % 2 != 0) {
    return fail(session, INVALID_PARAM, "The double encodes even sizes up to 4096");
  }
  if (U32(config, H264_OUTPUT_DEPTH) != 8) return fail(session, UNSUPPORTED_PARAM, "The double encodes 8 bits only");
  const char *vui = config + H264_VUI;
  session->sequence = (Sequence){
    .width = width, .height = height, .profile = profile_of(config), .level = U32(config, H264_LEVEL),
    .rate = U32(init, INIT_RATE), .rate_base = U32(init, INIT_RATE_BASE), .shape_width = U32(init, INIT_SHAPE_WIDTH),
    .shape_height = U32(init, INIT_SHAPE_HEIGHT), .has_signal = (int)U32(vui, VUI_SIGNAL),
    .video_format = (int)U32(vui, VUI_FORMAT), .full_range = (int)U32(vui, VUI_FULL_RANGE),
    .has_colours = (int)U32(vui, VUI_COLOURS), .primaries = (int)U32(vui, VUI_PRIMARIES),
    .transfer = (int)U32(vui, VUI_TRANSFER), .matrix = (int)U32(vui, VUI_MATRIX)};
  session->flags = U32(config, H264_FLAGS);
  session->interval = U32(config, CONFIG_INTERVAL_P);
  session->idr_period = U32(config, H264_IDR_PERIOD);
  session->initialized = 1;
  note_settings(session, init, config);
  return SUCCESS;
}

static int reconfigure(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  const char *config = PTR((char *)parameters + RECONFIGURE_INIT, INIT_CONFIG);
  if (U32(parameters, RECONFIGURE_FLAGS) & RECONFIGURE_FORCE_IDR) session->force_idr = 1;
  note("session-reconfigured card=%d session=%d bitrate=%u", session->card, session->number,
       config == NULL ? 0 : U32(config, RC_BITRATE));
  return SUCCESS;
}

static int set_streams(Session *session, void *input, void *output) {
  (void)input, (void)output;
  return session->open ? SUCCESS : INVALID_CALL;
}

static const char *last_error(Session *session) {
  return session->error;
}

static int lacking(void) {
  note("misuse: a function of the encoder was called that is not in the double");
  return UNIMPLEMENTED;
}

SHOWN int NvEncodeAPIGetMaxSupportedVersion(uint32_t *version) {
  *version = (uint32_t)newest();
  return SUCCESS;
}

/* The list begins with a version and a reserved word; the places of the functions in it are fixed. */
SHOWN int NvEncodeAPICreateInstance(void *list) {
  enum { FUNCTIONS = 8, COUNT = 43, RESERVED = 33 };
  static const struct { int place; void *function; } OWN_FUNCTIONS[] = {
    {1, count_codecs}, {4, list_codecs}, {7, capability}, {11, initialize}, {12, create_input}, {13, destroy_input},
    {14, create_output}, {15, destroy_output}, {16, encode_picture}, {17, lock_output}, {18, unlock_output},
    {19, lock_input}, {20, unlock_input}, {22, sequence_parameters}, {25, map_input}, {26, unmap_input},
    {27, destroy_session}, {29, open_session}, {30, register_resource}, {31, destroy_input}, {32, reconfigure},
    {37, last_error}, {38, set_streams}, {39, preset_config}};
  for (int place = 0; place < COUNT; place++) {
    PTR(list, FUNCTIONS + place * (int)sizeof(void *)) = place == RESERVED ? NULL : (void *)lacking;
  }
  for (size_t i = 0; i < sizeof OWN_FUNCTIONS / sizeof OWN_FUNCTIONS[0]; i++) {
    PTR(list, FUNCTIONS + OWN_FUNCTIONS[i].place * (int)sizeof(void *)) = OWN_FUNCTIONS[i].function;
  }
  return SUCCESS;
}
