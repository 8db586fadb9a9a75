/*
 * A double of the CUDA driver and of NVML: it has no GPU, keeps books of all that is asked of it, and
 * fails on demand. Memory of its devices is memory of the host, at addresses that are none of the host's
 * and are never given out twice. Every stream is a thread.
 *
 * It shows whether calls are made as the driver wants them: arguments, threads, contexts, lifetimes,
 * reactions to errors. It does not show how a driver behaves.
 */
#ifndef FAIRLEAD_DOUBLE_H
#define FAIRLEAD_DOUBLE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* With the true header, the compiler compares the functions below with their declarations there. */
#ifdef WITH_CUDA_H
#include <cuda.h>
#undef cuEventElapsedTime /* a newer version has its name there; drivers have both */
/* Numbers that the code under test counts on. */
_Static_assert(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == 16, "attributes");
_Static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE == 20, "attributes");
_Static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == 75, "attributes");
_Static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == 76, "attributes");
_Static_assert(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 0, "attributes");
_Static_assert(CU_CTX_SCHED_BLOCKING_SYNC == 4 && CU_MEMHOSTALLOC_PORTABLE == 1, "flags");
_Static_assert(CU_STREAM_NON_BLOCKING == 1 && CU_EVENT_BLOCKING_SYNC == 1, "flags");
_Static_assert(CU_JIT_ERROR_LOG_BUFFER == 5 && CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES == 6, "options");
_Static_assert(CUDA_ERROR_DEVICE_UNAVAILABLE == 46 && CUDA_ERROR_PEER_ACCESS_UNSUPPORTED == 217, "codes");
_Static_assert(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED == 704 && CUDA_ERROR_TOO_MANY_PEERS == 711, "codes");
_Static_assert(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE == 708 && CUDA_ERROR_ILLEGAL_ADDRESS == 700, "codes");
_Static_assert(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED == 808, "codes");
_Static_assert(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED == 809 && CUDA_ERROR_UNKNOWN == 999, "codes");
#else
typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUfunction_attribute;
typedef int CUjit_option;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct { char bytes[16]; } CUuuid;
#endif

enum {
  OK = 0, INVALID_VALUE = 1, NO_MEMORY = 2, NOT_INITIALIZED = 3, NONE = 100, NO_SUCH_DEVICE = 101,
  BAD_IMAGE = 200, BAD_CONTEXT = 201, OUT_OF_REACH = 217, BAD_PTX = 218, NEW_PTX = 222, BAD_HANDLE = 400, NOT_THERE = 500,
  LATER = 600, UNAVAILABLE = 46, ASTRAY = 700, REACHED_BEFORE = 704, DESTROYED = 709, TOO_MANY_USERS = 808, UNKNOWN = 999
};

enum { MOST_DEVICES = 16, MOST_OBJECTS = 1 << 18 };

typedef struct Context Context;

typedef struct Device {
  int index;                  /* among all of the machine, hidden ones included */
  char name[96], pci[16], uuid[48];
  unsigned char uuid_bytes[16];
  size_t total, used;
  Context *primary;
  int retained, slice, lost;
  int own_sessions, foreign_sessions, foreign_processes;
  int loses_copies_of;        /* a bit for each device whose memory does not come over */
  int keeps_errors, kept_error, idle_kernels;
  int child;                  /* a process that computes and encodes, besides; none if it is 0 */
  char exclusive[512];        /* the file whose lock the one process has that may use it; none if it is empty */
  int exclusive_lock;         /* held while there is a context */
  int compute_mode, silent, constant, crashes, garbles; /* see orders.c */
  size_t kept_bytes;          /* that stay taken for each session which a killed process had */
  int keeps_sessions;         /* whether these stay in its list */
  int most_users;             /* processes that it serves at a time; any number if it is 0 */
} Device;

struct Context {
  Device *device;
  int alive, sticky;
  Context *reached[MOST_DEVICES]; /* those whose memory it may read, one a device */
  Context *next;
};

typedef enum { MEMORY, PINNED, MODULE, FUNCTION, STREAM, EVENT } Kind;

typedef struct Command {
  enum { UPLOAD, DOWNLOAD, MOVE, CROSS, FILL, LAUNCH, RECORD, WAIT } what;
  uint64_t to, from;
  size_t bytes;
  unsigned char value;
  char kernel[64];
  unsigned long long arguments[4];
  unsigned long long items;
  struct Object *event;
  Context *to_context, *from_context;
  long occasion;
  struct Command *next;
} Command;

typedef struct Object {
  Kind kind;
  int alive;
  Context *context;
  uint64_t handle;
  /* memory */
  uint64_t address;
  size_t bytes;
  unsigned char *host;
  /* modules and functions */
  char *text;
  struct Object *module;
  /* streams */
  pthread_t thread;
  Command *first, *last;
  int pending, closing, priority;
  /* events */
  long recorded, came;
  int64_t nanos;
  struct Object *next_live, *previous_live;
} Object;

extern pthread_mutex_t lock;
extern pthread_cond_t changed;
extern Device devices[MOST_DEVICES];
extern int device_count, visible_count, visible[MOST_DEVICES];
extern Object *live;
extern Context *contexts;
extern int hung_released;

/* Enters a function: counts the call, and answers the code of a fault that was ordered, or success. */
int enter(const char *function, Context *context);
/* The context that is current on this thread; says so in the books if there is none. */
Context *current(const char *function);
Context **current_slot(void);
void blame(const char *format, ...) __attribute__((format(printf, 1, 2)));
void poison(Context *context, int code);
Object *make(Kind kind, Context *context);
Object *find(uint64_t handle, Kind kind, const char *function, const char *what);
/* The memory that holds a range, if it is there; says in the books what it was before, if not. */
Object *holding(uint64_t address, size_t bytes, Kind kind, const char *function);
void bury(Object *object);
/* Takes an address range that is never given out again. */
void place(Object *memory, size_t bytes);
Context *begin_primary(Device *device);
void end_primary(Device *device);
/* The thread of a stream, and what its commands are. */
void *run_stream(void *stream);
void setup(int count, const char *show);
/* The sessions of a device that other processes have begun and not ended, by the books of another double. */
int sessions_left(const Device *device);
/* Sets the machine up as the environment says, unless a test has. */
void begin_by_environment(void);
int64_t now(void);

/* Every function does its work under the lock and leaves by its end. */
#define BEGIN(context) \
  pthread_mutex_lock(&lock); \
  int code = enter(__func__, context); \
  if (code == OK)
#define END \
  pthread_mutex_unlock(&lock); \
  return (CUresult)code

/* The same for functions that need a context on their thread. */
#define BEGIN_HERE \
  pthread_mutex_lock(&lock); \
  Context *here = current(__func__); \
  int code = here == NULL ? (*current_slot() == NULL ? BAD_CONTEXT : DESTROYED) : enter(__func__, here); \
  if (code == OK)

/* An object of the context that is current, or NULL with a line in the books. */
Object *own(const void *handle, Kind kind, Context *here, const char *function);

#endif
