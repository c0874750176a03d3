// What idle sandboxes and a flood of output cost the process that holds them.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openSandbox } from '../src/index.ts';
import { runningSessions } from './agent.ts';
import { openBenchGateway } from './sessions.ts';

export interface MemoryFigure {
  readonly name: string;
  readonly mebibytes: number;
  readonly limit: number;
}

const COUNT = 100;
const AT_ONCE = 10;
const MEBIBYTE = 1024 * 1024;

export async function measureMemory(): Promise<MemoryFigure[]> {
  // Before anything else has grown the process.
  const whole = await gateway();
  const running = await runningSessions(COUNT, settledMemory);
  // The first one loads code that all share.
  await using first = await openSandbox({ backend: 'local' });
  await first.exec('true');
  return [
    { name: '1000 sessions, 100 live sandboxes, whole process', bytes: whole, limit: 250 },
    { name: '100 sessions running at once, whole process', bytes: running, limit: 400 },
    { name: 'idle sandbox', bytes: await idle(), limit: 3 },
    { name: '1 GB of output', bytes: await flood(first), limit: 150 },
  ].map(({ bytes, ...rest }) => ({ ...rest, mebibytes: Number((bytes / MEBIBYTE).toFixed(2)) }));
}

async function idle(): Promise<number> {
  const before = settledMemory();
  const sandboxes: Awaited<ReturnType<typeof openUsed>>[] = [];
  while (sandboxes.length < COUNT) {
    sandboxes.push(...(await Promise.all(Array.from({ length: AT_ONCE }, openUsed))));
  }
  const after = settledMemory();
  await Promise.all(sandboxes.map(sandbox => sandbox.destroy()));
  return (after - before) / COUNT;
}

/** All of it, not only what the sandboxes add. */
async function gateway(): Promise<number> {
  const { newSession, lease, close } = await openBenchGateway({ TERMINAL_ENV: 'bubblewrap' });
  for (let at = 0; at < 1000; at++) await newSession(`chat${at}`);
  for (let at = 0; at < COUNT; at += AT_ONCE) {
    const chats = Array.from({ length: AT_ONCE }, (_, more) => `chat${at + more}`);
    await Promise.all(chats.map(async chat => (await lease(chat)).exec('true', { persistent: true })));
  }
  const used = settledMemory();
  await close();
  return used;
}

async function openUsed() {
  const sandbox = await openSandbox({ backend: 'local' });
  await sandbox.exec('true', { persistent: true });
  return sandbox;
}

async function flood(sandbox: Awaited<ReturnType<typeof openUsed>>): Promise<number> {
  const before = settledMemory();
  let highest = before;
  const look = () => {
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  await sandbox.exec('head -c 1000000000 /dev/zero', { onOutput: look });
  look();
  return highest - before;
}

export function settledMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage.rss();
}
