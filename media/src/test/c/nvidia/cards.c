/* libnvidia-encode.so.1: what befalls the cards. */
#include "nvenc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned pictures[MOST_CARDS];
static int lost_with[MOST_CARDS];
static uint64_t busy_until[MOST_CARDS];
static int *volatile nowhere; /* what a crash writes to */

int lost(int card) {
  pthread_mutex_lock(&lock);
  int code = lost_with[card];
  pthread_mutex_unlock(&lock);
  return code;
}

static void lose(int card, int code) {
  pthread_mutex_lock(&lock);
  lost_with[card] = code;
  pthread_mutex_unlock(&lock);
}

int picture_on(int card) {
  pthread_mutex_lock(&lock);
  unsigned number = ++pictures[card];
  int code = lost_with[card];
  pthread_mutex_unlock(&lock);
  char value[LONGEST_VALUE], marker[32];
  const char *fault = of_card("NVIDIA_DOUBLE_FAULTS", card, value);
  if (code != SUCCESS || fault == NULL || (unsigned)atoi(fault) != number) return code;
  snprintf(marker, sizeof marker, "fault.%d", card);
  if (strstr(fault, ":once") != NULL && !first_on_host(marker)) return SUCCESS;
  /* The books say it before it happens: nothing can be written after some of it. */
  note("fault card=%d picture=%u fault=%s", card, number, strchr(fault, ':') + 1);
  if (strstr(fault, ":hang") != NULL) {
    for (;;) pause();
  }
  if (strstr(fault, ":crash") != NULL) *nowhere = 0;
  const char *failure = strstr(fault, ":fail:"), *gone = strstr(fault, ":gone:");
  if (gone != NULL) {
    fairlead_lose(card);
    failure = gone;
  }
  if (failure == NULL) {
    fprintf(stderr, "NVIDIA_DOUBLE_FAULTS has no such fault: %s\n", fault);
    abort();
  }
  code = atoi(failure + strlen(":fail:"));
  lose(card, code);
  return code;
}

uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* A card does one picture after the other, whichever sessions they are of. */
uint64_t ready_at(int card, uint64_t time) {
  char value[LONGEST_VALUE];
  const char *speed = of_card("NVIDIA_DOUBLE_SPEED", card, value);
  pthread_mutex_lock(&lock);
  if (busy_until[card] > time) time = busy_until[card];
  if (speed != NULL) time += (uint64_t)(atof(speed) * 1e6);
  busy_until[card] = time;
  pthread_mutex_unlock(&lock);
  return time;
}
