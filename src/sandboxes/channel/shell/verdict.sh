# shellcheck shell=bash
# Part of the lane and of a background job: how a child ended, and whether memory ran out. `wait` gives 137 for `exit 137` and for a kill alike;
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

# count_oom: sets `oom_count` to the memory kills of this cgroup so far, where the kernel tells.
count_oom() {
  local name count
  oom_count=0
  while read -r name count; do
    [[ $name == oom_kill ]] && oom_count=$count
  done <"${oom_file:-/dev/null}"
}
for oom_file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control ''; do
  [[ -r $oom_file ]] && break
done
