#!/bin/sh
# Compiles the doubles, with gcc, into the folder that is named: build.sh FOLDER
set -eu
sources=$(dirname -- "$0")
folder=$1

library() {
  name=$1
  shift
  # FFmpeg unloads the driver with each encoder; what it knows has to outlive that.
  gcc -std=gnu11 -Wall -Wextra -Werror -O2 -g -fPIC -shared -fvisibility=hidden -Wl,-Bsymbolic -pthread \
    -Wl,-z,nodelete "-Wl,-soname,$name" -o "$folder/$name" "$@"
}

cd "$sources"
library libcuda.so.1 books.c cuda.c memory.c scale.c -lm
library libnvidia-encode.so.1 books.c cards.c h264.c nvenc.c pictures.c "$folder/libcuda.so.1"
