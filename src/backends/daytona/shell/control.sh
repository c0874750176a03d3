# shellcheck shell=sh disable=SC2154
# Starts the program, passes its input on, and tells how it goes, a line for each piece of news. Variables: start, the folder
# to start in; the program and its arguments are the positional parameters. Input comes as `l` and a line, `p` and a part of
# one, or `i`, a number, and so many bytes on the next line; `e` is its end.

# Nothing starts before both pumps are there. The pipes stay open here: what is written into them at last ends them for the
# gateway, whoever else has them.
exec 6<&0 7>"$dir/out" 9>"$dir/err" 2>/dev/null
if ! cd -- "$start" 2>/dev/null; then
  printf 'nocwd\n'
  read -r _
elif ! command -v "$1" >/dev/null 2>&1; then
  printf 'missing\n'
  read -r _
else
  {
    # A program that reads no more is no reason to stop listening.
    trap '' PIPE
    while IFS= read -r line; do
      rest=${line#?}
      case $line in
      l*) printf '%s\n' "$rest" >&3 ;;
      p*) printf '%s' "$rest" >&3 ;;
      i*)
        dd bs="$rest" count=1 iflag=fullblock >&3
        printf 'taken %s\n' "$rest"
        ;;
      e) exec 3>&- ;;
      # The mark of the end, which nobody here knew while the program ran.
      m*)
        printf '%s' "$rest" >&7
        printf '%s' "$rest" >&9
        ;;
      q) break ;;
      esac
    done
  } <&6 3>"$dir/in" &
  reader=$!
  # Not in the background, where a shell lets programs ignore interrupts; in parentheses, so that what this shell says about
  # its end does not go where its own words go. The terminal is none of its business.
  (exec sh -c 'umask "$1"
shift
printf "ready %s\n" "$$" >&8
exec 8>&-
if command -v setsid >/dev/null 2>&1; then exec setsid "$@"; else exec "$@"; fi' hermes "$mask" "$@") \
    8>&1 <"$dir/in" >"$dir/out" 2>"$dir/err" 6<&- 7>&- 9>&-
  printf 'exit %s\n' "$?"
  wait "$reader"
fi
rm -rf "$dir"
