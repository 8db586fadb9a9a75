/*
 * Doubles of NVIDIA's driver for FFmpeg: libcuda.so.1, libnvidia-encode.so.1 and libnvcuvid.so.1 of a machine
 * that has no GPU. They show several cards, encode and decode H.264 so that every picture comes out as it was put in, keep books of
 * what is asked of them, and refuse, fail, hang or crash on demand.
 *
 * They show whether cards, contexts and sessions are used as the driver wants it, and what becomes of its
 * errors. They do not show how fast a card is, nor how good its pictures are.
 *
 * What they are told, by the environment. A list is "card=value,card=value"; the card * is every card that
 * the list does not name:
 *
 *   NVIDIA_DOUBLE_CARDS     how many there are; 4 if it is not said
 *   NVIDIA_DOUBLE_BOOKS     the directory of the books; without it none are kept
 *   NVIDIA_DOUBLE_API       the newest version of the encoder's interface, "13.1" if it is not said
 *   NVIDIA_DOUBLE_SESSIONS  how many sessions the host has, all processes with the same books together
 *   NVIDIA_DOUBLE_REFUSAL   what one session too many is answered: 10 (it is also the default) or 21
 *   NVIDIA_DOUBLE_KEEPS     if it is set, sessions of processes that were killed are never free again
 *   NVIDIA_DOUBLE_CODECS    a list of what cards encode: "*=h264,1=none,3=h264+av1"
 *   NVIDIA_DOUBLE_SPEED     a list of milliseconds that a picture takes
 *   NVIDIA_DOUBLE_STILL     if it is set, pictures repeat the key before them: streams as small as a card's, for
 *                             measurements in which pictures do not matter
 *   NVIDIA_DOUBLE_MEMORY    a list of megabytes (2^20) of memory that cards have; 8192 if it is not said
 *   NVIDIA_DOUBLE_DECODES   a list of how many pictures a decoder decodes before it fails
 *   NVIDIA_DOUBLE_FAULTS    a list of faults, "picture:fail:code", "picture:gone:code" (it also gives out no memory and
 *                             copies nothing any more), "picture:hang" or "picture:crash", and ":once" behind it if it befalls one process of the host only. Pictures count
 *                             from 1, for each card, in each process. A card that failed stays lost to the
 *                             process: it answers the same code from then on.
 *   NVIDIA_DOUBLE_LIES      a list of what cards do wrong and do not say: "colours" (both kinds are exchanged),
 *                             "key" (the first picture is called none), "scaling" (scaled pictures are mirrored) or
 *                             "decoding" (decoded pictures are wrong by one in one place, from the 21st on)
 *   NVIDIA_DOUBLE_KERNELS   a list of codes that cards answer when they are handed kernels, such as 222: this driver
 *                             does not know their version
 *   CUDA_VISIBLE_DEVICES      numbers of the cards that are shown, as the true driver reads it
 */
#ifndef FAIRLEAD_NVIDIA_DOUBLE_H
#define FAIRLEAD_NVIDIA_DOUBLE_H

#include <stddef.h>

enum { MOST_CARDS = 16, LONGEST_VALUE = 64 };

/* What the libraries have in common is compiled into each of them, and seen by nobody else. */
#define OWN __attribute__((visibility("hidden")))
/* What the loader of a library asks for by name. */
#define SHOWN __attribute__((visibility("default")))

/* Writes one line into the books: the process, and what is said. */
OWN void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a list of the environment says of a card, or NULL. */
OWN const char *of_card(const char *list, int card, char into[LONGEST_VALUE]);

/* Takes one of the host's sessions: something to give back, or -1 if none is left. */
OWN int take_session(void);
OWN void give_back_session(int taken);

/* Whether this is the first process on the host to do the thing of that name. */
OWN int first_on_host(const char *name);

/* The card of a context that lives, or -1; in libcuda.so.1, for the other libraries. */
SHOWN int fairlead_card_of(const void *context);

/* A card is not on the bus any more, and whether that is so; in libcuda.so.1, for the other libraries. */
SHOWN void fairlead_lose(int card);
SHOWN int fairlead_is_lost(int card);

#endif
