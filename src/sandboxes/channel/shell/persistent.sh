# shellcheck shell=bash
# The persistent shell: evaluates commands in call order and keeps what they change. User code may redefine, disable
# or trap nearly everything, so what follows it names builtins as such, and its own descriptors are closed while user
# code runs. Argument: the channel's folder.

exec 60<>"$1/shell/request" 61<>"$1/shell/answer"

# The state after the last finished command. Options and some traps come back just before the next one.
# shellcheck disable=SC1091
[[ -r $1/latest ]] && . "$1/latest" 2>/dev/null
trap - DEBUG ERR RETURN
__hermes_channel=$1 __hermes_turn=0 __hermes_busy='' __hermes_status=0
set --

# Keeps what the command left behind, in two files by turns: one is always whole.
__hermes_save() {
  builtin set +o >|"$__hermes_channel/options"
  builtin set +o errexit +o nounset +o xtrace +o verbose +o noglob +o noclobber
  builtin trap -p DEBUG ERR RETURN >|"$__hermes_channel/traps"
  builtin trap - DEBUG ERR RETURN
  __hermes_turn=$((1 - __hermes_turn))
  {
    builtin declare -p
    builtin declare -f
    builtin alias -p
    builtin shopt -p
    builtin trap -p
    builtin umask -p
    builtin printf 'builtin cd -- %q\n' "$PWD"
  } >|"$__hermes_channel/state.$__hermes_turn" 2>/dev/null
  {
    builtin export -p
    builtin printf 'builtin cd -- %q\n' "$PWD"
  } >|"$__hermes_channel/exports"
  builtin printf '. %q\n' "$__hermes_channel/state.$__hermes_turn" >|"$__hermes_channel/latest"
}

# Two loops, because `break` in a command leaves the inner one, and `continue` skips what follows the evaluation. After
# `set -n` no condition is evaluated any more, which ends an `until`, and with it the shell.
until [[ ${__hermes_over-} ]]; do
  until [[ ${__hermes_over-} ]]; do
    if [[ $__hermes_busy ]]; then
      __hermes_save
      __hermes_busy=
      builtin printf 'done %s exited %s\n' "$HERMES_COMMAND" "$__hermes_status" >&61
    fi
    IFS=' ' builtin read -r -u 60 HERMES_COMMAND __hermes_here
    builtin read -r __hermes_uptime _ </proc/uptime
    builtin printf '%s\n' "${__hermes_uptime/./}" >|"$__hermes_channel/shell/started"
    builtin printf '%s\n' "$HERMES_COMMAND" >|"$__hermes_channel/shell/current"
    # shellcheck disable=SC2034
    builtin export HERMES_COMMAND
    IFS='' builtin read -r -d '' __hermes_script <"$__hermes_here/script"
    IFS='' builtin read -r -d '' __hermes_cwd <"$__hermes_here/cwd"
    __hermes_before=$PWD __hermes_busy=1 __hermes_status=0
    [[ -z $__hermes_cwd ]] || builtin cd -- "$__hermes_cwd"
    __hermes_cwd=$PWD
    # shellcheck disable=SC1091
    [[ -r $__hermes_channel/options ]] && . "$__hermes_channel/options"
    # shellcheck disable=SC1091
    [[ -r $__hermes_channel/traps ]] && . "$__hermes_channel/traps"
    builtin eval "$__hermes_script" </dev/null >|"$__hermes_here/out" 2>|"$__hermes_here/err" 60<&- 61>&-
    __hermes_status=$?
    # A folder given for one call does not stick, unless the command itself went elsewhere.
    [[ $PWD != "$__hermes_cwd" ]] || builtin cd -- "$__hermes_before"
  done
done
