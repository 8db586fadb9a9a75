/* libcuda.so.1: streams, what is given to them, and events. */
#include "double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  BEGIN_HERE {
    Object *made = make(STREAM, here);
    if (flags != 1) blame("%s: flags %u", __func__, flags);
    made->priority = priority;
    *stream = (CUstream)(uintptr_t)made->handle;
    pthread_create(&made->thread, NULL, run_stream, made);
    pthread_detach(made->thread);
  }
  END;
}

int double_priority(CUstream handle) {
  pthread_mutex_lock(&lock);
  Object *stream = find((uint64_t)(uintptr_t)handle, STREAM, __func__, "it was destroyed before");
  int priority = stream == NULL ? 1 : stream->priority;
  pthread_mutex_unlock(&lock);
  return priority;
}

CUresult cuStreamDestroy_v2(CUstream handle) {
  BEGIN_HERE {
    Object *stream = own(handle, STREAM, here, __func__);
    if (stream == NULL) code = BAD_HANDLE;
    else {
      if (stream->pending > 0) blame("%s: commands are on their way", __func__);
      stream->closing = 1;
      bury(stream);
      pthread_cond_broadcast(&changed);
    }
  }
  END;
}

CUresult cuStreamSynchronize(CUstream handle) {
  BEGIN_HERE {
    Object *stream = own(handle, STREAM, here, __func__);
    if (stream == NULL) code = BAD_HANDLE;
    else {
      while (stream->pending > 0 && here->sticky == 0 && !here->device->lost && stream->alive)
        pthread_cond_wait(&changed, &lock);
      if (here->device->lost) poison(here, UNKNOWN);
      code = here->sticky;
    }
  }
  END;
}

CUresult cuStreamQuery(CUstream handle) {
  BEGIN_HERE {
    Object *stream = own(handle, STREAM, here, __func__);
    code = stream == NULL ? BAD_HANDLE : stream->pending > 0 ? LATER : OK;
  }
  END;
}

static int give(CUstream handle, Context *here, const char *function, Command command) {
  Object *stream = own(handle, STREAM, here, function);
  if (stream == NULL) return BAD_HANDLE;
  Command *given = malloc(sizeof *given);
  *given = command;
  given->next = NULL;
  if (stream->last != NULL) stream->last->next = given;
  else stream->first = given;
  stream->last = given;
  stream->pending++;
  pthread_cond_broadcast(&changed);
  return OK;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  BEGIN_HERE {
    Command command = {.what = UPLOAD, .to = to, .from = (uint64_t)(uintptr_t)from, .bytes = bytes};
    code = give(stream, here, __func__, command);
  }
  END;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  BEGIN_HERE {
    Command command = {.what = DOWNLOAD, .to = (uint64_t)(uintptr_t)to, .from = from, .bytes = bytes};
    code = give(stream, here, __func__, command);
  }
  END;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  BEGIN_HERE {
    Command command = {.what = MOVE, .to = to, .from = from, .bytes = bytes};
    code = give(stream, here, __func__, command);
  }
  END;
}

/* A driver would go over the host by itself where contexts do not reach each other; this one refuses. */
CUresult cuMemcpyPeerAsync(
    CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes, CUstream stream) {
  Context *target = (Context *)to_context, *source = (Context *)from_context;
  BEGIN_HERE {
    if (target != here || source == NULL || !source->alive) {
      blame("%s: it goes to another context, or comes from one that is gone", __func__);
      code = BAD_CONTEXT;
    } else if (here->reached[source->device->index] != source) {
      blame("%s: the contexts do not reach each other", __func__);
      code = OUT_OF_REACH;
    } else {
      Command command = {
        .what = CROSS, .to = to, .from = from, .bytes = bytes, .to_context = target, .from_context = source};
      code = give(stream, here, __func__, command);
    }
  }
  END;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
  BEGIN_HERE {
    Command command = {.what = FILL, .to = to, .bytes = bytes, .value = value};
    code = give(stream, here, __func__, command);
  }
  END;
}

/* Reads as many arguments as the kernel has: 8 bytes for the addresses, 4 for the rest. */
static void read_arguments(Command *command, void **arguments) {
  static const struct { const char *name; int sizes[3]; } KERNELS[] = {
    {"add", {8, 4, 4}}, {"scale", {8, 4, 4}}, {"blur", {8, 8, 4}}, {"hang", {8, 0, 0}},
    {"fairlead_probe", {8, 4, 0}}};
  for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++) {
    if (strcmp(KERNELS[i].name, command->kernel) != 0) continue;
    for (int each = 0; each < 3; each++)
      memcpy(&command->arguments[each], KERNELS[i].sizes[each] == 0 ? (void *)"" : arguments[each],
             (size_t)KERNELS[i].sizes[each]);
  }
}

CUresult cuLaunchKernel(
    CUfunction handle, unsigned int x, unsigned int y, unsigned int z, unsigned int threads_x,
    unsigned int threads_y, unsigned int threads_z, unsigned int shared, CUstream stream, void **arguments,
    void **extra) {
  BEGIN_HERE {
    Object *function = own(handle, FUNCTION, here, __func__);
    unsigned long long threads = (unsigned long long)threads_x * threads_y * threads_z;
    if (function == NULL) code = BAD_HANDLE;
    else if (threads == 0 || threads > 1024 || y > 65535 || z > 65535 || shared > 49152 || extra != NULL)
      code = INVALID_VALUE;
    else {
      Command command = {.what = LAUNCH, .items = threads * x * y * z};
      snprintf(command.kernel, sizeof command.kernel, "%s", function->text);
      read_arguments(&command, arguments);
      code = give(stream, here, __func__, command);
    }
  }
  END;
}

/* ---- events */

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  BEGIN_HERE {
    if ((flags & 2) != 0) blame("%s: the event has no time", __func__);
    *event = (CUevent)(uintptr_t)make(EVENT, here)->handle;
  }
  END;
}

CUresult cuEventRecord(CUevent handle, CUstream stream) {
  BEGIN_HERE {
    Object *event = own(handle, EVENT, here, __func__);
    if (event == NULL) code = BAD_HANDLE;
    else {
      Command command = {.what = RECORD, .event = event, .occasion = event->recorded + 1};
      code = give(stream, here, __func__, command);
      if (code == OK) event->recorded++;
    }
  }
  END;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent handle, unsigned int flags) {
  BEGIN_HERE {
    Object *event = own(handle, EVENT, here, __func__);
    if (event == NULL || flags != 0) code = BAD_HANDLE;
    else {
      Command command = {.what = WAIT, .event = event, .occasion = event->recorded};
      code = give(stream, here, __func__, command);
    }
  }
  END;
}

CUresult cuEventQuery(CUevent handle) {
  BEGIN_HERE {
    Object *event = own(handle, EVENT, here, __func__);
    code = event == NULL ? BAD_HANDLE : event->came < event->recorded ? LATER : OK;
  }
  END;
}

CUresult cuEventSynchronize(CUevent handle) {
  BEGIN_HERE {
    Object *event = own(handle, EVENT, here, __func__);
    if (event == NULL) code = BAD_HANDLE;
    else {
      while (event->came < event->recorded && here->sticky == 0 && !here->device->lost && event->alive)
        pthread_cond_wait(&changed, &lock);
      if (here->device->lost) poison(here, UNKNOWN);
      code = here->sticky;
    }
  }
  END;
}

CUresult cuEventElapsedTime(float *millis, CUevent from, CUevent to) {
  BEGIN_HERE {
    Object *earlier = own(from, EVENT, here, __func__), *later = own(to, EVENT, here, __func__);
    if (earlier == NULL || later == NULL || earlier->recorded == 0 || later->recorded == 0) code = BAD_HANDLE;
    else if (earlier->came == 0 || later->came == 0) code = LATER;
    else *millis = (float)((double)(later->nanos - earlier->nanos) / 1e6);
  }
  END;
}

CUresult cuEventDestroy_v2(CUevent handle) {
  BEGIN_HERE {
    Object *event = own(handle, EVENT, here, __func__);
    if (event == NULL) code = BAD_HANDLE;
    else bury(event);
  }
  END;
}
