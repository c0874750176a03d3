# shellcheck shell=sh
# Makes the folder of a sandbox, whole or not at all. Arguments: its name, the label, the folder to start in or nothing.
# The answer is followed by the folder and the place to start in.

name=$1 label=$2
case $3 in
'' | [~]) start=$HOME ;;
[~]/*) start=$HOME/${3#??} ;;
/*) start=$3 ;;
*) start=$HOME/$3 ;;
esac
if ! start=$(cd -- "$start" 2>/dev/null && pwd); then
  answer nocwd
  exit 0
fi
# The answer to the first attempt may have been lost on its way.
if [ "$(cat "$root/$name/label.json" 2>/dev/null)" = "$label" ]; then
  answer made
  printf '%s\0%s\0' "$root/$name" "$start"
  exit 0
fi
umask 077
made=$root/.new-$name
# A sandbox that ends at the same moment takes the empty parent folder away.
if ! { mkdir -p "$made" || mkdir -p "$made"; } 2>/dev/null ||
  ! { printf '%s' "$label" >"$made/label.json" && printf '%s' "$start" >"$made/start"; } 2>/dev/null; then
  rm -rf "$made"
  answer refused
  printf '%s' "$root"
  exit 0
fi
if [ -e "$root/$name" ] || ! mv "$made" "$root/$name"; then
  rm -rf "$made"
  answer taken
  exit 0
fi
answer made
printf '%s\0%s\0' "$root/$name" "$start"
