/* The functions of libnvidia-ml.so.1, about the same devices. */
#include "double.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NVML_INVALID = 2, NVML_NOT_SUPPORTED = 3, NVML_NOT_FOUND = 6, NVML_SMALL = 7, NVML_LOST = 15 };

typedef struct { unsigned pid; unsigned long long memory; unsigned gpu_instance, compute_instance; } Process;
typedef struct { unsigned id, pid, vgpu, codec, width, height, fps, latency; } Session;

#undef BEGIN
#undef END
#define BEGIN(device) \
  pthread_mutex_lock(&lock); \
  int code = enter(__func__, NULL); \
  if (code == 0) code = lost(device); \
  if (code == 0)
#define END \
  pthread_mutex_unlock(&lock); \
  return code

static int lost(const Device *device) { return device != NULL && device->lost ? NVML_LOST : 0; }

int nvmlInit_v2(void) {
  BEGIN(NULL) {}
  END;
}

const char *nvmlErrorString(int code) {
  switch (code) {
    case NVML_NOT_SUPPORTED: return "Not Supported";
    case 9: return "Driver Not Loaded";
    case NVML_LOST: return "GPU is lost";
    default: return "Unknown Error";
  }
}

int nvmlDeviceGetCount_v2(unsigned *count) {
  BEGIN(NULL) *count = (unsigned)device_count;
  END;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device **device) {
  BEGIN(index < (unsigned)device_count ? &devices[index] : NULL) {
    if (index >= (unsigned)device_count) code = NVML_INVALID;
    else *device = &devices[index];
  }
  END;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, Device **device) {
  BEGIN(NULL) {
    code = NVML_NOT_FOUND;
    for (int i = 0; i < device_count; i++) {
      if (strcmp(devices[i].uuid, uuid) == 0) {
        *device = &devices[i];
        code = lost(&devices[i]);
      }
    }
  }
  END;
}

int nvmlDeviceGetUUID(Device *device, char *uuid, unsigned length) {
  BEGIN(device) snprintf(uuid, length, "%s", device->uuid);
  END;
}

int nvmlDeviceGetName(Device *device, char *name, unsigned length) {
  BEGIN(device) snprintf(name, length, "%s", device->name);
  END;
}

/* A slice does not tell how busy it is. */
int nvmlDeviceGetUtilizationRates(Device *device, unsigned rates[2]) {
  BEGIN(device) {
    if (device->slice) code = NVML_NOT_SUPPORTED;
    else {
      rates[0] = 37U + (unsigned)device->index;
      rates[1] = 11;
    }
  }
  END;
}

int nvmlDeviceGetTemperature(Device *device, int sensor, unsigned *degrees) {
  BEGIN(device) {
    *degrees = 61U + (unsigned)device->index;
    code = sensor == 0 ? 0 : NVML_INVALID;
  }
  END;
}

int nvmlDeviceGetPowerUsage(Device *device, unsigned *milliwatts) {
  BEGIN(device) *milliwatts = 123400;
  END;
}

int nvmlDeviceGetTotalEccErrors(Device *device, int type, int counter, unsigned long long *errors) {
  BEGIN(device) {
    *errors = 3ULL + (1ULL << 33);
    code = type == 1 && counter == 0 ? 0 : NVML_INVALID;
  }
  END;
}

int nvmlDeviceGetComputeRunningProcesses_v3(Device *device, unsigned *count, Process *processes) {
  BEGIN(device) {
    unsigned used = device->retained > 0, all = (unsigned)device->foreign_processes + used;
    if (*count < all) code = NVML_SMALL;
    else {
      for (unsigned i = 0; i < all; i++)
        processes[i] = (Process){.pid = i < used ? (unsigned)getpid() : 4000000U + i, .memory = 1 << 20};
    }
    *count = all;
  }
  END;
}

int nvmlDeviceGetEncoderSessions(Device *device, unsigned *count, Session *sessions) {
  BEGIN(device) {
    unsigned own = (unsigned)device->own_sessions, all = own + (unsigned)device->foreign_sessions;
    if (*count < all) code = NVML_SMALL;
    else {
      for (unsigned i = 0; i < all; i++)
        sessions[i] = (Session){.id = i, .pid = i < own ? (unsigned)getpid() : 4000000U + i, .fps = 60};
    }
    *count = all;
  }
  END;
}
