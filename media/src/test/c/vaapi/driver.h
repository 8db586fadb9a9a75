/*
 * A double of a driver for libva. Every file that is opened as a render node is a card; renderD128 is card 0.
 *
 * What it is told, by the environment, beside NVIDIA_DOUBLE_BOOKS for its books. A list is "card=value,card=value"; the
 * card * is every card that the list does not name:
 *
 *   LIBVA_DOUBLE_FAULTS  a list of faults, "picture:fail" or "picture:crash", and ":once" behind it if it befalls one
 *                          process of the host only. Pictures that are encoded count from 1, for each card, in each
 *                          process. A card that failed stays lost to the process.
 *   LIBVA_DOUBLE_DECODES a list of such faults of decoders; pictures that are decoded count. A card that failed to decode
 *                          decodes nothing any more in the process, and does all else
 *   LIBVA_DOUBLE_LIES    a list of what cards do wrong and do not say: "scaling" (scaled pictures are mirrored) or
 *                          "decoding" (decoded pictures are wrong by one in one place, from the 21st on)
 *   LIBVA_DOUBLE_LACKS   a list of what cards do not have: "processing" (nothing scales there), "decoding" or
 *                          "encoding" (then it decodes Main and High, too)
 */
#ifndef FAIRLEAD_VAAPI_DRIVER_H
#define FAIRLEAD_VAAPI_DRIVER_H

#include "objects.h"

#include <va/va_backend.h>
#include <va/va_backend_vpp.h>

#define NODE(ctx) ((const char *)(ctx)->pDriverData)
#define INVALID(what) (note("misuse: %s", what), VA_STATUS_ERROR_INVALID_PARAMETER)

/* Cards, and what befalls them. */
OWN int card_of(VADriverContextP ctx);
OWN int lost(int card);
OWN int processes(int card);
OWN int mirrors(int card);
OWN int encodes(int card);
OWN int decodes(int card);
OWN int decodes_wrong(int card);

/* A picture is about to be encoded; whether the card fails instead. */
OWN int picture_on(int card);

/* The same of one that is about to be decoded. */
OWN int decoded_on(int card);

/* Pictures in memory that the processor reads and writes. */
OWN void copied(VADriverContextP ctx, const char *direction, unsigned width, unsigned height);
OWN VAStatus image_formats(VADriverContextP ctx, VAImageFormat *list, int *number);
OWN VAStatus derive_image(VADriverContextP ctx, VASurfaceID number, VAImage *image);
OWN VAStatus create_image(VADriverContextP ctx, VAImageFormat *format, int width, int height, VAImage *image);
OWN VAStatus get_image(VADriverContextP ctx, VASurfaceID from, int x, int y, unsigned width, unsigned height,
                       VAImageID into);
OWN VAStatus put_image(VADriverContextP ctx, VASurfaceID into, VAImageID from, int x, int y, unsigned width,
                       unsigned height, int to_x, int to_y, unsigned to_width, unsigned to_height);
OWN VAStatus destroy_image(VADriverContextP ctx, VAImageID number);
OWN VAStatus destroy_buffer(VADriverContextP ctx, VABufferID number);

/* Decoding. */
OWN Decoding *decoding_open(void);
OWN void decoding_close(Decoding *decoding);
OWN void decode_begin(Decoding *decoding);
OWN VAStatus decode_from(Object *context, const Object *buffer);
OWN VAStatus decode(VADriverContextP ctx, VAContextID number, Object *context);

/* Scaling. */
OWN VAStatus process_abilities(VADriverContextP ctx, VAContextID context, VABufferID *filters, unsigned number,
                               VAProcPipelineCaps *abilities);
OWN VAStatus process_from(Object *context, const VAProcPipelineParameterBuffer *what);
OWN VAStatus process(VADriverContextP ctx, VAContextID number, const Object *context);

#endif
