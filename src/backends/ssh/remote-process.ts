// A process on the machine as a SandboxProcess: its streams are those of an ssh client here.
import type { OutputListener, ProcessExit, SandboxProcess } from '../backend.ts';
import type { Session } from './session.ts';
import { SSH_FAILED } from './session.ts';

export interface RemoteProcess extends SandboxProcess {
  /** Its process group on the machine, which is also its session. */
  readonly pid: number;
  /** Ends the ssh client alone, when the process itself is known to be gone. */
  drop(): void;
}

export interface RemoteProcessOptions {
  readonly session: Session;
  readonly pid: number;
  readonly output: OutputQueue;
  readonly address: string;
  /** Ends the process on the machine; never rejects. */
  readonly endRemote: (pid: number) => Promise<void>;
}

export function remoteProcess({
  session,
  pid,
  output,
  address,
  endRemote,
}: RemoteProcessOptions): RemoteProcess {
  const { child, slot } = session;
  let killed = false;
  let ended = false;
  const exit = session.exit.then(async own => {
    ended = true;
    const known = killed ? ({ signal: 'SIGKILL' } as const) : await explain(own);
    slot.release();
    return known;
  });
  const explain = async (own: ProcessExit): Promise<ProcessExit> => {
    if ('code' in own && own.code !== SSH_FAILED) return own;
    // 255 is what ssh says when the connection is gone, but a program may say it as well.
    if (await slot.master.isAlive())
      return 'code' in own ? own : { lost: `the ssh client to ${address} was ended from outside` };
    slot.drop();
    return { lost: `the connection to ${address} was lost` };
  };
  return {
    pid,
    exit,
    write: data => child.write(data),
    end: () => child.end(),
    onOutput: listener => output.listen(listener),
    kill() {
      if (killed || ended) return;
      killed = true;
      // First there, then here: without its client the process would live on.
      void endRemote(pid).then(() => child.kill());
    },
    drop() {
      killed = true;
      child.kill();
    },
  };
}

/** Keeps what arrives until somebody listens. */
export class OutputQueue {
  readonly #kept: Parameters<OutputListener>[] = [];
  #listener: OutputListener | undefined;

  readonly push: OutputListener = (stream, data) => {
    if (this.#listener) return this.#listener(stream, data);
    this.#kept.push([stream, data]);
    return undefined;
  };

  listen(listener: OutputListener): void {
    this.#listener = listener;
    for (const [stream, data] of this.#kept.splice(0)) void listener(stream, data);
  }
}
