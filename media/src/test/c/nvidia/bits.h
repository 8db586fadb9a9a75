/* Writes units of an H.264 stream, bit by bit: Rec. ITU-T H.264, 7.2 and 9.1. */
#ifndef FAIRLEAD_NVIDIA_BITS_H
#define FAIRLEAD_NVIDIA_BITS_H

#include <stdint.h>
#include <string.h>

enum { NAL_SLICE = 1, NAL_IDR = 5, NAL_SPS = 7, NAL_PPS = 8, NAL_DELIMITER = 9 };

typedef struct {
  uint8_t *at;
  int zeros;      /* bytes of zero just written: two of them must not be followed by less than 4 */
  unsigned bits;  /* of the byte that is not full yet */
  int count;
} Writer;

static inline void put_byte(Writer *writer, uint8_t byte) {
  if (writer->zeros == 2 && byte <= 3) {
    *writer->at++ = 3;
    writer->zeros = 0;
  }
  *writer->at++ = byte;
  writer->zeros = byte == 0 ? writer->zeros + 1 : 0;
}

static inline void put(Writer *writer, unsigned value, int length) {
  while (length-- > 0) {
    writer->bits = writer->bits << 1 | (value >> length & 1);
    if (++writer->count == 8) {
      put_byte(writer, (uint8_t)writer->bits);
      writer->bits = 0;
      writer->count = 0;
    }
  }
}

/* ue(v): as many zeros as the number has bits behind its first, then the number plus one. */
static inline void put_ue(Writer *writer, unsigned value) {
  int length = 32 - __builtin_clz(value + 1);
  put(writer, 0, length - 1);
  put(writer, value + 1, length);
}

static inline void fill_with_zeros(Writer *writer) {
  if (writer->count > 0) put(writer, 0, 8 - writer->count);
}

static inline Writer begin(uint8_t *into, int reference, int type) {
  static const uint8_t START[] = {0, 0, 0, 1};
  memcpy(into, START, sizeof START);
  into[sizeof START] = (uint8_t)(reference << 5 | type);
  return (Writer){.at = into + sizeof START + 1};
}

static inline uint8_t *end(Writer *writer) {
  put(writer, 1, 1);
  fill_with_zeros(writer);
  return writer->at;
}

#endif
