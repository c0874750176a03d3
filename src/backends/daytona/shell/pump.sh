# shellcheck shell=sh disable=SC2154
# Carries one stream of the program's output to its terminal, raw. The service drops a reader who falls behind by 256 reads, so
# not much more than two rounds are on their way: the gateway tells for every 32 KiB that they have arrived. Variable: stream.

LC_ALL=C
export LC_ALL
exec 3<"$dir/$stream" 4>&1
sent=0 arrived=0 before=0
while :; do
  # A round is 12 reads of what is there, each passed on at once.
  report=$(dd bs=16384 count=12 <&3 2>&1 >&4)
  bytes=${report%% byte*}
  bytes=${bytes##*[!0-9]}
  [ "${bytes:-0}" -gt 0 ] || break
  sent=$((sent + bytes))
  while [ $((arrived + 32768)) -lt "$before" ]; do
    read -r count || exit 0
    arrived=$((arrived + count))
  done
  before=$sent
done
