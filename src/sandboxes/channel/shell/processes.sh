# shellcheck shell=bash
# Part of the lane: finds the processes of a command, with builtins and /proc only, so that it works while nothing
# can be forked. A process belongs to a command if its environment carries the command's tag, if it is in the
# process group of the command, or if its parent belongs to it. Where the sandbox has process ids of its own, one that
# has cast off all of these belongs to it too: a stray, which came after the command began, has lost its parent, and is
# no other command's or job's.

# More processes than this are a crowd.
crowd=80
declare -A parent_of group_of start_of name_of state_of is_member carried_tags is_others began_of newest_of their_tags is_stray

# read_process PID: puts it into the tables, if it lives.
read_process() {
  local line=
  { read -r -d '' line || [[ $line ]]; } <"/proc/$1/stat" || return
  # The name stands in parentheses and may itself contain anything.
  [[ ${line##*) } =~ ^([^ZX])\ ([0-9]+)\ ([0-9]+)\ ([^\ ]+\ ){16}([0-9]+)\  ]] || return
  parent_of[$1]=${BASH_REMATCH[2]} group_of[$1]=${BASH_REMATCH[3]} start_of[$1]=${BASH_REMATCH[5]}
  state_of[$1]=${BASH_REMATCH[1]}
  line=${line#*\(}
  name_of[$1]=${line%\) *}
}

# read_processes: fills the tables with all living processes.
read_processes() {
  local dir pid parent group name
  parent_of=() group_of=() start_of=() name_of=()
  for dir in /proc/[0-9]*; do read_process "${dir#/proc/}"; done
  [[ -r /proc/loadavg ]] && return
  # No /proc, as on macOS: then a process has to be started after all.
  while read -r pid parent group name; do
    parent_of[$pid]=$parent group_of[$pid]=$group name_of[$pid]=${name##*/}
  done < <(ps -A -o pid= -o ppid= -o pgid= -o comm=)
}

# read_younger LAST: the same for processes made since LAST was the newest. False if there was none.
read_younger() {
  local newest pid
  parent_of=() group_of=() start_of=() name_of=()
  if ! read -r _ _ _ _ newest </proc/loadavg; then
    read_processes
    return 0
  fi
  seen_newest=$newest
  ((newest == $1 && newest >= BASHPID)) && return 1
  # When the numbers have started again from the beginning, any process may be a young one. gVisor gives no number.
  if ((newest < $1 || newest > $1 + 500 || newest < BASHPID)); then
    read_processes
    for pid in "${!parent_of[@]}"; do
      ((pid <= $1 && newest > $1)) && unset "parent_of[$pid]"
    done
    return 0
  fi
  for ((pid = $1 + 1; pid <= newest; pid++)); do
    [[ -e /proc/$pid/stat ]] && read_process "$pid"
  done
  return 0
}

# come_since: whether a process has come since the last look began, as far as that is known: such as one in a chain of
# processes that each start the next and end, which that look has missed.
come_since() {
  local newest
  read -r _ _ _ _ newest </proc/loadavg || return 0
  ((newest != seen_newest))
}

# none_younger: whether the last look found none that lives, and none has come since.
none_younger() {
  ((${#parent_of[@]} == 0)) && ! come_since
}

has_tag() {
  local -a environment=()
  local entry
  mapfile -d '' -t environment <"/proc/$1/environ" || return 1
  for entry in "${environment[@]}"; do
    [[ $entry == "HERMES_COMMAND=$2" ]] && return 0
  done
  return 1
}

# find_members TAG GROUP ROOT LANE: marks the members among the processes read before. GROUP and ROOT 0 stand for none, and
# GROUP -1 for the groups of all that carry the tag. What leads a group below LANE, the lane that runs the command, is
# the command itself, whatever it has become, and `lane_child` is set to it. This shell and its ancestors are never members, whatever they carry.
find_members() {
  local pid grown=1
  local -A groups=()
  is_member=()
  [[ $1 ]] || return
  (($2 > 1)) && groups[$2]=1
  (($3 > 1)) && is_member[$3]=1
  lane_child=0
  for pid in "${!parent_of[@]}"; do
    (($4 > 1 && ${parent_of[$pid]} == $4 && ${group_of[$pid]} == pid)) && is_member[$pid]=1 lane_child=$pid
    if has_tag "$pid" "$1"; then
      is_member[$pid]=1
      (($2 < 0)) && groups[${group_of[$pid]}]=1
    fi
  done
  while ((grown)); do
    grown=0
    for pid in "${!parent_of[@]}"; do
      [[ ${is_member[$pid]-} ]] && continue
      if [[ ${groups[${group_of[$pid]}]-} || ${is_member[${parent_of[$pid]}]-} ]]; then
        is_member[$pid]=1
        grown=1
      fi
    done
  done
  unset 'is_member[1]'
  for ((pid = BASHPID; pid > 1; pid = ${parent_of[$pid]-0})); do unset "is_member[$pid]"; done
}

# is_young PID SINCE LAST: whether it came after the clock tick SINCE, or in that tick and has a number above LAST.
is_young() {
  local start=${start_of[$1]-0}
  ((start > $2 || (start == $2 && $1 > $3)))
}

# hangs PID SINCE LAST TAG: whether it was there before, was started from outside, or descends from one that was or from
# one that is known to be another command's. TAG empty: its kin alone counts, whatever they carry.
hangs() {
  local pid=$1
  while ((pid > 1)); do
    [[ ${is_member[$pid]-} ]] && return 1
    [[ $pid == "${keeper-}" || ${is_others[$pid]-} == "${start_of[$pid]--}" ]] && return 0
    [[ ${start_of[$pid]-} ]] || read_process "$pid" || return 1
    is_young "$pid" "$2" "$3" || return 0
    [[ $4 ]] && tag_of "$pid" && [[ $tag_seen != "$4" ]] && is_known "$tag_seen" "$2" "$3" && return 0
    pid=${parent_of[$pid]}
  done
  ((pid == 0))
}

# tag_of PID: sets `tag_seen` to the tag that it carries; false if it carries none.
tag_of() {
  local -a environment=()
  local entry
  mapfile -d '' -t environment <"/proc/$1/environ" || return 1
  for entry in "${environment[@]}"; do
    [[ $entry == HERMES_COMMAND=* ]] && tag_seen=${entry#*=} && return 0
  done
  return 1
}

# is_known TAG SINCE LAST: whether the gateway says that it is another's. Of an older job it says `job`: that counts while the
# job lives. Anybody can invent a tag, and anything that lies in the sandbox.
is_known() {
  [[ $1 == +([[:alnum:]_]) ]] || return 1
  [[ ${their_tags[$1]-} == now ]] || { [[ ${their_tags[$1]-} == job ]] && is_carried "$@"; }
}

# is_carried TAG SINCE LAST: whether something that is no stray carries it.
is_carried() {
  local dir pid
  if [[ -z ${carried_tags[$1]-} ]]; then
    carried_tags[$1]=no
    for dir in /proc/[0-9]*; do
      pid=${dir#/proc/}
      has_tag "$pid" "$1" && hangs "$pid" "$2" "$3" '' && carried_tags[$1]=yes && break
    done
  fi
  [[ ${carried_tags[$1]} == yes ]]
}

# claim_of PID TAG SINCE LAST: sets `claim` to the tag of another command that a stray, or the nearest of its ancestors, carries,
# with `+` if something that is no stray does so too. Whether that is true, the gateway knows.
claim_of() {
  local pid=${is_stray[$1]:+$1}
  claim=
  while ((pid > 1)); do
    if tag_of "$pid"; then
      [[ $tag_seen != "$2" && $tag_seen == +([[:alnum:]_]) && ${#tag_seen} -le 40 ]] || return
      claim=$tag_seen
      is_carried "$claim" "$3" "$4" && claim+=+
      return
    fi
    pid=${parent_of[$pid]-0}
  done
}

# find_strays TAG SINCE LAST: marks the strays among the processes read before as members too. False if there are none.
find_strays() {
  local pid keeper=
  is_stray=()
  [[ $own_processes && $1 ]] && (($2 > 0)) || return
  carried_tags=()
  [[ -s $channel/shell/keeper ]] && read -r keeper _ <"$channel/shell/keeper"
  for pid in "${!parent_of[@]}"; do
    [[ ${is_member[$pid]-} ]] || ! is_young "$pid" "$2" "$3" || hangs "$pid" "$2" "$3" "$1" || is_stray[$pid]=1
  done
  for pid in "${!is_stray[@]}"; do is_member[$pid]=1; done
  for ((pid = BASHPID; pid > 1; pid = ${parent_of[$pid]-0})); do unset "is_member[$pid]"; done
  ((${#is_stray[@]} > 0))
}

# left_behind TAG GROUP ROOT LAST: sets `left` to `pid:start:name:claim,...` of what is alive although the command has ended;
# the start, in clock ticks, tells it from a later process of that number. One that is to be a stray may be on its way from one
# process to the next, as under `setsid -f`; so it is looked at until it is the same, and rests, some times in a row.
left_behind() {
  local pid look same=0 before='' has_strays='' is_busy claim
  for ((look = 0; look < (${has_strays:-0} ? 40 : 20) && same < 3; look++)); do
    left='' has_strays='' is_busy=''
    read_younger "$4" || return
    find_members "$1" "$2" "$3" 0
    find_strays "$1" "$since" "$4" && has_strays=1
    unset "is_member[$3]"
    for pid in "${!is_member[@]}"; do
      claim_of "$pid" "$1" "$since" "$4"
      left+=${left:+,}$pid:${start_of[$pid]-0}:${name_of[$pid]//[^[:alnum:]._+-]/?}${claim:+:$claim}
      [[ ${state_of[$pid]-} == [RD] ]] && is_busy=1
    done
    if [[ ! $has_strays && ! ($own_processes && $is_busy) ]]; then
      if [[ -z $own_processes ]] || ! come_since; then return; fi
      continue
    fi
    ((${#is_member[@]} < 10)) || return
    if [[ $left == "$before" && -z $is_busy ]]; then same=$((same + 1)); else same=0; fi
    before=$left
    rest_a_moment
  done
}

# rest_a_moment: without a fork, which may be just what cannot be done; nobody writes into that pipe.
rest_a_moment() {
  exec 10<>"$here/rest"
  read -r -t 0.005 -u 10
  exec 10>&-
}

# end_members TAG GROUP ROOT OLDEST LAST LANE SINCE NEWEST: stops what it finds, so that nothing slips away by forking, until
# a round finds nothing new; then kills. What is older, but for ROOT, is spared with all its children. Strays are those that
# came after SINCE and NEWEST, - = after the oldest that carries the tag, 0 = after the command began, as far as that can be
# seen. In a crowd, such as a fork bomb, this shell would hardly have its turn: there everything is stopped at once, and goes
# on when the members are dead.
end_members() {
  local round pid new strays_since=$7 strays_newest=$8 frozen='' lane_child=0
  local -A stopped=() is_told=()
  local -a all=(/proc/[0-9]*)
  [[ $own_processes ]] && ((${#all[@]} > crowd)) && frozen=1
  for ((round = 0; round < 50; round++)); do
    [[ $frozen ]] && kill -STOP -- -1
    read_processes
    find_members "$1" "$2" "$3" "$6"
    [[ $strays_since == - ]] && oldest_member
    if ((strays_since == 0 && lane_child > 0)); then
      strays_since=${start_of[$lane_child]-0} strays_newest=$lane_child
    fi
    if ((strays_since == 0)); then strays_since=$4 strays_newest=$5; fi
    # It may be asked for again when the command itself is dead.
    if ((strays_since == 0)); then strays_since=${began_of[$1]-0} strays_newest=${newest_of[$1]-0}; fi
    began_of=([$1]=$strays_since) newest_of=([$1]=$strays_newest)
    find_strays "$1" "$strays_since" "$strays_newest"
    new=0
    for pid in "${!is_member[@]}"; do
      [[ ${stopped[$pid]-} ]] && continue
      is_spared "$pid" "$3" "$4" "$5" && continue
      if is_sudo "$pid"; then
        [[ ${is_told[$pid]-} ]] || kill -TERM "$pid"
        is_told[$pid]=1
        continue
      fi
      [[ $frozen ]] || kill -STOP "$pid"
      stopped[$pid]=1
      new=1
    done
    ((new)) || break
  done
  # ROOT last: with it goes the last tie of its group to the session, and while any of the group were still stopped,
  # the kernel would hang up on all of it, the spared too.
  for pid in "${!stopped[@]}"; do ((pid == $3)) || kill -KILL "$pid"; done
  [[ $frozen ]] && kill -CONT -- -1
  if [[ ${stopped[$3]-} ]]; then kill -KILL "$3"; fi
}

# oldest_member: sets `strays_since` and `strays_newest` to the start of the oldest member, or 0.
oldest_member() {
  local pid
  strays_since=0 strays_newest=0
  for pid in "${!is_member[@]}"; do
    if ((strays_since == 0)) || ! is_young "$pid" "$strays_since" "$strays_newest"; then
      strays_since=${start_of[$pid]-0} strays_newest=$pid
    fi
  done
}

# end_processes PID:START,...: kills these, if they are still the same.
end_processes() {
  local one pid
  for one in ${1//,/ }; do
    pid=${one%%:*}
    start_of=()
    read_process "$pid"
    [[ ${one#*:} == "${start_of[$pid]-0}" ]] || continue
    if is_sudo "$pid"; then kill -TERM "$pid"; else kill -KILL "$pid"; fi
  done
}

# is_sudo PID: whether it is sudo, or another program with rights that its user has not: real and effective user differ. Only it can
# end what it has started, and it does when it is asked to; killed, it would leave that running.
is_sudo() {
  local name real effective
  ((EUID > 0)) || return
  while read -r name real effective _; do
    [[ $name == Uid: ]] || continue
    ((real == EUID && effective != EUID))
    return
  done <"/proc/$1/status"
  return 1
}

# is_spared PID ROOT OLDEST LAST: whether it, or an ancestor of it below ROOT, was there before: it started before the
# clock tick OLDEST, or in that tick and has a number up to LAST.
is_spared() {
  local pid=$1 line
  (($3 > 0)) || return 1
  while ((pid != $2)) && [[ ${is_member[$pid]-} ]]; do
    line=
    { read -r -d '' line || [[ $line ]]; } <"/proc/$pid/stat" || return 0
    [[ ${line##*) } =~ ^[^\ ]+\ ([0-9]+)\ ([^\ ]+\ ){17}([0-9]+)\  ]] || return 0
    ((BASH_REMATCH[3] < $3 || (BASH_REMATCH[3] == $3 && pid <= $4))) && return 0
    pid=${BASH_REMATCH[1]}
  done
  return 1
}
