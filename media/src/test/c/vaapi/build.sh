#!/bin/sh
# Compiles the doubles, with gcc and the headers of libva, into the folder that is named: build.sh FOLDER
set -eu
sources=$(dirname -- "$0")
folder=$1

library() {
  name=$1
  shift
  gcc -std=gnu11 -Wall -Wextra -Werror -O2 -g -fPIC -shared -fvisibility=hidden -Wl,-Bsymbolic -pthread \
    -Wl,-z,nodelete "-Wl,-soname,$name" -o "$folder/$name" "$@"
}

cd "$sources"
library fairlead_drv_video.so driver.c objects.c ../nvidia/books.c ../nvidia/h264.c
# As the true one it brings the system's libva, whose functions it does not call itself.
library libva-drm.so.2 display.c -Wl,--no-as-needed -l:libva.so.2
