# shellcheck shell=sh
# The last steps on this machine before bubblewrap, where there are any: joins control groups and, in a mount namespace
# of its own, puts folders where the sandbox's user can reach them. Then it becomes the command.
# Arguments: a count and files to join by; a count and threes of source, place and which file it has to be; the command.
set -e
count=$1
shift
while [ "$count" -gt 0 ]; do
  echo $$ >"$1"
  shift
  count=$((count - 1))
done
count=$1
shift
while [ "$count" -gt 0 ]; do
  mount --no-mtab --bind -- "$1" "$2"
  # Between the check and the mount somebody may have put a link in its place.
  if [ "$(stat -c %d:%i -- "$2")" != "$3" ]; then
    echo "$1 was replaced while the sandbox was started" >&2
    exit 1
  fi
  shift 3
  count=$((count - 1))
done
exec "$@"
