# shellcheck shell=bash
# Part of the lane and of a background job: how a child ended. `wait` gives 137 for `exit 137` and for a kill alike;
# only the state of the job tells them apart, and that can only be seen from a trap.

# watch_jobs FILE: from now on the states of ending jobs are kept in FILE.
watch_jobs() {
  job_states=$1
  trap 'jobs -l >>"$job_states"' CHLD
}

# judge PID STATUS: sets `verdict` to `exited N` or `signaled N` for the job that has just ended.
judge() {
  local line
  verdict="exited $2"
  (($2 > 128)) || return
  while read -r line; do
    [[ $line == *" $1 "* && $line != *" $1 "@(Exit|Done|Running|Stopped)* ]] && verdict="signaled $(($2 - 128))"
  done <"$job_states"
}
