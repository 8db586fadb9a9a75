#!/bin/sh
# Compiles the doubles, with gcc, into the folder that is named: build.sh FOLDER
. "$(dirname -- "$0")/../library.sh"

library libcuda.so.1 books.c cuda.c memory.c scale.c -lm
library libnvidia-encode.so.1 books.c cards.c h264.c nvenc.c pictures.c "$folder/libcuda.so.1"
library libnvcuvid.so.1 books.c nvdec.c software.c "$folder/libcuda.so.1"
