/*
 * Decodes H.264 for doubles, with the libavcodec of the process that has loaded them, whose decoder on the processor is
 * handed each picture. What the application has read of the parameter sets comes to a driver as numbers; they are
 * written anew here, so that a number which the application does not hand on right gives other pictures.
 */
#ifndef FAIRLEAD_NVIDIA_SOFTWARE_H
#define FAIRLEAD_NVIDIA_SOFTWARE_H

#include "double.h"

#include <stdint.h>

/* What drivers are told of the parameter sets, by the names of Rec. ITU-T H.264, 7.3.2, more or less. */
typedef struct {
  int across, down; /* macroblocks */
  int frame_number_bits, order_type, order_bits, references, only_frames, direct_8x8;
  int entropy, order_present, list_0, list_1, weighted, weighted_b, first_quantiser, deblocking, redundant;
  int transform_8x8, constrained, chroma_offset, second_chroma_offset;
} Parameters;

/* Where a picture goes: two planes, the second with both kinds of chroma. */
typedef struct {
  uint8_t *luma, *chroma;
  unsigned pitch, width, height;
} Surface;

typedef struct Software Software;

OWN Software *software_open(void);
OWN void software_close(Software *software);

/* Decodes one picture, whose slices have start codes, into a surface; less than 0 if it could not. */
OWN int software_decode(Software *software, const Parameters *parameters, const uint8_t *slices, size_t length,
                        const Surface *into);

#endif
