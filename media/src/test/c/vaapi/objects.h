/* What a driver hands out numbers for: surfaces, buffers, images, configurations and contexts. */
#ifndef FAIRLEAD_VAAPI_OBJECTS_H
#define FAIRLEAD_VAAPI_OBJECTS_H

#include "../nvidia/double.h"

#include <stdint.h>
#include <va/va.h>

typedef enum { NONE, CONFIG, CONTEXT, SURFACE, BUFFER, IMAGE } Kind;

typedef struct Decoding Decoding;

typedef struct {
  Kind kind;
  const void *owner;     /* the opened driver that it is of */
  int type;              /* of a buffer; of a configuration or context what it is for */
  unsigned width, height, pitch;
  size_t size;
  uint8_t *data;
  int borrowed;          /* the data belongs to another object */
  VACodedBufferSegment segment;
  /* Of a context: the picture that is being made. */
  VASurfaceID target;
  VABufferID coded;
  int inter, entropy;
  uint8_t headers[1024], slice[1024];
  size_t header_bytes;
  unsigned slice_bits, packed_type, packed_bits;
  VASurfaceID source;    /* what is scaled into the target, as much of it as is said here */
  unsigned source_width, source_height;
  Decoding *decoding;    /* of a context that decodes */
} Object;

/* A new object, or 0; objects have the same numbers in no two places at a time. */
OWN unsigned object_new(Kind kind, size_t size, const void *owner);

/* The object of a number, or NULL if it is not of that kind. */
OWN Object *object(Kind kind, unsigned number);

/* Whether there was one. */
OWN int object_end(Kind kind, unsigned number);

/* How many of a kind an owner has, or all owners together if it is NULL. */
OWN int object_count(Kind kind, const void *owner);

#endif
