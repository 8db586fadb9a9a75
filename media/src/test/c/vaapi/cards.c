/* What befalls the cards. */
#include "driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_NODE = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned pictures[MOST_CARDS];
static int is_lost[MOST_CARDS];
static int *volatile nowhere; /* what a crash writes to */

int card_of(VADriverContextP ctx) {
  const char *number = strrchr(NODE(ctx), 'D');
  int card = number == NULL ? 0 : atoi(number + 1) - FIRST_NODE;
  return card < 0 || card >= MOST_CARDS ? 0 : card;
}

static int says(const char *list, int card, const char *word) {
  char value[LONGEST_VALUE];
  const char *said = of_card(list, card, value);
  return said != NULL && strstr(said, word) != NULL;
}

int processes(int card) {
  return !says("LIBVA_DOUBLE_LACKS", card, "processing");
}

int mirrors(int card) {
  return says("LIBVA_DOUBLE_LIES", card, "scaling");
}

int lost(int card) {
  pthread_mutex_lock(&lock);
  int answer = is_lost[card];
  pthread_mutex_unlock(&lock);
  return answer;
}

int picture_on(int card) {
  char value[LONGEST_VALUE], marker[32];
  const char *fault = of_card("LIBVA_DOUBLE_FAULTS", card, value);
  pthread_mutex_lock(&lock);
  unsigned number = ++pictures[card];
  int answer = is_lost[card];
  pthread_mutex_unlock(&lock);
  if (answer || fault == NULL || (unsigned)atoi(fault) != number) return answer;
  snprintf(marker, sizeof marker, "va-fault.%d", card);
  if (strstr(fault, ":once") != NULL && !first_on_host(marker)) return 0;
  /* The books say it before it happens: nothing can be written after some of it. */
  note("va-fault card=%d picture=%u fault=%s", card, number, strchr(fault, ':') + 1);
  if (strstr(fault, ":crash") != NULL) *nowhere = 0;
  pthread_mutex_lock(&lock);
  is_lost[card] = 1;
  pthread_mutex_unlock(&lock);
  return 1;
}

/* What a process still has when it ends by itself. */
static void __attribute__((destructor)) left(void) {
  note("va-left surfaces=%d buffers=%d images=%d contexts=%d configs=%d", object_count(SURFACE, NULL),
       object_count(BUFFER, NULL), object_count(IMAGE, NULL), object_count(CONTEXT, NULL), object_count(CONFIG, NULL));
}
