# shellcheck shell=bash
# Part of the lane: what holds when the gateway is gone or does not answer. Each lane writes down the command that it runs, in place,
# so that a full disk does not matter. The warden, which hears of the end of the connection and looks at the time limits, ends such
# commands with their trees. Only builtins and /proc, as in processes.sh.
# The record, in the lane's folder as `running`: `run TAG MODE DEADLINE SINCE NEWEST LANE START LIFE CONNECTION KIND`; instead of `run`
# it says `end` when the command is over, and `off` when it must not begin any more. DEADLINE is in ticks since the machine started,
# 0 = none.

# How often the warden looks at the time limits, in seconds.
look_every=5
declare -A noted=()

# write_record STATE: what this lane runs, before it begins.
write_record() {
  local deadline=0
  ((limit > 0 && now > 0)) && deadline=$((now + limit * 100))
  printf '%s %s %s %s %s %s %s %s %s %s %s\n' "$1" "${tag:--}" "${mode:--}" "$deadline" "${since:-0}" "${last:-0}" "$self" \
    "${self_start:-0}" "${life:--}" "${connection:--}" "${kind:-own}" 1<>"$here/running"
}

# each_record STATE ACTION: calls it for what is written down in this life of the sandbox, with its words in these variables. STATE is
# a pattern. Anything may lie there: nothing is waited for.
# shellcheck disable=SC2053
each_record() {
  local record state tag mode deadline since newest lane lane_start its_life owner kind
  for record in "$channel"/*/running; do
    [[ -f $record && ! -L $record ]] || continue
    read_record "$record"
    [[ $state == $1 && $its_life == "${life:--}" && $tag == +([[:alnum:]_-]) ]] || continue
    [[ $deadline.$since.$newest.$lane.$lane_start == +([0-9]).+([0-9]).+([0-9]).+([0-9]).+([0-9]) ]] || continue
    "$2"
  done
}

# read_record FILE: sets `state` and the words after it. A few bytes, whatever lies there: `read -t` does not bound the reading of a file.
read_record() {
  local line
  local -a fields
  IFS='' read -r -d '' -n 500 line <>"$1"
  set -f
  # shellcheck disable=SC2206
  fields=(${line%%$'\n'*})
  set +f
  state=${fields[0]-} tag=${fields[1]-} mode=${fields[2]-} deadline=${fields[3]-} since=${fields[4]-} newest=${fields[5]-}
  lane=${fields[6]-} lane_start=${fields[7]-} its_life=${fields[8]-} owner=${fields[9]-} kind=${fields[10]-}
}

note_running() { their_tags[$tag]=now; }

# know_declared: sets `their_tags` and `is_others` by what lies in the channel's folder: jobs, what commands left behind, and what
# other lanes run. Without the gateway nobody knows it better.
know_declared() {
  local file one line
  local -a noted_processes=()
  is_others=() their_tags=()
  for file in "$channel"/jobs/* "$channel"/jobs-left/*; do
    [[ ${file##*/} == +([[:alnum:]_]) ]] && their_tags[${file##*/}]=now
    [[ $file == */jobs-left/* && -f $file && ! -L $file ]] || continue
    IFS='' read -r -d '' -n 65536 line <>"$file"
    set -f
    # shellcheck disable=SC2206
    noted_processes=(${line%%$'\n'*})
    set +f
    for one in "${noted_processes[@]}"; do
      [[ $one == +([0-9]):+([0-9]) ]] && is_others[${one%%:*}]=${one#*:}
    done
  done
  each_record run note_running
}

# lane_lives: whether the lane of the record is there.
lane_lives() {
  start_of=()
  read_process "$lane"
  [[ ${start_of[$lane]-} == "$lane_start" ]]
}

# end_recorded: ends the command of the record with its tree, and writes down that it was cut off. A job that was being started is
# not declared yet.
end_recorded() {
  local tag=$tag root=$lane unbegun=''
  know_declared
  unset "their_tags[$tag]"
  lane_lives || root=0
  if [[ $mode == keep ]]; then
    end_kept "$tag" "$root:$since:$newest"
  else
    end_members "$tag" -1 0 0 0 "$root" "$since" "$newest"
  fi
  # Once, although a dying one is found again.
  if [[ $kind == told && ! $unbegun && ! ${noted[$tag]-} ]]; then
    noted[$tag]=1
    printf '%s\n' "$tag" >>"$channel/cut-off"
  fi
  ((root)) || printf end 1<>"$record"
}

# end_kept TAG LANE:SINCE:NEWEST: ends the command of the persistent shell, and that shell. One that has not begun is called off, and
# `unbegun` set.
end_kept() {
  local wanted=$1
  if ! end_current "$@"; then
    each_record run call_off
    # It may have begun just before.
    [[ ${called_off-} != "$1" ]] || end_current "$@" || unbegun=1
  fi
}

call_off() {
  if [[ $tag == "$wanted" ]]; then printf off 1<>"$record" && called_off=$tag; fi
}

end_current() {
  local pid=0 since=0 newest=0 current='' moment=${2#*:}
  [[ -f $channel/shell/current ]] && read -r current since newest <"$channel/shell/current"
  [[ $current == "$1" ]] || return
  [[ -s $channel/shell/pid ]] && read -r pid _ <"$channel/shell/pid"
  end_members "$1" 0 "$pid" "$since" "$newest" "${2%%:*}" "${moment%:*}" "${moment#*:}"
  # It had begun, also when it is found dying.
  return 0
}

end_mine() { if [[ $owner == "$connection" ]]; then end_recorded; fi; }

# end_overdue: what has had its time and more, whoever was to end it.
end_overdue() {
  local now
  read -r now _ </proc/uptime || return
  now=${now/./}
  each_record run end_if_overdue
}

end_if_overdue() { if ((deadline > 0 && now > deadline)); then end_recorded; fi; }

# end_earlier: what an earlier life of the gateway has started: its connections go by a pattern, or their lane is gone.
# shellcheck disable=SC2053
end_earlier() {
  [[ $owner == "$connection" ]] && return
  # Unquoted: a pattern.
  [[ $owner == $earlier ]] || ! lane_lives || return
  [[ $state == run ]] && end_recorded
  # It would wait for requests that nobody sends any more.
  lane_lives && kill -KILL "$lane" && printf end 1<>"$record"
}

# sweep_request: ends what earlier connections left running; the answer says how many commands were cut off since it was last asked.
sweep_request() {
  local earlier=$mode one
  local -a cut=()
  local -A once=()
  each_record '*' end_earlier
  [[ -f $channel/cut-off && ! -L $channel/cut-off ]] && mapfile -t -n 1000 cut <"$channel/cut-off"
  for one in "${cut[@]}"; do once[${one:--}]=1; done
  ((${#cut[@]})) && : >"$channel/cut-off"
  remove_dead
  printf '\x1e%s swept %s\n' "$tag" "${#once[@]}" >&3
}

# remove_dead: the folders of lanes that are gone.
remove_dead() {
  local record state tag mode deadline since newest lane lane_start its_life owner kind
  local -a dead=()
  for record in "$channel"/lane-*/running; do
    [[ -f $record && ! -L $record ]] || continue
    read_record "$record"
    [[ $its_life == "${life:--}" ]] && lane_lives && continue
    dead+=("${record%/running}")
  done
  ((${#dead[@]})) && rm -rf "${dead[@]}"
}

# next_line: sets `line` to the next request; false when there is none any more. What has come of it when the time to look is there
# is kept.
next_line() {
  local piece status
  line=
  while :; do
    IFS='' read -r -t "$look_every" -u 9 piece
    status=$?
    line+=$piece
    ((status == 0)) && return
    ((status > 128)) || return 1
    end_overdue
  done
}

# be_warden: kills what it is told to, until the gateway is gone; then what that one has started.
be_warden() {
  local line
  local -a request
  while next_line; do
    set -f
    # shellcheck disable=SC2206
    request=($line)
    set +f
    verb=${request[0]-} tag=${request[1]-} mode=${request[2]-}
    script_bytes=${request[3]-} cwd_bytes=${request[4]-} input_bytes=${request[5]-}
    "${verb}_request"
  done
  end_connection
}

# end_connection: what the gateway that is gone has started by this connection. A lane may still have a request to read, and begin it.
end_connection() {
  local round waits_for
  for ((round = 0; round < 2000; round++)); do
    waits_for=
    each_record run end_mine
    each_record '*' wait_for_mine
    [[ $waits_for ]] || return
    exec 10<>"$waits_for/rest" && read -r -t 0.005 -u 10
    exec 10>&-
  done
}

wait_for_mine() {
  if [[ $owner == "$connection" ]] && lane_lives; then waits_for=${record%/running}; fi
}
