# shellcheck shell=sh
# What the backend's check wants to know. The answer is followed by the version of bash, if there is one, what is
# missing, and whether the home folder can be written to.

answer facts
bash --norc --noprofile -c 'printf "%s.%s" "${BASH_VERSINFO[0]}" "${BASH_VERSINFO[1]}"' 2>/dev/null
printf '\0'
for program in cat dd mkdir mkfifo rm; do
  command -v "$program" >/dev/null 2>&1 || printf '%s ' "$program"
done
printf '\0'
if [ -d "$HOME" ] && [ -w "$HOME" ]; then printf yes; else printf no; fi
printf '\0%s\0' "$HOME"
