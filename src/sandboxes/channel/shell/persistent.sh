# shellcheck shell=bash
# The persistent shell: evaluates commands in call order and keeps what they change. User code may redefine, disable
# or trap nearly everything, so what follows it names builtins as such, and its own descriptors are closed while user
# code runs. What it cannot trust any more it ends with: a new shell starts from the last saved state. Argument: the
# channel's folder.

exec 60<>"$1/shell/request" 61<>"$1/shell/answer"

# The state after the last finished command. Options and some traps come back just before the next one.
# shellcheck disable=SC1091
[[ -s $1/latest ]] && . "$1/latest" 2>/dev/null
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
    builtin printf 'builtin cd -- %q || exit 126\n' "$PWD"
  } >|"$__hermes_channel/exports"
  builtin printf '. %q\n' "$__hermes_channel/state.$__hermes_turn" >|"$__hermes_channel/latest"
}

__hermes_return() { builtin return "$1"; }

# Two loops, because `break` in a command leaves the inner one, and `continue` skips what follows the evaluation. After
# `set -n` no condition is evaluated any more, which ends an `until`, and with it the shell.
until [[ ${__hermes_over-} ]]; do
  until [[ ${__hermes_over-} ]]; do
    if [[ $__hermes_busy ]]; then
      unset -f builtin
      __hermes_save
      __hermes_busy=
      builtin printf 'done %s exited %s\n' "$__hermes_tag" "$__hermes_status" >&61 || builtin exit "$__hermes_status"
    fi
    __hermes_script='' __hermes_cwd=''
    # A time of its own, because TMOUT would end the wait; 142 is that time passing.
    until IFS=' ' builtin read -r -t 1000000 -u 60 __hermes_tag __hermes_here; do
      [[ $? == 142 ]] || builtin exit "$__hermes_status"
    done
    builtin read -r __hermes_uptime _ </proc/uptime
    builtin read -r _ _ _ _ __hermes_last </proc/loadavg
    builtin printf '%s %s\n' "${__hermes_uptime/./}" "$__hermes_last" >|"$__hermes_channel/shell/started"
    builtin printf '%s\n' "$__hermes_tag" >|"$__hermes_channel/shell/current"
    # shellcheck disable=SC2034
    builtin export HERMES_COMMAND="$__hermes_tag"
    IFS='' builtin read -r -d '' __hermes_script <"$__hermes_here/script"
    IFS='' builtin read -r -d '' __hermes_cwd <"$__hermes_here/cwd"
    __hermes_before=$PWD __hermes_busy=1
    [[ -z $__hermes_cwd ]] || builtin cd -- "$__hermes_cwd"
    __hermes_cwd=$PWD
    # Without descriptors to spare nothing can be evaluated; that is no place to go on in.
    { :; } 60<&- 61>&- || builtin exit 126
    # shellcheck disable=SC1091
    [[ -r $__hermes_channel/options ]] && . "$__hermes_channel/options"
    # shellcheck disable=SC1091
    [[ -r $__hermes_channel/traps ]] && . "$__hermes_channel/traps"
    # What `$?` was, unless a failure would end the shell.
    [[ $- == *e* ]] || __hermes_return "$__hermes_status"
    builtin eval "$__hermes_script" </dev/null >|"$__hermes_here/out" 2>|"$__hermes_here/err" 60<&- 61>&-
    __hermes_status=$?
    # Whatever the command has disabled or redefined of what is needed here.
    unset -f builtin enable
    builtin enable alias cd declare enable eval exit export printf read return set shopt trap umask
    # A folder given for one call does not stick, unless the command itself went elsewhere.
    [[ $PWD != "$__hermes_cwd" ]] || builtin cd -- "$__hermes_before"
  done
done
