/* The books, and what processes have to agree about: the sessions of the host. */
#include "double.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096, LONGEST_LINE = 1024, NOT_COUNTED = -2, KEPT = 1 << 20 };

/* A path in the directory of the books; 0 if there are no books. */
static int in_books(char path[LONGEST_PATH], const char *name, int number) {
  const char *directory = getenv("NVIDIA_DOUBLE_BOOKS");
  if (directory == NULL) return 0;
  snprintf(path, LONGEST_PATH, number < 0 ? "%s/%s" : "%s/%s.%d", directory, name, number);
  return 1;
}

/* One write to a file that is open for appending: lines of several processes do not mix. */
void note(const char *format, ...) {
  char path[LONGEST_PATH], line[LONGEST_LINE];
  if (!in_books(path, "books", -1)) return;
  int length = snprintf(line, sizeof line, "pid=%d ", (int)getpid());
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - length - 1, format, arguments);
  va_end(arguments);
  if (length > LONGEST_LINE - 2) length = LONGEST_LINE - 2;
  line[length++] = '\n';
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || write(file, line, length) != length) {
    perror(path);
    abort(); /* a test that reads books with holes in them proves nothing */
  }
  close(file);
}

const char *of_card(const char *list, int card, char into[LONGEST_VALUE]) {
  const char *said = getenv(list);
  const char *found = NULL;
  while (said != NULL && *said != 0) {
    size_t length = strcspn(said, ",");
    const char *equals = memchr(said, '=', length);
    if (equals == NULL || length >= LONGEST_VALUE) {
      fprintf(stderr, "%s is no list of card=value: %s\n", list, getenv(list));
      abort();
    }
    int everyone = *said == '*';
    if ((everyone && found == NULL) || (!everyone && atoi(said) == card)) {
      size_t value = length - (equals + 1 - said);
      memcpy(into, equals + 1, value);
      into[value] = 0;
      found = into;
      if (!everyone) return found;
    }
    said += length + (said[length] == ',');
  }
  return found;
}

/*
 * A session is a locked file. A lock belongs to what open() made, so that two sessions of one process
 * exclude each other as well, and the kernel lets go of it when its process dies, however it dies. A driver that
 * keeps what killed processes had is a file that only its process deletes.
 */
int take_session(void) {
  const char *limit = getenv("NVIDIA_DOUBLE_SESSIONS");
  int keeps = getenv("NVIDIA_DOUBLE_KEEPS") != NULL;
  if (limit == NULL) return NOT_COUNTED;
  for (int number = 0; number < atoi(limit); number++) {
    char path[LONGEST_PATH];
    if (!in_books(path, "session", number)) {
      fprintf(stderr, "NVIDIA_DOUBLE_SESSIONS are counted in NVIDIA_DOUBLE_BOOKS\n");
      abort();
    }
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (keeps ? O_EXCL : 0), 0666);
    if (file >= 0 && keeps) {
      close(file);
      return KEPT + number;
    }
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    if (file >= 0) close(file);
  }
  return -1;
}

void give_back_session(int taken) {
  char path[LONGEST_PATH];
  if (taken >= KEPT && in_books(path, "session", taken - KEPT)) unlink(path);
  else if (taken >= 0) close(taken);
}

int first_on_host(const char *name) {
  char path[LONGEST_PATH];
  if (!in_books(path, name, -1)) return 1;
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) close(file);
  return file >= 0;
}
