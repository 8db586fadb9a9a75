/* libnvidia-encode.so.1: buffers, and the pictures that go through them. */
#include "nvenc.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PITCH_ALIGNMENT = 256, FRAME = 1 };

static const char *name_of(unsigned format) {
  return format == FORMAT_NV12 ? "nv12" : format == FORMAT_YV12 ? "yv12" : format == FORMAT_IYUV ? "iyuv" : "other";
}

/* All pictures of a session are alike: the first buffer says how. */
static int take_format(Session *session, unsigned format, const char *memory) {
  if (format != FORMAT_NV12 && format != FORMAT_YV12 && format != FORMAT_IYUV) {
    return fail(session, UNSUPPORTED_PARAM, "The double reads 8 bits of 4:2:0 only");
  }
  if (session->format == 0) {
    session->format = (int)format;
    note("session-pictures card=%d session=%d format=%s memory=%s", session->card, session->number, name_of(format), memory);
  }
  return SUCCESS;
}

int create_input(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code == SUCCESS) code = take_format(session, U32(parameters, INPUT_FORMAT), "host");
  if (code != SUCCESS) return code;
  Input *input = calloc(1, sizeof *input);
  input->width = U32(parameters, INPUT_WIDTH);
  input->height = U32(parameters, INPUT_HEIGHT);
  input->format = U32(parameters, INPUT_FORMAT);
  /* Wider than the picture, so that a reader who forgets the pitch shows. */
  input->pitch = (input->width / PITCH_ALIGNMENT + 1) * PITCH_ALIGNMENT;
  input->memory = calloc((size_t)input->pitch * input->height, 2);
  input->own = 1;
  PTR(parameters, INPUT_BUFFER) = input;
  session->buffers++;
  session->inputs++;
  return SUCCESS;
}

int destroy_input(Session *session, Input *input) {
  if (input == NULL || !session->open) return INVALID_PTR;
  if (input->own) free(input->memory);
  free(input);
  session->buffers--;
  return SUCCESS;
}

int create_output(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  PTR(parameters, OUTPUT_BUFFER) = calloc(1, sizeof(Output));
  session->buffers++;
  return SUCCESS;
}

int destroy_output(Session *session, Output *output) {
  if (output == NULL || !session->open) return INVALID_PTR;
  free(output->bytes);
  free(output);
  session->buffers--;
  return SUCCESS;
}

int lock_input(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  Input *input = PTR(parameters, LOCK_BUFFER);
  PTR(parameters, LOCK_DATA) = input->memory;
  U32(parameters, LOCK_PITCH) = input->pitch;
  return SUCCESS;
}

int unlock_input(Session *session, Input *input) {
  return session->open && input != NULL ? SUCCESS : INVALID_PTR;
}

int register_resource(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code == SUCCESS) code = take_format(session, U32(parameters, REGISTER_FORMAT), "device");
  if (code != SUCCESS) return code;
  Input *input = calloc(1, sizeof *input);
  input->width = U32(parameters, REGISTER_WIDTH);
  input->height = U32(parameters, REGISTER_HEIGHT);
  input->pitch = U32(parameters, REGISTER_PITCH);
  input->format = U32(parameters, REGISTER_FORMAT);
  input->memory = PTR(parameters, REGISTER_MEMORY);
  PTR(parameters, REGISTER_RESULT) = input;
  session->buffers++;
  return SUCCESS;
}

int map_input(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  Input *input = PTR(parameters, MAP_REGISTERED);
  PTR(parameters, MAP_RESULT) = input;
  U32(parameters, MAP_FORMAT) = input->format;
  return SUCCESS;
}

int unmap_input(Session *session, Input *input) {
  return unlock_input(session, input);
}

static Planes planes_of(const Input *input) {
  const uint8_t *chroma = input->memory + (size_t)input->pitch * input->height;
  Planes planes = {.luma = input->memory, .pitch = input->pitch};
  if (input->format == FORMAT_NV12) {
    planes.cb = chroma;
    planes.cr = chroma + 1;
    planes.chroma_pitch = input->pitch;
    planes.step = 2;
  } else {
    const uint8_t *second = chroma + (size_t)(input->pitch / 2) * (input->height / 2);
    planes.cb = input->format == FORMAT_IYUV ? chroma : second;
    planes.cr = input->format == FORMAT_IYUV ? second : chroma;
    planes.chroma_pitch = input->pitch / 2;
    planes.step = 1;
  }
  return planes;
}

/* Whether a card does something wrong that it does not say. */
static int lies(const Session *session, const char *how) {
  char value[LONGEST_VALUE];
  const char *lie = of_card("NVIDIA_DOUBLE_LIES", session->card, value);
  return lie != NULL && strcmp(lie, how) == 0;
}

static int begins_anew(const Session *session, unsigned flags) {
  return session->pictures == 0 || session->force_idr || (flags & FORCE_IDR) != 0
      || (session->idr_period != 0 && session->since_idr >= session->idr_period);
}

static void write_picture(Session *session, const Input *input, Output *output, unsigned flags) {
  int idr = begins_anew(session, flags);
  if (idr) {
    session->since_idr = 0;
    session->idrs++;
    note("idr card=%d session=%d picture=%u forced=%d", session->card, session->number, session->pictures,
         (flags & FORCE_IDR) != 0);
  }
  if (output->room == 0) {
    output->room = h264_most(&session->sequence);
    output->bytes = malloc(output->room);
  }
  uint8_t *at = output->bytes;
  if (session->flags & H264_DELIMITERS) at += h264_delimiter(at);
  int headers = idr && !(session->flags & H264_NO_HEADERS)
      && (session->pictures == 0 || (session->flags & H264_REPEAT_HEADERS));
  if (headers || (flags & WITH_HEADERS)) at += h264_headers(&session->sequence, at);
  unsigned frame_number = session->since_idr % (1 << FRAME_NUMBER_BITS);
  int same = !idr && getenv("NVIDIA_DOUBLE_STILL") != NULL;
  if (same) {
    at += h264_same_picture(&session->sequence, frame_number, at);
  } else {
    Planes planes = planes_of(input);
    if (lies(session, "colours")) {
      const uint8_t *cb = planes.cb;
      planes.cb = planes.cr;
      planes.cr = cb;
    }
    at += h264_picture(&session->sequence, &planes, idr, frame_number, session->idrs % 2, at);
  }
  output->size = (size_t)(at - output->bytes);
  output->type = idr && !lies(session, "key") ? TYPE_IDR : same ? TYPE_P : TYPE_I;
  session->force_idr = 0;
  session->pictures++;
  session->since_idr++;
}

int encode_picture(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  unsigned flags = U32(parameters, PICTURE_FLAGS);
  if (flags & END_OF_STREAM) return lost(session->card);
  if (!session->initialized) return fail(session, NOT_INITIALIZED, "The session has no encoder yet");
  Input *input = PTR(parameters, PICTURE_INPUT);
  Output *output = PTR(parameters, PICTURE_OUTPUT);
  if (input == NULL || output == NULL) return fail(session, INVALID_PTR, "A picture has no buffer");
  if (input->width < session->sequence.width || input->height < session->sequence.height) {
    return fail(session, INVALID_PARAM, "A picture is smaller than what the session encodes");
  }
  code = picture_on(session->card);
  if (code != SUCCESS) return fail(session, code, "The card failed, as it was told");
  write_picture(session, input, output, flags);
  output->time = U64(parameters, PICTURE_TIME);
  output->duration = U64(parameters, PICTURE_DURATION);
  output->index = U32(parameters, PICTURE_INDEX);
  uint64_t time = now();
  output->ready = ready_at(session->card, time);
  if (session->from == 0) session->from = time;
  session->until = output->ready;
  /* A card that would make B pictures holds them back until it has seen the next that is none. */
  int held_back = session->interval > 1 && (session->since_idr - 1) % session->interval != 0;
  return held_back ? NEED_MORE_INPUT : SUCCESS;
}

int lock_output(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code == SUCCESS) code = lost(session->card);
  if (code != SUCCESS) return code;
  Output *output = PTR(parameters, STREAM_BUFFER);
  struct timespec ready = {.tv_sec = (time_t)(output->ready / 1000000000), .tv_nsec = (long)(output->ready % 1000000000)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ready, NULL) != 0) {
  }
  U32(parameters, STREAM_INDEX) = output->index;
  U32(parameters, STREAM_STATUS) = 2; /* done */
  U32(parameters, STREAM_SLICES) = 1;
  U32(parameters, STREAM_SIZE) = (uint32_t)output->size;
  U64(parameters, STREAM_TIME) = output->time;
  U64(parameters, STREAM_DURATION) = output->duration;
  PTR(parameters, STREAM_DATA) = output->bytes;
  U32(parameters, STREAM_TYPE) = output->type;
  U32(parameters, STREAM_STRUCTURE) = FRAME;
  U32(parameters, STREAM_QP) = 1;
  return SUCCESS;
}

int unlock_output(Session *session, Output *output) {
  return session->open && output != NULL ? SUCCESS : INVALID_PTR;
}

int sequence_parameters(Session *session, void *parameters) {
  int code = check(session, parameters);
  if (code != SUCCESS) return code;
  uint8_t headers[LONGEST_HEADERS];
  size_t size = h264_headers(&session->sequence, headers);
  if (size > U32(parameters, HEADERS_ROOM)) return fail(session, NOT_ENOUGH_BUFFER, "The headers do not fit");
  memcpy(PTR(parameters, HEADERS_DATA), headers, size);
  *(uint32_t *)PTR(parameters, HEADERS_SIZE) = (uint32_t)size;
  return SUCCESS;
}
