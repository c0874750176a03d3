# shellcheck shell=sh
# Prints the labels of all sandboxes of this account, each followed by a NUL.

answer labels
for label in "$root"/*/label.json; do
  [ -f "$label" ] || continue
  cat "$label"
  printf '\0'
done
