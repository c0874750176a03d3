// Can the sandbox reach one of another session?
import { sleep } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { shellQuote } from '../../base/shell-quote.ts';
import { AF_UNIX, SOCK_STREAM, unixAddress } from '../addresses.ts';
import { runCalls } from '../kernel-calls.ts';
import { forMarked, newMarker } from '../marker.ts';
import { byIsolation } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe, unknown } from '../probe.ts';
import { connectCalls } from './network.ts';

const HOLD_MS = 8_000;
const ACCEPT_MS = 2_500;
const ATTEMPTS = 8;
const ATTEMPT_GAP_MS = 150;

async function files({ place, neighbour }: Ground): Promise<Finding> {
  const secret = `neighbour-${newId()}`;
  const path = `${neighbour.workdir}/${newId()}`;
  await neighbour.writeFile(path, secret);
  const { stdout } = await place.exec(`cat ${shellQuote(path)} 2>/dev/null`);
  await neighbour.exec(`rm -f ${shellQuote(path)}`);
  return stdout.includes(secret)
    ? exposed('the other session’s file was read')
    : contained('the other session’s file is not there');
}

/** Whether the other session's command ends before its own time. */
async function processes({ place, neighbour }: Ground): Promise<Finding> {
  const marker = newMarker();
  const started = Promise.withResolvers<void>();
  const ended = neighbour.exec(`: ${marker}; echo started; sleep 3; echo whole`, {
    timeoutMs: HOLD_MS,
    onOutput: () => started.resolve(),
  });
  await Promise.race([started.promise, ended]);
  await place.exec(forMarked('kill -9 "$pid"'), { stdin: marker, timeoutMs: HOLD_MS });
  return (await ended).stdout.endsWith('whole\n')
    ? contained('the other session’s process went on')
    : exposed('a process of the other session was killed');
}

async function sockets({ place, neighbour, clock }: Ground): Promise<Finding> {
  const address = unixAddress(`\0hermes-neighbour-${newId()}`);
  const listening = runCalls(
    neighbour,
    [
      ['socket', AF_UNIX, SOCK_STREAM, 0],
      ['bind', { result: 0 }, { bytes: address }, address.length],
      ['listen', { result: 0 }, 1],
      ['accept', { result: 0 }, 0, 0],
    ],
    { marker: newId(), timeoutMs: ACCEPT_MS },
  );
  let connected = false;
  for (let attempt = 0; attempt < ATTEMPTS && !connected; attempt += 1) {
    await sleep(clock, ATTEMPT_GAP_MS);
    const { impossible, error } = await runCalls(place, connectCalls(address, AF_UNIX), {
      marker: newId(),
      timeoutMs: 1_000,
    });
    if (impossible !== undefined) return unknown(impossible);
    connected = error === undefined;
  }
  const { succeeded, impossible } = await listening;
  if (impossible !== undefined) return unknown(impossible);
  return succeeded === 4
    ? exposed('the other session’s socket was reached')
    : contained('nobody came to the other session’s socket');
}

export const neighbourProbes: readonly Probe[] = [
  {
    id: 'neighbours.files',
    family: 'neighbours',
    title: 'read a file of another session',
    judgedBySandboxes: true,
    expected: byIsolation,
    attempt: files,
  },
  {
    id: 'neighbours.processes',
    family: 'neighbours',
    title: 'kill a process of another session',
    judgedBySandboxes: true,
    expected: byIsolation,
    attempt: processes,
  },
  {
    id: 'neighbours.sockets',
    family: 'neighbours',
    title: 'connect to a socket of another session',
    judgedBySandboxes: true,
    expected: byIsolation,
    attempt: sockets,
  },
];
