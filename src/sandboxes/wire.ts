// A line between a program in the sandbox and the gateway, beside the program's own streams. A small process in the
// sandbox joins two named pipes there to its own input and output; no socket, no network, alike on every backend.
import type { Sandbox } from '../backends/backend.ts';
import type { Clock } from '../base/clock.ts';

export interface WireOptions {
  /** In the sandbox, private, with the named pipes `to-gateway` and `from-gateway`. It is removed when the wire ends. */
  readonly folder: string;
  /** What programs write into `to-gateway`. Where it returns a promise, no more is read until that has resolved. */
  readonly onData: (bytes: Uint8Array) => unknown;
}

export interface Wire {
  /** For whoever reads `from-gateway`. Resolves when the bytes have been taken, or when nobody takes any. */
  send(bytes: Uint8Array): Promise<void>;
  /** Ends it, idempotent; `folder` says whether the folder went with it, as it does unless somebody killed the wire. */
  close(): Promise<{ readonly folder: 'removed' | 'left' }>;
}

/**
 * Both pipes are held open both ways, so that neither end waits for the other to come. The two that carry the bytes hold
 * one way only: what is left of them when this shell is killed sees the end of its pipe, and ends. `dd` writes what comes
 * as it comes; the `cat` of busybox loses bytes on the way from a socket into a pipe.
 */
const RELAY = `exec 3<>"$1/to-gateway" 4<>"$1/from-gateway" || exit
cat <"$1/to-gateway" 3>&- 4>&- &
dd bs=65536 >"$1/from-gateway" 2>/dev/null 3>&- 4>&-
kill $!
wait
rm -rf -- "$1"`;

/** By then it has ended, unless the program has gone and left more unread than a pipe holds; then it is killed. */
const CLOSE_MS = 2_000;

/** Throws what `spawn` throws. The program may be there before the wire; whatever it writes is read then. */
export async function openWire(
  sandbox: Sandbox,
  clock: Clock,
  { folder, onData }: WireOptions,
): Promise<Wire> {
  const argv = ['bash', '--norc', '--noprofile', '-c', RELAY, 'hermes-wire', folder] as const;
  const process = await sandbox.spawn(argv);
  process.onOutput((stream, data) => (stream === 'stdout' ? onData(data) : undefined));
  const close = async (): ReturnType<Wire['close']> => {
    process.end();
    const tooLate = clock.after(CLOSE_MS, () => process.kill(), { keepAlive: true });
    const exit = await process.exit;
    tooLate.cancel();
    return { folder: 'code' in exit && exit.code === 0 ? 'removed' : 'left' };
  };
  let closing: ReturnType<Wire['close']> | undefined;
  return {
    send: bytes => process.write(bytes),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
