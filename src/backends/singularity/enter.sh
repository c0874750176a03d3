# shellcheck shell=sh
# Starts a program in an instance: in its folder, with the environment of the image and none of Apptainer's, under the
# limit of processes. Arguments: a nonce for the answer, the folder, the home, the limit or -, the program and its words.
# The answer on standard error is `NONCE ready PID`, `NONCE nocwd`, `NONCE missing` or `NONCE refused`.

nonce=$1 folder=$2 home=$3 most=$4
shift 4
unset APPTAINER_APPNAME APPTAINER_BIND APPTAINER_COMMAND APPTAINER_CONTAINER APPTAINER_ENVIRONMENT APPTAINER_INSTANCE APPTAINER_NAME
unset SINGULARITY_APPNAME SINGULARITY_BIND SINGULARITY_COMMAND SINGULARITY_CONTAINER SINGULARITY_ENVIRONMENT SINGULARITY_INSTANCE
unset SINGULARITY_NAME PROMPT_COMMAND PS1
[ "$LD_LIBRARY_PATH" = /.singularity.d/libs ] && unset LD_LIBRARY_PATH
[ "${LANG:-C}" = C ] && LANG=C.UTF-8
HOME=$home TERM=dumb SHELL=/bin/bash
export HOME TERM LANG SHELL

cd "$folder" || {
  echo "$nonce nocwd" >&2
  exit 1
}
# bash says -u, dash and busybox -p.
if [ "$most" != - ] && ! { ulimit -u "$most" || ulimit -p "$most"; } 2>/dev/null; then
  echo "$nonce refused" >&2
  exit 1
fi
command -v "$1" >/dev/null || {
  echo "$nonce missing" >&2
  exit 127
}
echo "$nonce ready $$" >&2
exec "$@"
