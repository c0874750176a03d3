# shellcheck shell=bash
# The persistent shell: evaluates commands in call order and keeps what they change. User code may redefine, disable
# or trap nearly everything, so what follows it names builtins as such, and its own descriptors are closed while user
# code runs. What it cannot trust any more it ends with: a new shell starts from the last saved state. Arguments:
# the channel's folder, and the state to begin with, if there is one.

exec 60<>"$1/shell/request" 61<>"$1/shell/answer"

# The state after the last finished command. Options and some traps come back just before the next one.
# shellcheck disable=SC1090
[[ $2 ]] && . "$2" 2>/dev/null
trap - DEBUG ERR RETURN
__hermes_channel=$1 __hermes_busy='' __hermes_status=0 __hermes_number=${__hermes_number-0}
__hermes_flags=${__hermes_flags-}
set --

# Keeps what the command left behind, in two files by turns, so that one is always whole; `saved` says which. They are
# written over in place, which spares the disk the most, so what comes after the `return` is of no account. Options that
# would get in the way of this shell are off until the next command.
__hermes_save() {
  __hermes_flags=${-//[!aefkuvxC]/}
  builtin set +aefkuvxtC
  builtin trap -p DEBUG ERR RETURN >|"$__hermes_channel/traps"
  builtin trap - DEBUG ERR RETURN
  __hermes_number=$((__hermes_number + 1))
  # A command may have limited the size of files, or filled the disk: then the state before it stays the last one.
  builtin trap '' XFSZ
  {
    builtin declare -p && builtin declare -f && builtin alias -p && builtin shopt -p && builtin trap -p &&
      builtin umask -p && builtin set +o &&
      builtin printf 'builtin trap - XFSZ\nbuiltin cd -- %q\nbuiltin return\n' "$PWD"
  } 1<>"$__hermes_channel/state.$((__hermes_number % 2))" 2>/dev/null &&
    builtin printf '%s\n' "$__hermes_number" 1<>"$__hermes_channel/saved"
  builtin trap - XFSZ
}

__hermes_return() { builtin return "$1"; }

# Two loops, because `break` in a command leaves the inner one, and `continue` skips what follows the evaluation. After
# `set -n` no condition is evaluated any more, which ends an `until`, and with it the shell.
until [[ ${__hermes_over-} ]]; do
  until [[ ${__hermes_over-} ]]; do
    if [[ $__hermes_busy ]]; then
      unset -f builtin
      # `break 2` and the like have left the command for the loops around it.
      if [[ -z $__hermes_ended ]]; then
        __hermes_status=1
        builtin printf 'break or continue went beyond the loops of this command; the rest of it was not run\n' \
          >|"$__hermes_channel/$__hermes_lane/err"
      fi
      __hermes_save
      __hermes_busy=
      builtin printf 'done %s exited %s\n' "$__hermes_tag" "$__hermes_status" >&61 || builtin exit "$__hermes_status"
    fi
    __hermes_script='' __hermes_cwd=''
    # A time of its own, because TMOUT would end the wait; 142 is that time passing.
    until IFS=' ' builtin read -r -t 1000000 -u 60 __hermes_tag __hermes_lane __hermes_text; do
      [[ $? == 142 ]] || builtin exit "$__hermes_status"
    done
    builtin read -r __hermes_uptime _ </proc/uptime
    builtin read -r _ _ _ _ __hermes_last </proc/loadavg
    builtin printf '%s %s %s\n' "$__hermes_tag" "${__hermes_uptime/./}" "$__hermes_last" 1<>"$__hermes_channel/shell/current"
    # shellcheck disable=SC2034
    builtin export HERMES_COMMAND="$__hermes_tag"
    { IFS='' builtin read -r -d '' __hermes_cwd && IFS='' builtin read -r -d '' __hermes_script; } <"$__hermes_channel/$__hermes_text"
    # Called off, because nobody waits for it any more: it must not begin.
    __hermes_called=
    IFS=' ' builtin read -r __hermes_called __hermes_off _ <"$__hermes_channel/$__hermes_lane/running"
    if [[ "$__hermes_called $__hermes_off" == "off $__hermes_tag" ]]; then
      builtin printf -- '- 0 0\n' 1<>"$__hermes_channel/shell/current"
      builtin printf 'done %s skipped 0\n' "$__hermes_tag" >&61
      builtin continue
    fi
    __hermes_before=$PWD __hermes_busy=1
    [[ -z $__hermes_cwd ]] || builtin cd -- "$__hermes_cwd" || builtin exit 126
    __hermes_cwd=$PWD
    # Without descriptors to spare nothing can be evaluated; that is no place to go on in.
    { :; } 60<&- 61>&- || builtin exit 126
    [[ -z $__hermes_flags ]] || builtin set "-$__hermes_flags"
    # shellcheck disable=SC1091
    [[ -s $__hermes_channel/traps ]] && . "$__hermes_channel/traps"
    __hermes_ended=
    # What `$?` was, unless a failure would end the shell.
    [[ $- == *e* ]] || __hermes_return "$__hermes_status"
    builtin eval "$__hermes_script" </dev/null >|"$__hermes_channel/$__hermes_lane/out" 2>|"$__hermes_channel/$__hermes_lane/err" 60<&- 61>&-
    __hermes_status=$? __hermes_ended=1
    # Whatever the command has disabled or redefined of what is needed here; without the means to do so, this shell ends.
    unset -f builtin enable
    enable builtin
    __hermes_usable=
    builtin eval __hermes_usable=1
    __hermes_usable=${__hermes_usable:?}
    builtin enable alias cd declare enable eval exit export printf read return set shopt trap umask
    # A folder given for one call does not stick, unless the command itself went elsewhere.
    [[ $PWD != "$__hermes_cwd" ]] || builtin cd -- "$__hermes_before" || :
  done
done
