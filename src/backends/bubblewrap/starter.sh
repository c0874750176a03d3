# shellcheck shell=bash
# The starter: the first process in a sandbox's namespaces, and the parent of all others. It reads requests from its
# input and reports on its output; it never evaluates user code. docs/backends/bubblewrap.md has the protocol.
# Arguments: the folder for pipes; how many descriptors belong to the gateway; limits in the units of `ulimit`, or `-`:
# processes, memory, file size; descriptors of control groups to join.

# Bytes, not characters, without changing the locale of what is started.
unset LC_ALL
LC_ALL=C
io=$1
[[ $3 == - ]] || ulimit -u "$3"
[[ $4 == - ]] || ulimit -d "$4"
[[ $5 == - ]] || ulimit -f "$5"
ulimit -c 0
for fd in "${@:6}"; do printf 0 >&"$fd" || exit; done
exec 2>/dev/null
# Whatever else was open where the gateway was started must not be open here.
for path in /proc/self/fd/*; do
  ((${path##*/} < $2)) || eval "exec ${path##*/}>&-"
done

exists() {
  if [[ $1 == */* ]]; then [[ -f $1 && -x $1 ]]; else type -P -- "$1" >/dev/null; fi
}

# open_pipes ID FIRST: descriptors 23 to 25 for the next process. The first processes get some that came with the
# launch, from FIRST on; the others named pipes. Those are open both ways until `start`, so that the gateway opens its
# ends at once, and each side later sees the other's end. What has a name can be replaced meanwhile, and opening that
# could take for ever; so names are opened once, both ways.
open_pipes() {
  if [[ $2 != - ]]; then
    eval "exec 23<&$2- 24>&$(($2 + 1))- 25>&$(($2 + 2))-"
  else
    mkfifo -m 600 "$io/$1.0" "$io/$1.1" "$io/$1.2" &&
      exec 20<>"$io/$1.0" 21<>"$io/$1.1" 22<>"$io/$1.2" &&
      exec 23</proc/self/fd/20 24>/proc/self/fd/21 25>/proc/self/fd/22
  fi
}

# prepare ID FIRST LENGTH...: takes the words of a command, each of that many bytes, and opens its pipes.
prepare() {
  local id=$1 first=$2 length word
  shift 2
  argv=() prepared=''
  for length; do
    word=''
    ((length == 0)) || read -r -N "$length" word
    argv+=("$word")
  done
  if ! exists "${argv[0]}"; then
    printf 'missing %s\n' "$id"
  elif ! open_pipes "$id" "$first"; then
    printf 'refused %s\n' "$id"
  else
    prepared=$id
    printf 'prepared %s\n' "$id"
  fi
}

# run: becomes what was prepared. A lane of the shell channel is a bash as this one is, so it goes on in the fork, which
# saves the time of starting another.
run() {
  [[ ${argv[5]-} == hermes-lane ]] || exec "${argv[@]}"
  unset LC_ALL
  set +m
  trap - CHLD
  set -- "${argv[@]:6}"
  eval "${argv[4]}"
  exit
}

# start ID: runs what was prepared, in a process group of its own, under a parent that reports how it ended. Only the
# state of the job tells `exit 137` from a kill, and that can only be seen from a trap.
start() {
  local id=$1 how=exited line pid status
  [[ $id == "$prepared" ]] || return
  exec 20>&- 21>&- 22>&-
  (
    exec 6>&- 7>&- 8>&- 9>&- 10>&- 11>&-
    trap 'jobs -l >"$io/$id.state"' CHLD
    set -m
    { exec <&23 >&24 2>&25 23<&- 24>&- 25>&- 26>&- && run; } &
    pid=$!
    set +m
    exec 23<&- 24>&- 25>&-
    printf 'started %s %s\n' "$id" "$pid" >&26
    wait "$pid"
    status=$?
    if ((status > 128)); then
      while read -r line; do
        [[ $line == *" $pid "* && $line != *" $pid "@(Exit|Done|Running|Stopped)* ]] && how=signaled
      done <"$io/$id.state"
      [[ $how == signaled ]] && status=$((status - 128))
    fi
    printf 'ended %s %s %s\n' "$id" "$how" "$status" >&26
  ) 26>&1 </dev/null >/dev/null &
  exec 23<&- 24>&- 25>&-
}

printf 'ready\n'
# For the first lane of the shell channel, while its request is on its way.
mkfifo -m 600 "${io%/*}/channel/ready/"{rest,out,err} </dev/null >/dev/null &
while read -r -a words; do
  case ${words[0]} in
    prepare) prepare "${words[@]:1}" ;;
    start) start "${words[1]}" ;;
    kill) kill -KILL "${words[1]}" ;;
  esac
done
