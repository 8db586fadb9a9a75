/* libcuda.so.1: memory and programs. */
#include "double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WITHOUT_MEM_GET_INFO
CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  BEGIN_HERE {
    *available = here->device->total - (here->device->constant ? 0 : here->device->used);
    if (here->device->kept_bytes > 0) *available -= here->device->kept_bytes * (size_t)sessions_left(here->device);
    *total = here->device->total;
  }
  END;
}
#endif

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  BEGIN_HERE {
    if (bytes == 0) code = INVALID_VALUE;
    else if (bytes > here->device->total - here->device->used) code = NO_MEMORY;
    else {
      Object *memory = make(MEMORY, here);
      memory->host = calloc(1, bytes);
      place(memory, bytes);
      here->device->used += bytes;
      *address = memory->address;
    }
  }
  END;
}

static int is_busy(const Context *context) {
  for (Object *each = live; each != NULL; each = each->next_live) {
    if (each->kind == STREAM && each->context == context && each->pending > 0 && context->sticky == 0) return 1;
  }
  return 0;
}

/* Waits for what is on its way, as the driver does. */
CUresult cuMemFree_v2(CUdeviceptr address) {
  BEGIN_HERE {
    Object *memory = find(address, MEMORY, __func__, "double free");
    while (memory != NULL && memory->alive && is_busy(here)) pthread_cond_wait(&changed, &lock);
    if (memory == NULL || !memory->alive) code = INVALID_VALUE;
    else if (here->sticky != 0) code = here->sticky;
    else bury(memory);
  }
  END;
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned int flags) {
  BEGIN_HERE {
    Object *memory = make(PINNED, here);
    if (flags != 1) blame("%s: flags %u", __func__, flags);
    memory->bytes = bytes;
    memory->host = malloc(bytes);
    memory->address = memory->handle = (uint64_t)(uintptr_t)memory->host;
    *address = memory->host;
  }
  END;
}

CUresult cuMemFreeHost(void *address) {
  BEGIN_HERE {
    Object *memory = own(address, PINNED, here, __func__);
    for (Object *each = live; memory != NULL && each != NULL; each = each->next_live) {
      if (each->kind != STREAM) continue;
      for (Command *command = each->first; command != NULL; command = command->next) {
        uint64_t used = command->what == UPLOAD ? command->from : command->what == DOWNLOAD ? command->to : 0;
        if (used >= memory->address && used < memory->address + memory->bytes)
          blame("%s: a copy that uses it is on its way", __func__);
      }
    }
    if (memory == NULL) code = INVALID_VALUE;
    else bury(memory);
  }
  END;
}

/* ---- programs */

CUresult cuModuleLoadDataEx(
    CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values) {
  BEGIN_HERE {
    const char *text = image, *version = strstr(text, ".version");
    int major = 0, minor = 0;
    if (version != NULL) sscanf(version, ".version %d.%d", &major, &minor);
    char *log = NULL;
    size_t size = 0;
    for (unsigned i = 0; i < count; i++) {
      if ((int)options[i] == 5) log = values[i];
      if ((int)options[i] == 6) size = (size_t)(uintptr_t)values[i];
    }
    if (version == NULL || strstr(text, ".target") == NULL) {
      code = BAD_PTX;
      if (log != NULL) snprintf(log, size, "ptxas fatal : Missing .version directive at start of file");
    } else if (major > 8) {
      code = NEW_PTX;
      if (log != NULL) snprintf(log, size, "ptxas fatal : Unsupported .version %d.%d", major, minor);
    } else {
      Object *made = make(MODULE, here);
      made->text = strdup(text);
      *module = (CUmodule)(uintptr_t)made->handle;
    }
  }
  END;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name) {
  BEGIN_HERE {
    Object *module = own(handle, MODULE, here, __func__);
    char entry[128];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    if (module == NULL) code = BAD_HANDLE;
    else if (strstr(module->text, entry) == NULL) code = NOT_THERE;
    else {
      Object *made = make(FUNCTION, here);
      made->text = strdup(name);
      made->module = module;
      *function = (CUfunction)(uintptr_t)made->handle;
    }
  }
  END;
}

CUresult cuModuleUnload(CUmodule handle) {
  BEGIN_HERE {
    Object *module = own(handle, MODULE, here, __func__);
    if (module == NULL) code = BAD_HANDLE;
    else {
      for (Object *each = live, *next; each != NULL; each = next) {
        next = each->next_live;
        if (each->kind == FUNCTION && each->module == module) bury(each);
      }
      bury(module);
    }
  }
  END;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle) {
  BEGIN_HERE {
    if (own(handle, FUNCTION, here, __func__) == NULL || (int)attribute != 0) code = INVALID_VALUE;
    else *value = 1024;
  }
  END;
}
