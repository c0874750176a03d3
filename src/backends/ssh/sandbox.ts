// A sandbox on the machine: a folder of ours, and every process that carries its tag.
import { HermesError } from '../../base/errors.ts';
import type { Sandbox, SandboxRef } from '../backend.ts';
import { Ending } from './ending.ts';
import type { Link } from './link.ts';
import { endingScript } from './remote-command.ts';
import { OutputQueue, type RemoteProcess, remoteProcess } from './remote-process.ts';

export interface SandboxParts {
  readonly link: Link;
  readonly ref: SandboxRef;
  readonly env: Readonly<Record<string, string>>;
  /** On the machine, absolute. */
  readonly folder: string;
  readonly workdir: string;
}

export function sshSandbox({ link, ref, env, folder, workdir }: SandboxParts): Sandbox {
  const processes = new Set<RemoteProcess>();
  const ending = new Ending(link);
  return {
    ref,
    workdir,
    env,
    enforcement: { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' },
    channelDir: `${folder}/channel`,
    async spawn(argv, { signal } = {}) {
      const output = new OutputQueue();
      const session = await link.open(
        { script: 'spawn', args: [folder, workdir, ...argv], sandbox: ref.id },
        { use: 'lane', onOutput: output.push, ...(signal ? { signal } : {}) },
      );
      const [word, pid] = session.words.split(' ');
      if (word !== 'ready') {
        session.child.end();
        await session.exit;
        session.slot.release();
        throw refusal(word, { ref, program: argv[0], workdir });
      }
      const process = remoteProcess({
        session,
        pid: Number(pid),
        output,
        address: link.address,
        endRemote: target => ending.end(target),
      });
      processes.add(process);
      void process.exit.then(() => processes.delete(process));
      await process.write(Buffer.from('go\n'));
      return process;
    },
    async destroy({ signal } = {}) {
      await destroyRemote({ link, ref }, [...processes], signal);
      const left = [...processes];
      for (const process of left) process.drop();
      await Promise.all(left.map(({ exit }) => exit));
    },
  };
}

/** Ends everything that carries the sandbox's tag and removes its folder; both may be gone already. */
export async function destroyRemote(
  { link, ref }: Pick<SandboxParts, 'link' | 'ref'>,
  known: readonly RemoteProcess[] = [],
  signal?: AbortSignal,
): Promise<void> {
  const groups = known.map(({ pid }) => String(pid));
  const { words, text } = await link.errand(
    { script: 'destroy', args: [ref.name, ref.id, endingScript(), ...groups] },
    signal ? { signal } : {},
  );
  if (words === 'destroyed') return;
  const message = `The folder ${text} on ${link.address} could not be removed completely. Remove it there by hand; its processes have ended.`;
  throw new HermesError('SANDBOX_FILE_REFUSED', message, { details: { ref } });
}

export function gone(ref: SandboxRef, address: string): HermesError {
  return new HermesError('SANDBOX_GONE', `The sandbox ${ref.name} does not exist on ${address} any more.`, {
    details: { ref },
  });
}

interface Refused {
  readonly ref: SandboxRef;
  readonly program: string;
  readonly workdir: string;
}

function refusal(word: string | undefined, { ref, program, workdir }: Refused): HermesError {
  if (word === 'gone') {
    return new HermesError('SANDBOX_GONE', `The sandbox ${ref.name} does not exist any more.`, {
      details: { ref },
    });
  }
  const details = { ref, program, workdir };
  if (word === 'nocwd') {
    return new HermesError(
      'SANDBOX_CWD_MISSING',
      `The folder ${workdir} is not there any more; nothing was started.`,
      {
        details,
      },
    );
  }
  const message = `${program} could not be started in ${ref.name}: there is no such program on that machine.`;
  return new HermesError('SANDBOX_PROGRAM_MISSING', message, { details });
}
