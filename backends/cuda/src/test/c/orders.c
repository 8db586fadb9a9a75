/*
 * What the environment tells a double in a process that no test reaches. FAIRLEAD_DOUBLE_ORDERS holds orders,
 * separated by ';', each a word and its numbers, as the functions that tests call take them:
 *
 *   fail:FUNCTION:NTH:CODE[:DEVICE]   idle:DEVICE   lose-copies:FROM:TO   keep-errors:DEVICE
 *   others:DEVICE:PROCESSES           mode:DEVICE:COMPUTE_MODE            silent:DEVICE (NVML lists nobody)
 *   constant:DEVICE (free memory never moves)       crash:DEVICE (a kernel there ends the process)
 *   garble:DEVICE (the last byte of what is read from it is another)
 *   keep-memory:DEVICE:BYTES and keep-sessions:DEVICE (what killed processes had is never free again: which these are
 *     is read in the books of the double that encodes, NVIDIA_DOUBLE_BOOKS)
 */
#include "double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int double_fail(const char *order);

static void obey(char *order) {
  int device = 0, second = 0;
  char *numbers = strchr(order, ':');
  if (numbers == NULL) return;
  *numbers++ = 0;
  if (strcmp(order, "fail") == 0) {
    double_fail(numbers);
    return;
  }
  sscanf(numbers, "%d:%d", &device, &second);
  pthread_mutex_lock(&lock);
  Device *its = &devices[device];
  if (strcmp(order, "idle") == 0) its->idle_kernels = 1;
  else if (strcmp(order, "lose-copies") == 0) devices[second].loses_copies_of |= 1 << device;
  else if (strcmp(order, "keep-errors") == 0) its->keeps_errors = 1;
  else if (strcmp(order, "others") == 0) its->foreign_processes = second;
  else if (strcmp(order, "mode") == 0) its->compute_mode = second;
  else if (strcmp(order, "silent") == 0) its->silent = 1;
  else if (strcmp(order, "constant") == 0) its->constant = 1;
  else if (strcmp(order, "crash") == 0) its->crashes = 1;
  else if (strcmp(order, "garble") == 0) its->garbles = 1;
  else if (strcmp(order, "keep-memory") == 0) its->kept_bytes = (size_t)second;
  else if (strcmp(order, "keep-sessions") == 0) its->keeps_sessions = 1;
  else blame("there is no order %s", order);
  pthread_mutex_unlock(&lock);
}

int sessions_left(const Device *device) {
  char path[4096], line[1024], opened[64], closed[64];
  const char *directory = getenv("NVIDIA_DOUBLE_BOOKS");
  if (directory == NULL) return 0;
  snprintf(path, sizeof path, "%s/books", directory);
  snprintf(opened, sizeof opened, " session-opened card=%d ", device->index);
  snprintf(closed, sizeof closed, " session-closed card=%d ", device->index);
  FILE *books = fopen(path, "r");
  int left = 0;
  while (books != NULL && fgets(line, sizeof line, books) != NULL) {
    left += (strstr(line, opened) != NULL) - (strstr(line, closed) != NULL);
  }
  if (books != NULL) fclose(books);
  return left;
}

void begin_by_environment(void) {
  if (device_count >= 0) return;
  const char *number = getenv("FAIRLEAD_DOUBLE_DEVICES");
  pthread_mutex_lock(&lock);
  setup(number == NULL ? 2 : atoi(number), getenv("CUDA_VISIBLE_DEVICES"));
  pthread_mutex_unlock(&lock);
  const char *orders = getenv("FAIRLEAD_DOUBLE_ORDERS");
  if (orders == NULL) return;
  char *text = strdup(orders), *rest = NULL;
  for (char *order = strtok_r(text, ";", &rest); order != NULL; order = strtok_r(NULL, ";", &rest)) obey(order);
  free(text);
}
