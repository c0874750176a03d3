# shellcheck shell=bash
# Part of the lane and of a background job: runs a command for which sudo has been given its password. sudo alone reads the
# password, from descriptor 10 and before anything of the command's own runs.

# find_system PROGRAM: sets `found` to the system's own, which the user of this shell can neither change nor replace.
find_system() {
  local folder
  for folder in /usr/bin /bin /usr/local/bin /run/wrappers/bin; do
    found=$folder/$1
    [[ -x $found && ! -O $found && ! -w $found && ! -w $folder ]] && return
  done
  return 1
}

# Arguments: SHELL as it was, sudo, and what to run. sudo asks again where it has seen neither this terminal nor this parent, so
# the shell that has given the password becomes the command.
# shellcheck disable=SC2016
after_password='if [[ $1 ]]; then export SHELL=$1; else unset SHELL; fi
{ : >&13; } 2>/dev/null && exec <&11 >&12 2>&13 11<&- 12>&- 13>&-
"$2" -S -v -p "" <&10 >/dev/null || {
  printf "sudo did not accept the password that is set; nothing was run.\n" >&2
  exit 126
}
exec 10<&- "${@:3}"'

# exec_with_sudo COMMAND...: becomes the command, under a terminal that it knows nothing of where one can be had: sudo remembers
# by terminal, for all that the command starts in turn; elsewhere for what the command itself starts. Whoever needs no
# sudo, or has none, simply becomes the command.
exec_with_sudo() {
  local program
  local -a inner
  if ((EUID == 0)) || ! find_system sudo; then exec 10<&- "$@"; fi
  program=$found
  # Never a question where nobody sees it.
  # shellcheck disable=SC2317
  sudo() { command sudo -n "$@"; }
  export -f sudo
  inner=("$BASH" --norc --noprofile -c "$after_password" bash "${SHELL-}" "$program" "$@")
  if find_system script && [[ $("$found" --version 2>/dev/null) == *util-linux* ]]; then
    exec 11<&0 12>&1 13>&2
    # With an input that has not ended, some versions of script forget how the command did.
    SHELL=$BASH exec "$found" -qefc "${inner[*]@Q}" /dev/null </dev/null >/dev/null 2>&1
  fi
  exec "${inner[@]}"
}
