# shellcheck shell=sh
# The last steps on this machine before bubblewrap, where there are any: joins control groups and, in a mount namespace
# of its own, puts folders where the sandbox's user can reach them. Then it becomes the command.
# Arguments: a count and files to join by; a count and pairs of source and place; the command.
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
  shift 2
  count=$((count - 1))
done
exec "$@"
