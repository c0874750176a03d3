// A session on the machine, up to the answer of the script that was started in it. Until then nothing of a sandbox has
// run, so a refused session or a lost connection is tried again elsewhere without anybody noticing.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { OutputListener, ProcessExit } from '../backend.ts';
import { type Child, startChild } from '../child-process.ts';
import { type Answer, AnswerFinder } from './answer.ts';
import { sessionArguments } from './arguments.ts';
import { connectionLost, type Failure, failureError, noAnswer, sessionsRefused } from './failure.ts';
import type { Masters, Slot, Use } from './masters.ts';
import { type RemoteScript, remoteCommand } from './remote-command.ts';

export interface SessionOptions {
  readonly masters: Masters;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** For messages. */
  readonly address: () => string;
}

export interface OpenOptions {
  readonly use: Use;
  readonly signal?: AbortSignal;
  /** Hears everything after the answer, and on stderr after the nonce. */
  readonly onOutput: OutputListener;
}

export interface Session {
  readonly child: Child;
  readonly slot: Slot;
  readonly words: string;
  /** How the ssh client ended; 255 may be the program's own or that of a lost connection. */
  readonly exit: Promise<ProcessExit>;
}

/** Startup files of an account may be slow, but not this slow. */
const ANSWER_MS = 30_000;
const MOST_ATTEMPTS = 15;
/** ssh's own exit code when it could not do its work. */
export const SSH_FAILED = 255;

/** Throws UNAVAILABLE_BACKEND with the reason. */
export async function openSession(
  remote: RemoteScript,
  options: OpenOptions,
  link: SessionOptions,
): Promise<Session> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const slot = await acquireSlot(link.masters, options);
    const session = await tryOnce(remote, slot, options, link).catch((error: unknown) => {
      slot.release();
      throw error;
    });
    if (session) return session;
    slot.release();
  }
  throw failureError(connectionLost(link.address()));
}

/** An abort does not wait for a connection that is being made; others may still want it. */
async function acquireSlot(masters: Masters, { use, signal }: OpenOptions): Promise<Slot> {
  signal?.throwIfAborted();
  const wanted = masters.acquire(use);
  if (!signal) return wanted;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => {
    aborted.reject(signal.reason);
    void Promise.allSettled([wanted]).then(([slot]) => slot.status === 'fulfilled' && slot.value.release());
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([wanted, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Undefined when the session never came to be, and another may. */
async function tryOnce(
  remote: RemoteScript,
  slot: Slot,
  { onOutput, signal }: OpenOptions,
  link: SessionOptions,
): Promise<Session | undefined> {
  signal?.throwIfAborted();
  const nonce = randomBytes(16).toString('hex');
  const argv = sessionArguments(slot.master.socket, remoteCommand(remote, nonce));
  const child = await startChild({ argv, cwd: '/', env: link.env });
  const greeting = listen(child, nonce, onOutput);
  const failed = Promise.withResolvers<Failure>();
  const timer = link.clock.after(ANSWER_MS, () =>
    failed.resolve(noAnswer(link.address(), 'it took too long')),
  );
  const onAbort = (): void => failed.reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const first = await Promise.race([greeting.answer, child.exit, failed.promise]);
    if ('words' in first) {
      slot.confirm();
      return { child, slot, words: first.words, exit: child.exit };
    }
    if ('reason' in first) throw failureError(first);
    return await explainEnd(first, slot, greeting.noise(), link);
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The session ended without an answer: whose fault was it? */
async function explainEnd(
  exit: ProcessExit,
  slot: Slot,
  noise: string,
  link: SessionOptions,
): Promise<undefined> {
  const said = noise.trim().split('\n').at(-1) ?? '';
  if ('code' in exit && exit.code !== SSH_FAILED) throw failureError(noAnswer(link.address(), said), noise);
  if (!(await slot.master.isAlive())) slot.drop();
  else if (!slot.refuse()) throw failureError(sessionsRefused(link.address()), noise);
  return undefined;
}

interface Greeting {
  readonly answer: Promise<Answer>;
  /** The end of what was printed instead of an answer. */
  noise(): string;
}

const NOISE_BYTES = 2_000;

function listen(child: Child, nonce: string, onOutput: OpenOptions['onOutput']): Greeting {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const finders = { stdout: new AnswerFinder(nonce), stderr: new AnswerFinder(nonce) };
  const done = { stdout: false, stderr: false };
  let noise = '';
  child.onOutput((stream, data) => {
    if (done[stream]) return onOutput(stream, data);
    noise = (noise + Buffer.from(data).toString()).slice(-NOISE_BYTES);
    const answer = finders[stream].push(data);
    if (!answer) return undefined;
    done[stream] = true;
    if (stream === 'stdout') resolve(answer);
    return answer.rest.length > 0 ? onOutput(stream, answer.rest) : undefined;
  });
  return { answer: promise, noise: () => noise };
}
