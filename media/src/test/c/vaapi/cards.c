/* What befalls the cards. */
#include "driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_NODE = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned pictures[MOST_CARDS], decoded[MOST_CARDS];
static int is_lost[MOST_CARDS], decodes_no_more[MOST_CARDS];
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

int encodes(int card) {
  return !says("LIBVA_DOUBLE_LACKS", card, "encoding");
}

int decodes(int card) {
  return !says("LIBVA_DOUBLE_LACKS", card, "decoding");
}

int decodes_wrong(int card) {
  return says("LIBVA_DOUBLE_LIES", card, "decoding");
}

int lost(int card) {
  pthread_mutex_lock(&lock);
  int answer = is_lost[card];
  pthread_mutex_unlock(&lock);
  return answer;
}

/* Whether what a list says befalls a card with the picture of that number. */
static int befalls(const char *list, int card, unsigned number) {
  char value[LONGEST_VALUE], marker[64];
  const char *fault = of_card(list, card, value);
  if (fault == NULL || (unsigned)atoi(fault) != number) return 0;
  snprintf(marker, sizeof marker, "%s.%d", list, card);
  if (strstr(fault, ":once") != NULL && !first_on_host(marker)) return 0;
  /* The books say it before it happens: nothing can be written after some of it. */
  note("va-fault card=%d picture=%u fault=%s of=%s", card, number, strchr(fault, ':') + 1, list);
  if (strstr(fault, ":crash") != NULL) *nowhere = 0;
  return 1;
}

/* Counts a picture; whether the card fails, now or since an earlier one. */
static int fails(const char *list, int card, unsigned counts[], int failed[]) {
  pthread_mutex_lock(&lock);
  unsigned number = ++counts[card];
  int answer = failed[card];
  pthread_mutex_unlock(&lock);
  if (answer || !befalls(list, card, number)) return answer;
  pthread_mutex_lock(&lock);
  failed[card] = 1;
  pthread_mutex_unlock(&lock);
  return 1;
}

int picture_on(int card) {
  return fails("LIBVA_DOUBLE_FAULTS", card, pictures, is_lost);
}

int decoded_on(int card) {
  return fails("LIBVA_DOUBLE_DECODES", card, decoded, decodes_no_more) || lost(card);
}

/* What a process still has when it ends by itself. */
static void __attribute__((destructor)) left(void) {
  note("va-left surfaces=%d buffers=%d images=%d contexts=%d configs=%d", object_count(SURFACE, NULL),
       object_count(BUFFER, NULL), object_count(IMAGE, NULL), object_count(CONTEXT, NULL), object_count(CONFIG, NULL));
}
