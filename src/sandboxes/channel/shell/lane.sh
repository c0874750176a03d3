# shellcheck shell=bash
# The lane: a long-lived bash in the sandbox that runs one command at a time and never evaluates user code itself.
# docs/shell-channel.md describes the protocol. Arguments: HELLO, the lane's own folder, the channel's folder, `own` if the sandbox has
# process ids of its own, and the name of the gateway's connection.
# The text of persistent.sh is in $parts_persistent.

hello=$1 here=$2 channel=$3 own_processes=${4#-} connection=$5 pump_out=0 pump_err=0
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  printf '%s old %s\n' "$hello" "$BASH_VERSION"
  exit 1
fi

# Bytes, not characters, without changing the locale of the commands.
[[ -v LC_ALL ]] && their_locale=$LC_ALL
unset LC_ALL
LC_ALL=C
while read -r name their_umask && [[ $name != Umask: ]]; do :; done </proc/self/status
[[ $their_umask ]] || their_umask=$(umask)

exec 9<&0 3>&1 4>&2 </dev/null >/dev/null 2>/dev/null
umask 077
# Its own folder with its pipes: for output, errors, and to rest at. A lane that only ever kills needs none, and one that the backend has ready saves the
# time of two programs; whoever makes the file `taken` has it.
set -C
if [[ $here == */warden-* ]]; then
  :
elif [[ -p $channel/ready/err ]] && : >"$channel/ready/taken"; then
  here=$channel/ready
elif ! { mkdir -p "$channel" "$here" && mkfifo "$here/rest" "$here/out" "$here/err"; }; then
  printf '%s refused %s\n' "$hello" "$here" >&3
  exit 1
fi
set +C

# When process 1 was started. After a restart of the sandbox, numbers of processes that were written down stand for others.
read_process 1
life=${start_of[1]-}
# Where processes of the gateway are children of process 1, or the clock is not the one that starts are told by, strays could
# not be told from others.
self=$BASHPID
read_process "$self"
self_start=${start_of[$self]-0}
# What it runs stands there: made now, because later the disk may be full.
[[ $here == */warden-* ]] || write_record end
{ read -r uptime _ </proc/uptime && ((${uptime/./} >= ${start_of[$self]-0} && ${parent_of[$self]-1} != 1)); } || own_processes=

# Only of the command itself does the end matter.
watch_jobs /dev/null
trap '' PIPE

# start_pumps: what a command writes goes through pipes of its own. A pump ends when nobody else holds its pipe. All ends are
# opened here, both ways first, so that nothing waits at a name: a pump that did, for a pipe that somebody has removed, would
# hold this lane's output for ever.
start_pumps() {
  # Without them somebody has removed the sandbox's folder: this lane cannot tell the truth any more.
  [[ -p $here/out && -p $here/err ]] || exit
  exec 5<>"$here/out" 6<>"$here/err"
  exec 7<"$here/out" 8<"$here/err"
  exec 5>"$here/out" 6>"$here/err"
  # Removed in between: then these may be files.
  [[ -p $here/out && -p $here/err ]] || exit
  cat <&7 >&3 3>&- 4>&- 5>&- 6>&- 7<&- 8<&- 9<&- &
  pump_out=$!
  cat <&8 >&4 3>&- 4>&- 5>&- 6>&- 7<&- 8<&- 9<&- &
  pump_err=$!
  exec 7<&- 8<&-
}

# finish NONCE WORDS: the end mark goes through the same pipes, so that all output stands before it. Pipes that nobody
# else holds serve the next command too. Otherwise they are left to those who do, and its pumps are started at once,
# while nobody waits for them.
finish() {
  local words="$2 ${unshared:--}"
  printf '%s %s\n' "$1" "$words" >&5 || printf '%s %s\n' "$1" "$words" >&3
  printf '%s\n' "$1" >&6 || printf '%s\n' "$1" >&4
  [[ $unshared ]] && return
  exec 5>&- 6>&-
  wait "$pump_out" "$pump_err"
  start_pumps
  printf '%s ready\n' "$1" >&3
}

# restore_theirs: what this shell has changed for itself only.
restore_theirs() {
  umask "$their_umask"
  unset LC_ALL
  [[ -v their_locale ]] && export LC_ALL=$their_locale
}

# latest_state: sets `latest` to the file with the last state of the persistent shell, if there is any.
latest_state() {
  local number
  latest=
  [[ -s $channel/saved ]] && read -r number <"$channel/saved" && latest=$channel/state.$((number % 2))
}

# What stands between a new bash and a command that wants the state of the persistent shell. Arguments: the state, the
# command's tag, the folder if it is to be another one, and what to run.
# shellcheck disable=SC2016
in_state='. "$1" 2>/dev/null || [[ $3 ]] || exit 126
unset -f builtin
[[ -z $3 ]] || builtin cd -- "$3" || exit 126
builtin export HERMES_COMMAND=$2
builtin exec "${@:4}"'

# run_once: the command in a new bash, in a process group of its own.
run_once() {
  local pid
  local -a run=("$BASH")
  [[ $mode == state ]] && latest_state && run+=(--norc --noprofile -c "$in_state" bash "$latest" "$tag" "$cwd" "$BASH")
  job_states=$here/jobs
  : >"$job_states"
  set -m
  (
    trap - PIPE CHLD
    restore_theirs
    # Should memory run out, the command goes and this shell stays.
    printf 500 >/proc/self/oom_score_adj
    # shellcheck disable=SC2030
    export HERMES_COMMAND=$tag
    [[ -z $cwd ]] || cd -- "$cwd" || exit 126
    exec 2>&6 6>&-
    # The password goes through a pipe: it stands in no argument, no variable that is handed on and no file.
    [[ $secret ]] && exec 10< <(printf '%s\n' "$secret")
    [[ $secret_use == sudo ]] || ((${#script} >= 100000)) || exec "${run[@]}" -c "$script"
    printf '%s' "$script" >"$here/script" || exit
    [[ $secret_use != sudo ]] || exec_with_sudo "${run[@]}" "$here/script"
    exec "${run[@]}" "$here/script"
  ) <"$input" >&5 3>&- 4>&- 5>&- 9<&- &
  pid=$!
  set +m
  wait "$pid"
  judge "$pid" $?
  job_states=/dev/null
  left_behind "$tag" "$pid" "$pid" "$last"
  none_younger && unshared=ready
}

# start_shell: the persistent shell, in a folder of its own that any lane can use, under a keeper that reports how it
# ended and during which command.
start_shell() {
  local home=$channel/shell file latest
  rm -rf "$home"
  mkdir "$home" && mkfifo "$home/request" "$home/answer"
  # Made here, because the shell itself writes them under whatever umask its user has chosen.
  for file in traps saved state.0 state.1 shell/current; do : >>"$channel/$file"; done
  latest_state
  # In a group of its own and nobody's child: it outlives this lane, whoever ends that with all that belongs to it.
  (
    set -m
    (
      watch_jobs "$home/jobs"
      printf '%s %s\n' "$BASHPID" "$life" >"$home/keeper"
      exec 8<>"$home/answer"
      set -m
      (
        trap - PIPE CHLD
        # Before it can answer: without its number it would count as something that the command has left running.
        printf '%s %s\n' "$BASHPID" "$life" >"$home/pid"
        restore_theirs
        # shellcheck disable=SC2031
        export HERMES_COMMAND=$tag
        # shellcheck disable=SC2154
        exec "$BASH" --norc --noprofile -c "$parts_persistent" bash "$channel" "$latest"
      ) 8>&- &
      pid=$!
      set +m
      wait "$pid"
      judge "$pid" $?
      rm -f "$home/pid"
      read -r during _ <"$home/current"
      printf 'ended %s %s\n' "${during:--}" "$verdict" >&8
    ) 3>&- 4>&- 5>&- 6>&- 9<&- &
  )
}

# lives NAME: whether the process whose id is in that file of the shell's folder is alive.
lives() {
  local pid since
  [[ -s $channel/shell/$1 ]] && read -r pid since <"$channel/shell/$1" && [[ $since == "$life" ]] && kill -0 "$pid"
}

# run_kept: the command in the persistent shell. If the shell ends with it, its own end is the command's. If it had
# ended before, nothing was run, and a new one gets the command.
run_kept() {
  local home=$channel/shell word='' during='' pid=0 attempt text=shell/request
  # A short command goes the way of the request, a long one through a file.
  if ((${#script} > 1000)); then
    text=${here##*/}/script
    printf '%s\0%s\0' "$cwd" "$script" >"$here/script" || exit
  fi
  for attempt in 1 2; do
    if ((attempt == 2)) || ! { lives pid && lives keeper; }; then start_shell; fi
    # Without its folder nothing can be told any more.
    [[ -p $home/request && -p $home/answer ]] || exit
    exec 7<>"$home/request" 8<>"$home/answer"
    printf '%s %s %s\n' "$tag" "${here##*/}" "$text" >&7
    [[ $text == shell/request ]] && printf '%s\0%s\0' "$cwd" "$script" >&7
    # A shell that ends is reported by its keeper; once in a while, whether there still is anybody to report.
    while :; do
      if read -r -t 2 -u 8 word during verdict; then
        # Of a command that was called off, whose lane is gone.
        [[ $word == 'done' && $during != "$tag" ]] || break
      else
        lives pid || lives keeper || { word=lost during=$tag verdict='lost 0' && break; }
      fi
    done
    exec 7>&- 8>&-
    [[ $during == "$tag" ]] && break
  done
  [[ $word == 'done' ]] || shell=ended
  [[ -s $home/pid ]] && read -r pid _ <"$home/pid"
  left_behind "$tag" 0 "$pid" "$last"
  none_younger && ! keeps_pipes "$pid" && unshared=ready
}

# keeps_pipes PID: whether it still has one of this lane's pipes open, as after `exec 7>&1`.
keeps_pipes() {
  local fd
  for fd in "/proc/$1/fd/"*; do
    [[ $fd -ef $here/out || $fd -ef $here/err ]] && return 0
  done
  return 1
}

# receive COUNT: that many raw bytes of the request stream, to standard output.
receive() {
  (($1 < 65536)) || dd bs=65536 count=$(($1 / 65536)) iflag=fullblock <&9
  (($1 % 65536 == 0)) || dd bs=$(($1 % 65536)) count=1 iflag=fullblock <&9
}

# run_request: one command, from its bytes to its end mark. With it may come the password for sudo: `sudo:BYTES` for the command,
# `hand:BYTES` for what finds it on descriptor 10.
run_request() {
  local script='' cwd='' input=/dev/null left='' shell='' verdict='' last=0 latest='' unshared='' oom_before nonce
  local since=0 now=0 secret='' secret_use=${secret_bytes%:*}
  ((script_bytes == 0)) || read -r -u 9 -N "$script_bytes" script
  ((cwd_bytes == 0)) || read -r -u 9 -N "$cwd_bytes" cwd
  [[ $secret_use == - ]] || read -r -u 9 -N "${secret_bytes#*:}" secret
  if [[ $input_bytes != - ]]; then
    input=$here/input
    receive "$input_bytes" >"$input" || exit
  fi
  if ! { ((pump_out)) && kill -0 "$pump_out" && kill -0 "$pump_err"; }; then start_pumps; fi
  count_oom
  oom_before=$oom_count
  [[ -r /proc/uptime ]] && read -r now _ </proc/uptime && now=${now/./}
  [[ $own_processes ]] && since=$now
  [[ -r /proc/loadavg ]] && read -r _ _ _ _ last </proc/loadavg
  if [[ $cwd && ! (-d $cwd && -x $cwd) ]]; then
    verdict='nocwd 0' unshared=ready
  else
    write_record run
    if [[ $mode == keep ]]; then run_kept; else run_once; fi
    printf end 1<>"$here/running"
  fi
  # Whatever it ended with: the kernel may have ended a part of it only.
  count_oom
  # Read only now: while the command ran, nobody in the sandbox knew it.
  read -r -u 9 nonce
  # Neither the command nor its input stays on disk.
  [[ -s $here/script ]] && : >"$here/script"
  [[ -s $here/input ]] && : >"$here/input"
  finish "$nonce" "$verdict ${left:--} ${shell:--} $((oom_count > oom_before)) $since:$last"
}

# kill_request: ends the command `tag`. Of the persistent shell it ends the shell too, but not what earlier commands
# left running in it. Three more words come with it: `LANE:SINCE:NEWEST` as end_members has them, and `PID:START,...` and
# `TAG:now,TAG:job,...` of what is known to be others'.
kill_request() {
  local one moment=${script_bytes#*:} unbegun=''
  is_others=() their_tags=()
  for one in ${cwd_bytes//,/ }; do is_others[${one%%:*}]=${one#*:}; done
  for one in ${input_bytes//,/ }; do their_tags[${one%%:*}]=${one#*:}; done
  if [[ $mode == keep ]]; then
    # It may not have begun yet; whoever kills asks again, unless it is called off.
    end_kept "$tag" "$script_bytes"
  elif [[ $mode == pids ]]; then
    # The processes themselves, where that is all that is known of them.
    end_processes "$script_bytes"
  else
    end_members "$tag" -1 0 0 0 "${script_bytes%%:*}" "${moment%:*}" "${moment#*:}"
  fi
  printf '\x1e%s killed%s\n' "$tag" "${unbegun:+ unbegun}" >&3
}

printf '%s hello %s %s %s\n' "$hello" "$BASH_VERSION" "$self" "${start_of[$self]-0}" >&3
# While the first command is on its way.
[[ $here == */warden-* ]] || start_pumps
if [[ $here == */warden-* ]]; then
  be_warden
else
  while read -r -u 9 verb tag mode script_bytes cwd_bytes input_bytes limit kind secret_bytes; do
    "${verb}_request"
  done
fi
rm -rf "$here"
