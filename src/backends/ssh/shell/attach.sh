# shellcheck shell=sh
# Tells whether a sandbox is there. Argument: its name. The answer is followed by the folder and the place to start in.

if [ -f "$root/$1/label.json" ] && [ -O "$root/$1/label.json" ]; then
  answer found
  printf '%s\0' "$root/$1"
  cat "$root/$1/start"
  printf '\0'
else
  answer gone
fi
