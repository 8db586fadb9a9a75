# shellcheck shell=sh
# Sourced by the build.sh of each folder of doubles, which is called with the folder that libraries go to.
set -eu
folder=$1
cd "$(dirname -- "$0")"

# library NAME FILE...: compiles a double with gcc.
library() {
  name=$1
  shift
  # FFmpeg unloads a driver with each encoder; what the driver knows has to outlive that.
  gcc -std=gnu11 -Wall -Wextra -Werror -O2 -g -fPIC -shared -fvisibility=hidden -Wl,-Bsymbolic -pthread \
    -Wl,-z,nodelete "-Wl,-soname,$name" -o "$folder/$name" "$@"
}
