# shellcheck shell=sh disable=SC2034,SC2154
# Stands before both scripts of the backend, which the gateway types into terminals of the sandbox: one with control.sh for
# input and news, and one with pump.sh for each stream of output. They meet in a private folder. Variable: dir.

unset HISTFILE TERM PS1
mask=$(umask)
umask 077
mkdir -p "$dir"
# Whoever is first makes them.
[ -p "$dir/err" ] || mkfifo "$dir/in" "$dir/out" "$dir/err" 2>/dev/null
