#!/bin/sh
# Compiles the doubles, with gcc and the headers of libva, into the folder that is named: build.sh FOLDER
. "$(dirname -- "$0")/../library.sh"

library fairlead_drv_video.so driver.c cards.c decode.c images.c objects.c process.c ../nvidia/books.c ../nvidia/h264.c \
  ../nvidia/software.c
# As the true one it brings the system's libva, whose functions it does not call itself.
library libva-drm.so.2 display.c -Wl,--no-as-needed -l:libva.so.2
