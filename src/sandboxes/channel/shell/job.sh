# shellcheck shell=bash
# A background job: keeps its command's input open, its log short and its end on record, whoever watches or not.
# Arguments: the job's folder, which holds the command, the job's tag, the folder to start in.

job=$1
export HERMES_COMMAND=$2
cd "$3" || exit
mkfifo "$job/input" "$job/output" "$job/alive"
# Whoever waits for the job reads from `alive` and sees it close when this shell has ended.
exec 3<>"$job/input" 8<>"$job/alive"

# The log is two files by turns, each of at most 50 reads of 4 KiB: what is older is gone.
keep_log() {
  local turn=0
  while dd bs=4096 count=50 of="$job/log.$turn" && [[ -s $job/log.$turn ]]; do
    turn=$((1 - turn))
    printf '%s\n' "$turn" >"$job/turn"
  done
}
keep_log <"$job/output" 3>&- 8>&- &

watch_jobs "$job/states"
printf '%s\n' $$ >"$job/pid"
set -m
bash "$job/command" <&3 >"$job/output" 2>&1 3>&- 8>&- &
pid=$!
set +m
wait "$pid"
judge "$pid" $?
printf '%s\n' "$verdict" >"$job/ending" && mv "$job/ending" "$job/ended"
