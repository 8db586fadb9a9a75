/* libcuda.so.1: the driver, its devices and their contexts. */
#define _GNU_SOURCE
#include "double.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DRIVER_VERSION
#define DRIVER_VERSION 12020
#endif

static int started;

static Device *device_of(int number) {
  return number >= 0 && number < visible_count ? &devices[visible[number]] : NULL;
}

static const struct { int code; const char *name; } ERRORS[] = {
  {0, "CUDA_SUCCESS"}, {1, "CUDA_ERROR_INVALID_VALUE"}, {2, "CUDA_ERROR_OUT_OF_MEMORY"},
  {3, "CUDA_ERROR_NOT_INITIALIZED"}, {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"}, {100, "CUDA_ERROR_NO_DEVICE"},
  {101, "CUDA_ERROR_INVALID_DEVICE"}, {200, "CUDA_ERROR_INVALID_IMAGE"}, {201, "CUDA_ERROR_INVALID_CONTEXT"},
  {214, "CUDA_ERROR_ECC_UNCORRECTABLE"}, {217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"}, {218, "CUDA_ERROR_INVALID_PTX"},
  {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"}, {400, "CUDA_ERROR_INVALID_HANDLE"}, {500, "CUDA_ERROR_NOT_FOUND"},
  {600, "CUDA_ERROR_NOT_READY"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE"},
  {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED"}, {719, "CUDA_ERROR_LAUNCH_FAILED"},
  {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"}, {808, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED"}, {999, "CUDA_ERROR_UNKNOWN"}};

CUresult cuGetErrorName(CUresult error, const char **name) {
  for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++) {
    if (ERRORS[i].code == (int)error) {
      *name = ERRORS[i].name;
      return (CUresult)OK;
    }
  }
  *name = NULL;
  return (CUresult)INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version) {
  *version = DRIVER_VERSION;
  return (CUresult)OK;
}

CUresult cuInit(unsigned int flags) {
  begin_by_environment();
  BEGIN(NULL) {
    started = 1;
    code = flags != 0 ? INVALID_VALUE : visible_count == 0 ? NONE : OK;
  }
  END;
}

CUresult cuDeviceGetCount(int *count) {
  BEGIN(NULL) {
    *count = visible_count;
    code = started ? OK : NOT_INITIALIZED;
  }
  END;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  BEGIN(NULL) {
    *device = ordinal;
    code = device_of(ordinal) == NULL ? NO_SUCH_DEVICE : OK;
  }
  END;
}

#define BEGIN_DEVICE(number) \
  BEGIN(NULL) { \
    Device *device = device_of(number); \
    if (device == NULL) code = NO_SUCH_DEVICE; else
#define END_DEVICE \
  } \
  END

CUresult cuDeviceGetName(char *name, int length, CUdevice number) {
  BEGIN_DEVICE(number) snprintf(name, (size_t)length, "%s", device->name);
  END_DEVICE;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice number) {
  BEGIN_DEVICE(number) memcpy(uuid, device->uuid_bytes, 16);
  END_DEVICE;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice number) {
  BEGIN_DEVICE(number) *bytes = device->total;
  END_DEVICE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice number) {
  BEGIN_DEVICE(number) {
    switch ((int)attribute) {
      case 16: *value = 40 + device->index; break;
      case 20: *value = device->compute_mode; break;
      case 75: *value = 7 + device->index; break;
      case 76: *value = 5; break;
      default: code = INVALID_VALUE;
    }
  }
  END_DEVICE;
}

CUresult cuDeviceGetPCIBusId(char *address, int length, CUdevice number) {
  BEGIN_DEVICE(number) snprintf(address, (size_t)length, "%s", device->pci);
  END_DEVICE;
}

/* Pairs reach each other: the first two, the next two. */
static int reaches(const Device *device, const Device *other) {
  return device != other && device->index / 2 == other->index / 2;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice number, CUdevice peer) {
  BEGIN_DEVICE(number) {
    Device *other = device_of(peer);
    if (other == NULL) code = NO_SUCH_DEVICE;
    else *can = reaches(device, other);
  }
  END_DEVICE;
}

/* ---- contexts */

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice number, unsigned int flags) {
  BEGIN_DEVICE(number) code = flags == 4 ? OK : INVALID_VALUE;
  END_DEVICE;
}

/* In exclusive mode one process of the host has a context: the one that holds the lock. */
static int is_taken(Device *device) {
  if (device->exclusive[0] == 0 || device->retained > 0) return 0;
  int file = open(device->exclusive, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) {
    device->exclusive_lock = file;
    return 0;
  }
  if (file >= 0) close(file);
  return 1;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice number) {
  BEGIN_DEVICE(number) {
    int users = device->foreign_processes + (device->retained > 0);
    if (device->lost) code = UNKNOWN;
    else if (is_taken(device)) code = UNAVAILABLE;
    else if (device->retained == 0 && device->most_users > 0 && users >= device->most_users) code = TOO_MANY_USERS;
    else {
      *context = (CUcontext)begin_primary(device);
      device->retained++;
    }
  }
  END_DEVICE;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice number) {
  BEGIN_DEVICE(number) {
    if (device->retained == 0) {
      blame("%s: the context is not retained", __func__);
      code = BAD_CONTEXT;
    } else if (--device->retained == 0) {
      end_primary(device);
      if (device->exclusive_lock > 0) close(device->exclusive_lock);
      device->exclusive_lock = 0;
    }
  }
  END_DEVICE;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice number) {
  BEGIN_DEVICE(number) end_primary(device);
  END_DEVICE;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  Context *wanted = (Context *)context;
  BEGIN(NULL) {
    if (wanted != NULL && !wanted->alive) {
      blame("%s: the context is gone", __func__);
      code = BAD_CONTEXT;
    } else *current_slot() = wanted;
  }
  END;
}

static __thread Context *below[16];
static __thread int depth;

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  Context *wanted = (Context *)context;
  BEGIN(NULL) {
    if (wanted == NULL || !wanted->alive) {
      blame("%s: the context is gone", __func__);
      code = BAD_CONTEXT;
    } else {
      below[depth++] = *current_slot();
      *current_slot() = wanted;
    }
  }
  END;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  BEGIN(NULL) {
    if (depth == 0) {
      blame("%s: nothing was pushed", __func__);
      code = BAD_CONTEXT;
    } else {
      *context = (CUcontext)*current_slot();
      *current_slot() = below[--depth];
    }
  }
  END;
}

CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned int flags) {
  Context *peer = (Context *)context;
  BEGIN_HERE {
    Context **reached = peer == NULL ? NULL : &here->reached[peer->device->index];
    if (peer == NULL || !peer->alive) {
      blame("%s: the context is gone", __func__);
      code = BAD_CONTEXT;
    } else if (flags != 0) code = INVALID_VALUE;
    else if (!reaches(here->device, peer->device)) code = OUT_OF_REACH;
    else if (*reached == peer) code = REACHED_BEFORE;
    else *reached = peer;
  }
  END;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  BEGIN_HERE {
    *least = 0;
    *greatest = -5;
  }
  END;
}
