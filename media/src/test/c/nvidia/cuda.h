/* What the parts of libcuda.so.1 share. */
#ifndef FAIRLEAD_NVIDIA_CUDA_H
#define FAIRLEAD_NVIDIA_CUDA_H

#include "double.h"

enum {
  OK = 0, INVALID_VALUE = 1, NO_MEMORY = 2, NOT_INITIALIZED = 3, NONE = 100, NO_SUCH_DEVICE = 101, BAD_CONTEXT = 201,
  PRIMARY_ACTIVE = 708, DESTROYED = 709, NOT_SUPPORTED = 801, UNKNOWN = 999
};

typedef struct Context {
  struct Context *next;
  int card;         /* of the machine */
  int device;       /* as the process sees it */
  int alive;
  int users;        /* of a primary context */
  unsigned flags;
  size_t bytes;     /* that were reserved in it and are not free again */
} Context;

/* The context that is current in the calling thread, or NULL. */
OWN Context *current_context(void);

#endif
