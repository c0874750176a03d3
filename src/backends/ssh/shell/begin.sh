# shellcheck shell=sh
# Stands before every script of the backend: the answer is told apart from what startup files print by a random word.
# First argument: that word.

nonce=$1
shift
# The sandbox has no business with where the gateway is; and bash reads ~/.bashrc for every command while it sees these.
unset SSH_CLIENT SSH2_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK CDPATH
answer() {
  printf '\n%s %s\n' "$nonce" "$1"
}
# shellcheck disable=SC2034
root=$HOME/.hermes-sandboxes
