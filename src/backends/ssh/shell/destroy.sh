# shellcheck shell=sh
# Ends all processes of a sandbox and removes its folder. Arguments: name, id, the text of end-processes.sh, then the
# process groups that the gateway knows of.

name=$1 id=$2 ending=$3
shift 3
# Without its label nothing new is started in it.
rm -f "$root/$name/label.json"
if command -v bash >/dev/null 2>&1 && [ -r /proc/self/environ ]; then
  bash --norc --noprofile -c "$ending" hermes-end "HERMES_SANDBOX=$id" >/dev/null 2>&1
else
  for dir in /proc/[0-9]*; do
    tr '\0' '\n' 2>/dev/null <"$dir/environ" | grep -qx "HERMES_SANDBOX=$id" && kill -KILL "${dir#/proc/}"
  done 2>/dev/null
  for group in "$@"; do kill -s KILL -- "-$group" 2>/dev/null; done
fi
rm -rf "${root:?}/.new-$name" "${root:?}/$name" 2>/dev/null
if [ -e "$root/$name" ]; then
  chmod -R u+rwx "$root/$name" 2>/dev/null
  rm -rf "${root:?}/$name"
fi
rmdir "$root" 2>/dev/null
if [ -e "$root/$name" ]; then
  answer refused
  printf '%s' "$root/$name"
else
  answer destroyed
fi
