# shellcheck shell=bash
# A background job: keeps its command's input open, its log short and its end on record, whoever watches or not.
# Arguments: the job's folder, which holds the command, the job's tag, the folder to start in, `sudo` if the password for it comes
# on descriptor 10, and the way to call `script` if the command gets a terminal.

job=$1
export HERMES_COMMAND=$2
cd "$3" || exit
mkfifo "$job/input" "$job/output" "$job/alive"
# Whoever waits for the job reads from `alive` and sees it close when this shell has ended.
exec 3<>"$job/input" 8<>"$job/alive"

# What runs under the terminal: arguments are SHELL as it was, sudo if it is to be given its password, and the job's folder. How
# the command ended goes into a file, because not every `script` tells it. Ctrl-C is for the command alone.
# shellcheck disable=SC2016
under_terminal='if [[ $1 ]]; then export SHELL=$1; else unset SHELL; fi
stty rows 24 cols 80 2>/dev/null
[[ ${TERM:-dumb} != dumb ]] || export TERM=xterm
trap : INT QUIT
status=126
if [[ -z $2 ]] || "$2" -S -v -p "" <&10 >/dev/null; then
  exec 10<&-
  bash "$3/command"
  status=$?
fi
printf "exited %s\n" "$status" >"$3/status"'

# exec_in_terminal WAY: becomes the command under a terminal of its own. Its input stays open, so that Ctrl-D has to be written.
exec_in_terminal() {
  local program=''
  local -a inner
  [[ $1 != sudo ]] || ((EUID == 0)) || ! find_system sudo || program=$found
  inner=("$BASH" --norc --noprofile -c "$under_terminal" bash "${SHELL-}" "$program" "$job")
  export SHELL=$BASH
  if [[ $2 == bsd ]]; then exec script -q /dev/null "${inner[@]}"; fi
  exec script -q -f -c "${inner[*]@Q}" /dev/null
}

# The log is two files by turns: when one has grown past 200 KB, the other begins anew. What comes is written as it
# comes; a few reads at a time, so that the size is looked at often enough.
keep_log() {
  local turn=0 before=0 size
  while dd bs=65536 count=16 >>"$job/log.$turn"; do
    size=$(wc -c <"$job/log.$turn")
    ((size > before)) || break
    before=$size
    if ((size > 204800)); then
      turn=$((1 - turn)) before=0
      : >"$job/log.$turn"
      printf '%s\n' "$turn" >"$job/turn"
    fi
  done
}
keep_log <"$job/output" 3>&- 8>&- 10<&- &

watch_jobs "$job/states"
count_oom
oom_before=$oom_count
printf '%s\n' $$ >"$job/pid"
set -m
(
  exec 3>&- 8>&-
  [[ $5 == - ]] || exec_in_terminal "$4" "$5"
  [[ $4 != sudo ]] || exec_with_sudo bash "$job/command"
  exec bash "$job/command"
) <&3 >"$job/output" 2>&1 &
pid=$!
set +m
exec 10<&-
wait "$pid"
judge "$pid" $?
[[ -s $job/status ]] && read -r verdict <"$job/status"
count_oom
printf '%s %s\n' "$verdict" $((oom_count > oom_before)) >"$job/ending" && mv "$job/ending" "$job/ended"
