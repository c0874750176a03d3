# shellcheck shell=bash
# Ends every process of a sandbox, with builtins and /proc: those that carry its tag, whatever shares a session with one
# of them, and what descends from them. Argument: the tag, NAME=value.

declare -A parent_of session_of is_member stopped

read_processes() {
  local dir line
  parent_of=() session_of=()
  for dir in /proc/[0-9]*; do
    line=
    { read -r -d '' line || [[ $line ]]; } <"$dir/stat" || continue
    # The name stands in parentheses and may itself contain anything.
    [[ ${line##*) } =~ ^[^ZX]\ ([0-9]+)\ [0-9]+\ ([0-9]+)\  ]] || continue
    parent_of[${dir#/proc/}]=${BASH_REMATCH[1]} session_of[${dir#/proc/}]=${BASH_REMATCH[2]}
  done
}

has_tag() {
  local -a environment=()
  local entry
  mapfile -d '' -t environment <"/proc/$1/environ" || return 1
  for entry in "${environment[@]}"; do
    [[ $entry == "$2" ]] && return 0
  done
  return 1
}

find_members() {
  local pid grown=1
  local -A sessions=()
  is_member=()
  for pid in "${!parent_of[@]}"; do
    has_tag "$pid" "$1" || continue
    is_member[$pid]=1 sessions[${session_of[$pid]}]=1
  done
  while ((grown)); do
    grown=0
    for pid in "${!parent_of[@]}"; do
      [[ ${is_member[$pid]-} ]] && continue
      [[ ${sessions[${session_of[$pid]}]-} || ${is_member[${parent_of[$pid]}]-} ]] || continue
      is_member[$pid]=1
      grown=1
    done
  done
  # Never this shell nor what it stands on.
  for ((pid = $$; pid > 1; pid = ${parent_of[$pid]-0})); do unset "is_member[$pid]"; done
  unset 'is_member[1]'
}

# They are stopped first, until a round finds none that is new: nothing slips away by forking.
for ((round = 0; round < 50; round++)); do
  new=0
  read_processes
  find_members "$1"
  for pid in "${!is_member[@]}"; do
    [[ ${stopped[$pid]-} ]] && continue
    kill -STOP "$pid"
    stopped[$pid]=1 new=1
  done
  ((new)) || break
done
for pid in "${!stopped[@]}"; do kill -KILL "$pid"; done

# A killed process may take a moment to go.
for ((round = 0; round < 200; round++)); do
  read_processes
  find_members "$1"
  ((${#is_member[@]})) || break
  sleep 0.01
done
