#include "objects.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST = 1 << 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Object *objects[MOST];

unsigned object_new(Kind kind, size_t size, const void *owner) {
  Object *made = calloc(1, sizeof *made);
  uint8_t *data = size == 0 ? NULL : calloc(1, size);
  unsigned number = 1;
  if (made == NULL || (size != 0 && data == NULL)) abort();
  made->kind = kind;
  made->size = size;
  made->owner = owner;
  made->data = data;
  pthread_mutex_lock(&lock);
  while (number < MOST && objects[number] != NULL) number++;
  if (number < MOST) objects[number] = made;
  pthread_mutex_unlock(&lock);
  if (number < MOST) return number;
  free(data);
  free(made);
  return 0;
}

Object *object(Kind kind, unsigned number) {
  pthread_mutex_lock(&lock);
  Object *found = number < MOST ? objects[number] : NULL;
  if (found != NULL && found->kind != kind) found = NULL;
  pthread_mutex_unlock(&lock);
  return found;
}

int object_end(Kind kind, unsigned number) {
  Object *ended = object(kind, number);
  if (ended == NULL) return 0;
  pthread_mutex_lock(&lock);
  objects[number] = NULL;
  pthread_mutex_unlock(&lock);
  if (!ended->borrowed) free(ended->data);
  free(ended);
  return 1;
}

int object_count(Kind kind, const void *owner) {
  int count = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST; i++) {
    const Object *each = objects[i];
    count += each != NULL && each->kind == kind && (owner == NULL || each->owner == owner);
  }
  pthread_mutex_unlock(&lock);
  return count;
}
