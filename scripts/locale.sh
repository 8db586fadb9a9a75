# shellcheck shell=bash
# Lets file names have any letters. Sourced by ./fairlead.
#
# A JVM takes names of files in the encoding of the locale. In the plain "C" locale, which cron and
# systemd give, that is ASCII, and a name with another letter could not even be said.
case ${LC_ALL:-${LC_CTYPE:-${LANG-}}} in
*[Uu][Tt][Ff]-8* | *[Uu][Tt][Ff]8*) ;;
*) export LC_ALL=C.UTF-8 ;;
esac
