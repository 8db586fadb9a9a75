# shellcheck shell=bash
# Finds a JDK. Sourced by ./fairlead and ./verify; written for bash 3.2 and later.

# jdk_find MINIMUM
#   Sets jdk_home and jdk_version to the first JDK of at least version MINIMUM: JAVA_HOME, the java
#   on the PATH, then the usual places. Returns 1 if there is none; jdk_report then says what was seen.
#   Versions are read from the JDK's own "release" file; java is started only where that is missing.
jdk_find() {
  local minimum=$1 java home
  jdk_home='' jdk_version='' jdk_seen=''
  if [[ -n ${JAVA_HOME-} ]]; then
    if jdk_take "$minimum" "$JAVA_HOME" || jdk_ask "$minimum" "$JAVA_HOME/bin/java"; then
      return 0
    fi
    jdk_saw "JAVA_HOME: $JAVA_HOME"
  fi
  if java=$(type -P java); then
    home=$(readlink -f -- "$java")
    if jdk_take "$minimum" "${home%/bin/java}" || jdk_ask "$minimum" "$java"; then
      return 0
    fi
    jdk_saw "java on the PATH: $java"
  fi
  for home in /usr/lib/jvm/* /opt/*jdk* "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if jdk_take "$minimum" "$home"; then
      return 0
    fi
    if [[ -n $jdk_version && ! -L $home ]]; then
      jdk_saw "$home"
    fi
  done
  return 1
}

# jdk_report MINIMUM
#   Explains a failed jdk_find.
jdk_report() {
  echo "Fairlead needs a JDK of version $1 or newer, and none was found."
  if [[ -n $jdk_seen ]]; then
    echo "Seen, but too old or without a compiler (javac):"
    printf '%s' "$jdk_seen"
  fi
  echo "Searched: JAVA_HOME, the PATH, /usr/lib/jvm, /opt/*jdk*, ~/.sdkman/candidates/java, ~/.jdks,"
  echo "  /Library/Java/JavaVirtualMachines."
  echo "Install a JDK $1 with your package manager, or set JAVA_HOME to the directory of one."
}

# Takes the JDK in directory $2 if its release file says that it is of version $1 or newer.
jdk_take() {
  local line
  jdk_version=''
  [[ -r $2/release ]] || return 1
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line == JAVA_VERSION=* ]]; then
      line=${line#*=}
      jdk_version=${line//[\"$'\r']/}
      break
    fi
  done <"$2/release"
  jdk_accept "$1" "$2"
}

# The same for a java without a release file beside it, such as a shim: asks it where its JDK is.
jdk_ask() {
  local home='' line
  [[ -z $jdk_version && -x $2 ]] || return 1
  while IFS= read -r line; do
    case $line in
      *java.home\ =\ *) home=${line#*= } ;;
      *java.version\ =\ *) jdk_version=${line#*= } ;;
    esac
  done < <("$2" -XshowSettings:properties -version 2>&1)
  jdk_accept "$1" "$home"
}

jdk_accept() {
  local major=${jdk_version%%[!0-9]*}
  if [[ -n $major ]] && ((10#$major >= $1)) && [[ -x $2/bin/java && -x $2/bin/javac ]]; then
    # shellcheck disable=SC2034 # for the caller
    jdk_home=$2
    return 0
  fi
  return 1
}

jdk_saw() {
  jdk_seen+="  $1 (version ${jdk_version:-unknown})"$'\n'
}
