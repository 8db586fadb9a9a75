/*
 * A double of libva-drm.so.2: makes a display of whatever file is opened as a render node, since the kernel of
 * a machine without a GPU has none. The library behind it, libva.so.2, is the system's; the driver is the
 * one beside this file.
 */
#include <stdlib.h>
#include <string.h>
#include <va/va_backend.h>
#include <va/va_drmcommon.h>

#define SHOWN __attribute__((visibility("default")))

static int is_valid(VADisplayContextP display) {
  return display != NULL && display->vadpy_magic == VA_DISPLAY_MAGIC;
}

static void destroy(VADisplayContextP display) {
  free(display->pDriverContext->drm_state);
  free(display->pDriverContext);
  free(display);
}

static VAStatus candidates(VADisplayContextP display, int *number) {
  (void)display;
  *number = 1;
  return VA_STATUS_SUCCESS;
}

static VAStatus driver_by_index(VADisplayContextP display, char **name, int index) {
  (void)display;
  (void)index;
  *name = strdup("fairlead");
  return VA_STATUS_SUCCESS;
}

static VAStatus driver(VADisplayContextP display, char **name) {
  return driver_by_index(display, name, 0);
}

SHOWN VADisplay vaGetDisplayDRM(int file) {
  VADisplayContextP display = calloc(1, sizeof *display);
  VADriverContextP context = calloc(1, sizeof *context);
  struct drm_state *state = calloc(1, sizeof *state);
  if (display == NULL || context == NULL || state == NULL) abort();
  state->fd = file;
  state->auth_type = VA_DRM_AUTH_CUSTOM;
  context->drm_state = state;
  context->display_type = VA_DISPLAY_DRM_RENDERNODES;
  context->pDisplayContext = display;
  display->vadpy_magic = VA_DISPLAY_MAGIC;
  display->pDriverContext = context;
  display->vaIsValid = is_valid;
  display->vaDestroy = destroy;
  display->vaGetDriverName = driver;
  display->vaGetNumCandidates = candidates;
  display->vaGetDriverNameByIndex = driver_by_index;
  return display;
}
