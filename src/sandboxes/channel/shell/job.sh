# shellcheck shell=bash
# A background job: keeps its command's input open, its log short and its end on record, whoever watches or not.
# Arguments: the job's folder, which holds the command, the job's tag, the folder to start in.

job=$1
export HERMES_COMMAND=$2
cd "$3" || exit
mkfifo "$job/input" "$job/output" "$job/alive"
# Whoever waits for the job reads from `alive` and sees it close when this shell has ended.
exec 3<>"$job/input" 8<>"$job/alive"

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
