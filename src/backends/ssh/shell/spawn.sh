# shellcheck shell=sh
# Starts a program in a sandbox once the gateway has heard that it can. Arguments: the sandbox's folder, where to start,
# then the program and its arguments. The process id in the answer is that of the program's group.

folder=$1 start=$2
shift 2
if [ ! -f "$folder/label.json" ]; then
  answer gone
elif ! cd -- "$start" 2>/dev/null; then
  answer nocwd
elif ! command -v "$1" >/dev/null 2>&1; then
  answer missing
else
  # What startup files printed there is not the program's either.
  printf '\n%s\n' "$nonce" >&2
  answer "ready $$"
  # If the connection ends here, nothing was started, and it may be tried again.
  read -r word && [ "$word" = go ] || exit 1
  # ssh tells no signals: this shell does, as 128 and the number. What it would say about it is nobody's output.
  exec 3>&2 2>/dev/null
  "$@" 2>&3 3>&-
  exit $?
fi
