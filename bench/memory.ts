// What idle sandboxes and a flood of output cost the process that holds them.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openSandbox } from '../src/index.ts';
import { runningSessions } from './agent.ts';
import { defineBench } from './bench.ts';
import { openBenchGateway } from './sessions.ts';

const COUNT = 100;
const AT_ONCE = 10;
const MEBIBYTE = 1024 * 1024;

export const memory = defineBench({
  title: 'Memory of a gateway',
  rounds: 0,
  warmUp: 0,
  needs: ['bubblewrap'],
  cases: {},
  figures: {
    gateway: { name: '1,000 sessions and 100 live sandboxes, the whole process', limitMiB: 250 },
    running: {
      name: '100 sessions that have each done a step and wait for their model, the whole process',
      limitMiB: 400,
    },
  },
  async open() {
    const figures = async () => ({
      gateway: await wholeGateway(),
      running: inMiB(await runningSessions(COUNT, settledMemory)),
    });
    return { runs: {}, figures, async close() {} };
  },
});

export const memorySandboxes = defineBench({
  title: 'Memory of sandboxes',
  about: 'What they add to the process that holds them.',
  rounds: 0,
  warmUp: 0,
  cases: {},
  figures: {
    idle: { name: `an idle sandbox, of ${COUNT}`, limitMiB: 3 },
    flood: { name: 'one gigabyte of output, at its highest', limitMiB: 150 },
  },
  async open() {
    // The first one loads code that all share.
    const first = await openUsed();
    const figures = async () => ({ idle: inMiB(await idle()), flood: inMiB(await flood(first)) });
    return { runs: {}, figures, close: () => first.destroy() };
  },
});

function inMiB(bytes: number): number {
  return Number((bytes / MEBIBYTE).toFixed(2));
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
async function wholeGateway(): Promise<number> {
  const { newSession, lease, close } = await openBenchGateway({ TERMINAL_ENV: 'bubblewrap' });
  for (let at = 0; at < 1000; at++) await newSession(`chat${at}`);
  for (let at = 0; at < COUNT; at += AT_ONCE) {
    const chats = Array.from({ length: AT_ONCE }, (_, more) => `chat${at + more}`);
    await Promise.all(chats.map(async chat => (await lease(chat)).exec('true', { persistent: true })));
  }
  const used = settledMemory();
  await close();
  return inMiB(used);
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
