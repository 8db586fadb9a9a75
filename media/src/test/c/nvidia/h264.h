/* An H.264 stream that holds pictures as they are: every macroblock is I_PCM, every slice a picture. */
#ifndef FAIRLEAD_NVIDIA_H264_H
#define FAIRLEAD_NVIDIA_H264_H

#include "double.h"

#include <stdint.h>

enum { LONGEST_HEADERS = 256, FRAME_NUMBER_BITS = 8 };

typedef struct {
  unsigned width, height;             /* as shown; the coded picture is cut to it */
  unsigned profile, level;            /* level 0: the least that the size and the rate allow */
  unsigned rate, rate_base;           /* rate / rate_base pictures a second; 0 if unknown */
  unsigned shape_width, shape_height; /* of the picture as a whole; 0 if unknown */
  int has_signal, video_format, full_range, has_colours, primaries, transfer, matrix;
} Sequence;

/* Where the samples of a picture lie; step is 2 where both kinds of chroma share a plane. */
typedef struct {
  const uint8_t *luma, *cb, *cr;
  unsigned pitch, chroma_pitch, step;
} Planes;

OWN unsigned h264_level(const Sequence *sequence);

/* The sequence's and the picture's parameter sets; how many bytes there are. */
OWN size_t h264_headers(const Sequence *sequence, uint8_t *into);

OWN size_t h264_delimiter(uint8_t *into);

/* How many bytes a picture takes at most. */
OWN size_t h264_most(const Sequence *sequence);

/*
 * One picture. The number of a frame counts from the last IDR on, modulo 1 << FRAME_NUMBER_BITS; IDRs
 * that follow each other have different identifiers.
 */
OWN size_t h264_picture(const Sequence *sequence, const Planes *planes, int idr, unsigned frame_number,
                        unsigned idr_identifier, uint8_t *into);

/* A picture that is the same as the one before it. */
OWN size_t h264_same_picture(const Sequence *sequence, unsigned frame_number, uint8_t *into);

/*
 * One picture behind the header of its slice, which somebody else has written: a start code, the header of the
 * unit, and as many bits as are counted in all. In a slice that may refer to other pictures macroblocks are told
 * otherwise.
 */
OWN size_t h264_slice(const Sequence *sequence, const Planes *planes, const uint8_t *header, unsigned bits, int inter,
                      uint8_t *into);

#endif
