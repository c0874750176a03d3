// What a snapshot brings along of the run that it was taken of: pipes that nobody opens and process numbers that stand for others
// now. The first program of a new run removes it, before anything of the channel is created.
import { CHANNEL_FOLDER, HERMES_FOLDER } from './plan.ts';

/**
 * In a shell; `$1`: the run. Costs no program but in the first exec of a run. Who comes second waits for the first, for five
 * seconds at most.
 */
export const FORGET_EARLIER_RUN = `if [ ! -e "${HERMES_FOLDER}/run-$1" ]; then
  mkdir -p ${HERMES_FOLDER}
  if mkdir "${HERMES_FOLDER}/claim-$1" 2>/dev/null; then
    rm -rf ${CHANNEL_FOLDER} ${HERMES_FOLDER}/run-*
    for claim in ${HERMES_FOLDER}/claim-*; do [ "$claim" = "${HERMES_FOLDER}/claim-$1" ] || rm -rf "$claim"; done
    : >"${HERMES_FOLDER}/run-$1"
  else
    looks=0
    until [ -e "${HERMES_FOLDER}/run-$1" ] || [ "$looks" -eq 500 ]; do sleep 0.01; looks=$((looks + 1)); done
  fi
fi`;
