/* The functions of libnvidia-ml.so.1, about the same devices. */
#include "double.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With the true header, the compiler compares the functions below with their declarations there. */
#ifdef WITH_NVML_H
#include <nvml.h>
#undef nvmlDeviceGetComputeRunningProcesses /* it is the newest version there; drivers have all of them */
#else
typedef int nvmlReturn_t;
typedef int nvmlTemperatureSensors_t;
typedef int nvmlMemoryErrorType_t;
typedef int nvmlEccCounterType_t;
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct { unsigned gpu, memory; } nvmlUtilization_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct {
  unsigned pid;
  unsigned long long usedGpuMemory;
  unsigned gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;
typedef struct {
  unsigned sessionId, pid, vgpuInstance, codecType, hResolution, vResolution, averageFps, averageLatency;
} nvmlEncoderSessionInfo_t;
enum {
  NVML_ERROR_INVALID_ARGUMENT = 2, NVML_ERROR_NOT_SUPPORTED = 3, NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7, NVML_ERROR_DRIVER_NOT_LOADED = 9, NVML_ERROR_GPU_IS_LOST = 15
};
enum { NVML_TEMPERATURE_GPU = 0, NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1, NVML_VOLATILE_ECC = 0 };
#endif

/* What the code under test counts on: numbers, and where structures have what. */
_Static_assert(NVML_ERROR_INSUFFICIENT_SIZE == 7 && NVML_ERROR_GPU_IS_LOST == 15, "return codes");
_Static_assert(NVML_TEMPERATURE_GPU == 0, "sensors");
_Static_assert(NVML_MEMORY_ERROR_TYPE_UNCORRECTED == 1 && NVML_VOLATILE_ECC == 0, "counters");
_Static_assert(sizeof(nvmlMemory_t) == 24 && offsetof(nvmlMemory_t, free) == 8, "memory");
_Static_assert(sizeof(nvmlUtilization_t) == 8 && offsetof(nvmlUtilization_t, gpu) == 0, "utilization");
_Static_assert(sizeof(nvmlProcessInfo_t) == 24 && offsetof(nvmlProcessInfo_t, pid) == 0, "a process");
_Static_assert(sizeof(nvmlEncoderSessionInfo_t) == 32 && offsetof(nvmlEncoderSessionInfo_t, pid) == 4, "a session");

#undef BEGIN
#undef END
#define BEGIN(of) \
  pthread_mutex_lock(&lock); \
  Device *device = (Device *)(of); \
  int code = enter(__func__, NULL); \
  if (code == 0) code = lost(device); \
  if (code == 0)
#define END \
  pthread_mutex_unlock(&lock); \
  return (nvmlReturn_t)code

static int lost(const Device *device) { return device != NULL && device->lost ? NVML_ERROR_GPU_IS_LOST : 0; }

/* A lookup may fail because any device of the machine is lost, whichever was asked for. */
static int some_lost(void) {
  int code = 0;
  for (int i = 0; i < device_count && code == 0; i++) code = lost(&devices[i]);
  return code;
}

nvmlReturn_t nvmlInit_v2(void) {
  BEGIN(NULL) (void)device;
  END;
}

const char *nvmlErrorString(nvmlReturn_t code) {
  switch ((int)code) {
    case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
    case NVML_ERROR_DRIVER_NOT_LOADED: return "Driver Not Loaded";
    case NVML_ERROR_GPU_IS_LOST: return "GPU is lost";
    default: return "Unknown Error";
  }
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) {
  BEGIN(NULL) *count = (unsigned)device_count;
  END;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *handle) {
  BEGIN(NULL) {
    device = index < (unsigned)device_count ? &devices[index] : NULL;
    code = device == NULL ? NVML_ERROR_INVALID_ARGUMENT : some_lost();
    if (code == 0) *handle = (nvmlDevice_t)device;
  }
  END;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *handle) {
  BEGIN(NULL) {
    code = NVML_ERROR_NOT_FOUND;
    for (int i = 0; i < device_count; i++) {
      if (strcmp(devices[i].uuid, uuid) == 0) {
        device = &devices[i];
        *handle = (nvmlDevice_t)device;
        code = some_lost();
      }
    }
  }
  END;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t handle, char *uuid, unsigned length) {
  BEGIN(handle) snprintf(uuid, length, "%s", device->uuid);
  END;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t handle, char *name, unsigned length) {
  BEGIN(handle) snprintf(name, length, "%s", device->name);
  END;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t handle, nvmlMemory_t *memory) {
  BEGIN(handle) {
    *memory = (nvmlMemory_t){.total = device->total, .free = device->total - device->used, .used = device->used};
  }
  END;
}

/* A slice does not tell how busy it is, nor what the whole device draws. */
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t handle, nvmlUtilization_t *rates) {
  BEGIN(handle) {
    if (device->slice) code = NVML_ERROR_NOT_SUPPORTED;
    else {
      rates->gpu = 37U + (unsigned)device->index;
      rates->memory = 11;
    }
  }
  END;
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t handle, nvmlTemperatureSensors_t sensor, unsigned *degrees) {
  BEGIN(handle) {
    *degrees = 61U + (unsigned)device->index;
    code = sensor == NVML_TEMPERATURE_GPU ? 0 : NVML_ERROR_INVALID_ARGUMENT;
  }
  END;
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t handle, unsigned *milliwatts) {
  BEGIN(handle) {
    if (device->slice) code = NVML_ERROR_INVALID_ARGUMENT;
    else *milliwatts = 123400;
  }
  END;
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(
    nvmlDevice_t handle, nvmlMemoryErrorType_t type, nvmlEccCounterType_t counter, unsigned long long *errors) {
  BEGIN(handle) {
    *errors = 3ULL + (1ULL << 33);
    if (type != NVML_MEMORY_ERROR_TYPE_UNCORRECTED || counter != NVML_VOLATILE_ECC) code = NVML_ERROR_INVALID_ARGUMENT;
  }
  END;
}

/* Others come first, then what this process has started, then this process. */
static unsigned user(const Device *device, unsigned number, unsigned others) {
  if (number < others) return 4000000U + number;
  return number == others && device->child != 0 ? (unsigned)device->child : (unsigned)getpid();
}

/* Drivers differ in the size of a record: 16 bytes at first, 24 since, and 32 in some of CUDA 12.2. */
#ifndef PROCESS_BYTES
#define PROCESS_BYTES sizeof(nvmlProcessInfo_t)
#endif
#ifndef PROCESSES
#define PROCESSES nvmlDeviceGetComputeRunningProcesses_v3
#endif
nvmlReturn_t PROCESSES(nvmlDevice_t handle, unsigned *count, nvmlProcessInfo_t *processes) {
  BEGIN(handle) {
    unsigned others = (unsigned)device->foreign_processes;
    unsigned all = device->silent ? 0 : others + (device->child != 0) + (device->retained > 0);
    if (*count < all) code = NVML_ERROR_INSUFFICIENT_SIZE;
    else {
#ifdef CLEARS_LISTS
      memset(processes, 0, *count * PROCESS_BYTES);
#endif
      for (unsigned i = 0; i < all; i++) {
        unsigned char *record = (unsigned char *)processes + i * PROCESS_BYTES;
        unsigned pid = user(device, i, others);
        unsigned long long memory = 1 << 20;
        memset(record, 0, PROCESS_BYTES);
        memcpy(record, &pid, sizeof pid);
        memcpy(record + 8, &memory, sizeof memory);
      }
    }
    *count = all;
  }
  END;
}

nvmlReturn_t nvmlDeviceGetEncoderSessions(
    nvmlDevice_t handle, unsigned *count, nvmlEncoderSessionInfo_t *sessions) {
  BEGIN(handle) {
    unsigned others = (unsigned)device->foreign_sessions;
    unsigned all = others + (device->child != 0) + (unsigned)device->own_sessions;
    if (device->keeps_sessions) all += (unsigned)sessions_left(device);
    if (*count < all) code = NVML_ERROR_INSUFFICIENT_SIZE;
    else {
      for (unsigned i = 0; i < all; i++) {
        unsigned pid = user(device, i, others);
        sessions[i] = (nvmlEncoderSessionInfo_t){.sessionId = i, .pid = pid, .averageFps = 60};
      }
    }
    *count = all;
  }
  END;
}
