// Why a run ends when the gateway stops: what it has not finished is left as a crash would leave it, and the next start
// decides what becomes of it.

export class LeftForLater extends Error {
  constructor() {
    super('the gateway stops; the next start takes the run up');
  }
}

export function isLeftForLater({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof LeftForLater;
}
