// Can processes of this machine be seen, read, signalled or traced?
import { newId } from '../../base/ids.ts';
import { HARMLESS_SIGNAL } from '../host.ts';
import { statusOf, waitFor } from '../host-processes.ts';
import { runCalls } from '../kernel-calls.ts';
import { judgeHeld } from '../looking.ts';
import { always, byIsolation } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe, unknown } from '../probe.ts';

const PTRACE_SEIZE = 0x4206;
const SEEN_MS = 300;

async function prints({ place }: Ground, command: string, text: string): Promise<boolean> {
  return (await place.exec(command)).stdout.includes(text);
}

async function signal({ place, host, clock }: Ground): Promise<Finding> {
  const before = host.canary.hits();
  const calls = [['kill', host.canary.pid, HARMLESS_SIGNAL]] as const;
  const { impossible, error } = await runCalls(place, calls, { marker: newId() });
  if (impossible !== undefined) return unknown(impossible);
  const hit = await waitFor(clock, SEEN_MS, () => (host.canary.hits() > before ? true : undefined));
  return hit
    ? exposed('the signal reached the canary process')
    : contained(`no signal arrived: ${error ?? 'another process has that number'}`);
}

async function readMemory({ place, host }: Ground): Promise<Finding> {
  const { pid, environment } = host.canary;
  if (environment === undefined) return unknown('this system does not say where the canary’s memory is');
  const { address: foreign, length } = environment;
  const calls = [['process_vm_readv', pid, { own: length }, 1, { foreign, length }, 1, 0]] as const;
  const { impossible, error, buffers } = await runCalls(place, calls, { marker: newId() });
  if (impossible !== undefined) return unknown(impossible);
  return buffers.includes(host.planted.value)
    ? exposed('the memory of the canary process was read')
    : contained(`nothing was read: ${error ?? 'another process has that number'}`);
}

export const processProbes: readonly Probe[] = [
  {
    id: 'processes.environment',
    family: 'processes',
    title: 'see a variable of Hermes in its own environment',
    // Every backend hands on an allowlist, also those that contain nothing.
    expected: always('contained'),
    attempt: async ground =>
      (await prints(ground, 'env', ground.host.planted.value))
        ? exposed('the planted variable is there')
        : contained('the planted variable is not there'),
  },
  {
    id: 'processes.environ',
    family: 'processes',
    title: 'read the environment of host processes in /proc',
    expected: byIsolation,
    attempt: async ground => {
      const command = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -a ${ground.host.planted.name}`;
      return (await prints(ground, command, ground.host.planted.value))
        ? exposed('the canary process’s environment was read')
        : contained('no process shows the planted variable');
    },
  },
  {
    id: 'processes.visible',
    family: 'processes',
    title: 'see the processes of the host',
    expected: byIsolation,
    attempt: async ground => {
      // The marker itself is not in the command, or the command would find itself.
      const { pid, marker } = ground.host.canary;
      const command = `tr '\\0' '\\n' </proc/${pid}/cmdline`;
      return (await prints(ground, command, marker))
        ? exposed('the canary process was seen')
        : contained('the canary process is not to be seen');
    },
  },
  {
    id: 'processes.signal',
    family: 'processes',
    title: 'send a signal to a process of the host',
    expected: byIsolation,
    attempt: signal,
  },
  {
    id: 'processes.ptrace',
    family: 'processes',
    title: 'trace a process of the host',
    expected: byIsolation,
    attempt: ground =>
      judgeHeld(ground, {
        calls: [['ptrace', PTRACE_SEIZE, ground.host.canary.pid, 0, 0]],
        look: async () => {
          const tracer = await statusOf(ground.host.canary.pid, 'TracerPid');
          return tracer === undefined || tracer === '0' ? undefined : 'the canary process is being traced';
        },
        harmless: 'another process has that number inside; the canary is not traced',
      }),
  },
  {
    id: 'processes.memory',
    family: 'processes',
    title: 'read the memory of a process of the host',
    expected: byIsolation,
    attempt: readMemory,
  },
];
