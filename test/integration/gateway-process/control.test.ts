// A gateway in this process, with a heart of the test's: what goes over its control socket, and how it stops.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Decision } from '../../../src/approvals/desk.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { type Installation, loadHermesConfig, openInstallation } from '../../../src/compose.ts';
import { askGateway, askIfRunning } from '../../../src/gateway/process/ask-gateway.ts';
import { controlPath } from '../../../src/gateway/process/control-address.ts';
import { serveControl } from '../../../src/gateway/process/control-server.ts';
import type { Heart } from '../../../src/gateway/process/heart.ts';
import { type RunningGateway, startGateway } from '../../../src/gateway/process/start-gateway.ts';
import type { Connection } from '../../../src/platforms/platform.ts';
import type { Serving } from '../../../src/sessions/serve.ts';
import { LOCAL_WARNING } from '../../../src/sessions/start.ts';
import { needService } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { hermesAt } from '../sessions/hermes.ts';
import { newHome } from '../sessions/world.ts';
import { waitingRun } from '../store/waiting-run.ts';

needService('bubblewrap');

let home: string;
let installation: Installation | undefined;
let gateway: RunningGateway | undefined;
let asked: string[];
let logged: string[];

beforeEach(async () => {
  home = await newHome();
  [asked, logged] = [[], []];
});
afterEach(async () => {
  await gateway?.stop();
  await installation?.close();
  [gateway, installation] = [undefined, undefined];
  await rm(home, { recursive: true, force: true });
});

interface Options {
  readonly heart?: Partial<Heart>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly backend?: 'bubblewrap' | 'local';
  readonly supervisor?: 'none' | 'systemd';
  readonly onServing?: (serving: Serving) => void;
}

async function started(options: Options = {}): Promise<RunningGateway> {
  const { heart, settings = {}, backend = 'bubblewrap', supervisor = 'none', onServing } = options;
  const environment = { PATH: process.env['PATH'], TERMINAL_ENV: backend, HERMES_HOME: home };
  const given = { 'gateway.http_port': '0', ...settings };
  const flags = Object.fromEntries(Object.entries(given).map(([key, text]) => [key, { flag: key, text }]));
  const config = await loadHermesConfig(environment, flags);
  const destination = { write: (line: string) => void logged.push(line) };
  const log = createLog({ level: 'info', destination, redact: line => line, now: systemClock.now });
  installation = await openInstallation(config, environment, { role: 'gateway', log });
  const whole: Heart = {
    start: async () => undefined,
    stop: async () => undefined,
    status: () => ({ platforms: [], runs: { active: 0, waiting: 0 } }),
    ...heart,
  };
  gateway = await startGateway({
    ...{ world: installation.world, config, home, words: ['gateway', 'start'] },
    ...{ pid: process.pid, memoryBytes: 8e9, version: '0', supervisor, logPath: 'log' },
    onStopAsked: purpose => void asked.push(purpose),
    makeHeart: serving => {
      onServing?.(serving);
      return whole;
    },
  });
  return gateway;
}

/** Raw lines over the socket; what comes back until it is closed or there are as many answers. */
async function exchange(text: string, answers: number): Promise<string[]> {
  const socket = connect(controlPath(home));
  let received = '';
  socket.setEncoding('utf8').on('data', piece => {
    received += piece;
    if (received.split('\n').length > answers) socket.end();
  });
  // A line that is too long ends the connection while it is still written.
  socket.on('error', () => undefined);
  socket.write(text);
  const closed = new Promise(resolve => socket.once('close', resolve));
  await within(closed, 'the connection is closed');
  return received.split('\n').filter(line => line !== '');
}

/** A program that asks for the status, and says which process it is. */
function rawPeer(wrapper: readonly string[], name: string) {
  const program = join(import.meta.dirname, 'raw-peer.mjs');
  const [command = '', ...rest] = [...wrapper, process.execPath, program, controlPath(home), name];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await within(lines.next(), `${name} answers`)).value ?? 'nothing';
  const ready = next();
  return {
    async claim(pid: string): Promise<string> {
      await ready;
      child.stdin.write(`${pid}\n`);
      return next();
    },
    async end(): Promise<void> {
      child.stdin.end();
      await within(ended, `${name} ends`);
    },
  };
}

/** Its number on this machine. */
async function pidOf(name: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter(each => /^\d+$/.test(each))) {
    const comm = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (comm.trim() === name) return Number(pid);
  }
  throw new Error(`There is no process ${name}.`);
}

describe('the control socket', () => {
  it('is for its user alone, also in a folder that others can read', async () => {
    chmodSync(home, 0o755);
    await started();
    expect(statSync(controlPath(home)).mode & 0o777).toBe(0o600);
  });

  it('works where the path of the home is too long for a socket', async () => {
    const outer = home;
    home = join(outer, 'x'.repeat(120), 'y'.repeat(60));
    mkdirSync(home, { recursive: true, mode: 0o700 });
    await started();
    expect(await askGateway(home, { verb: 'status' })).toMatchObject({ state: 'ready', pid: process.pid });
    await gateway?.stop();
    expect(await askIfRunning(home, { verb: 'status' })).toBeUndefined();
    home = outer;
  });

  it('answers what is no request, and goes on; a line without end ends the connection', async () => {
    await started();
    const answers = await exchange('nonsense\n{"verb":"fly"}\n[]\n{"verb":"hello","pid":1}\n', 4);
    const codes = answers.map(line => JSON.parse(line)).map(({ error, ok }) => error?.code ?? typeof ok.name);
    expect(codes).toEqual([...Array(3).fill('USAGE_BAD_ARGUMENTS'), 'string']);
    expect(await exchange('x'.repeat(200_000), 1)).toEqual([]);
    expect(await askGateway(home, { verb: 'status' })).toMatchObject({ state: 'ready' });
  });

  it('gives the places of those who ask nothing to others, and waits for nobody but who is being answered', async () => {
    const working = Promise.withResolvers<string>();
    const log = createLog({
      ...{ level: 'info', redact: line => line, now: systemClock.now },
      destination: { write: () => undefined },
    });
    const asked = Promise.withResolvers<void>();
    const handle = () => {
      asked.resolve();
      return working.promise;
    };
    const control = await serveControl({ home, handle, redact: text => text, log, idleMs: 2_000 });
    onTestFinished(() => control.close());
    const answer = askGateway(home, { verb: 'status' });
    await within(asked.promise, 'the first one is being answered');
    // More than there are places.
    const idle = Array.from({ length: 40 }, () => connect(controlPath(home)));
    await Promise.all(idle.map(socket => within(once(socket, 'close'), 'an idle connection is closed')));
    working.resolve('done');
    expect(await answer).toBe('done');
    expect(await askGateway(home, { verb: 'status' })).toBe('done');
  });

  const inside = ['--dev-bind', '/', '/', '--proc', '/proc', '--unshare-pid', '--die-with-parent'];
  it.each([
    ['its own process ids', ['bwrap', ...inside]],
    ['its own users as well', ['bwrap', ...inside, '--unshare-user', '--uid', '0', '--gid', '0']],
    ['its own users alone', ['unshare', '--user', '--map-root-user']],
  ])('refuses a peer in a sandbox with %s, whatever process it claims to be', async (_, wrapper) => {
    await started();
    const outside = rawPeer([], 'peer-outside');
    expect(await outside.claim('own')).toBe('served');
    expect(await outside.claim(String(process.pid))).toBe('DENIED_ACTION');
    const peer = rawPeer(wrapper, 'peer-inside');
    expect(await peer.claim('own')).toBe('DENIED_ACTION');
    expect(await peer.claim(String(await pidOf('peer-inside')))).toBe('DENIED_ACTION');
    expect(await peer.claim(String(process.pid))).toBe('DENIED_ACTION');
    expect(await peer.claim('999999999')).toBe('DENIED_ACTION');
    await Promise.all([outside.end(), peer.end()]);
  });

  it('warns of what the heart finds dangerous, once, in the status and in the log', async () => {
    const { warnings } = await started({
      backend: 'local',
      heart: { warnings: () => [LOCAL_WARNING, 'Everybody may speak.'] },
    });
    expect(warnings).toEqual([LOCAL_WARNING, 'Everybody may speak.']);
    expect(await askGateway(home, { verb: 'status' })).toMatchObject({ warnings });
    expect(logged.filter(line => line.includes('Everybody may speak.'))).toHaveLength(1);
    expect(logged.filter(line => line.includes('local terminal backend'))).toHaveLength(1);
  });

  it('shows what the heart says, and its sums as figures', async () => {
    const platforms = [{ name: 'console', state: 'connected' as const, account: 'connected as @it' }];
    const status = () => ({ platforms, runs: { active: 2, waiting: 3 }, counters: { messages_received: 7 } });
    const { status: own } = await started({ heart: { status } });
    expect(await askGateway(home, { verb: 'status' })).toMatchObject({ platforms, runs: { active: 2 } });
    const figures = await (await fetch(`${(await own()).http}/metrics`)).text();
    expect(figures).toContain('hermes_platform_connected{platform="console"} 1');
    expect(figures).toContain('hermes_runs{state="waiting"} 3');
    expect(figures).toContain('hermes_messages_received_total 7');
    expect(await hermesAt(home).text('status')).toMatch(/^platforms +console: connected as @it$/m);
  });

  it('brings an answer of the CLI to the heart, who has somebody waiting for it', async () => {
    const answers: [string, Decision][] = [];
    const answerApproval: Heart['answerApproval'] = async (id, decision) => {
      answers.push([id, decision]);
      return { counted: true, text: 'Denied there.' };
    };
    await started({ heart: { answerApproval } });
    const ask = async () => {
      const common = { runId: 'run', requester: 'console:1', command: 'rm -rf /', findings: [] };
      const session = await installation?.world.store.sessions.enter({
        ...{ key: 'k', kind: 'messaging', platform: 'console', chat: 'c' },
      });
      const expiresAt = systemClock.now() + 60_000;
      return installation?.world.store.approvals.ask({ ...common, sessionId: session?.id ?? '', expiresAt });
    };
    const question = await ask();
    const hermes = hermesAt(home, { TERMINAL_ENV: 'bubblewrap' });
    expect(await hermes.text('approvals', 'deny', question?.id ?? '', '--reason', 'no')).toBe(
      'Denied there.\n',
    );
    expect(answers).toEqual([[question?.id, { kind: 'deny', reason: 'no' }]]);
  });

  it('answers approvals by the store where the heart cannot', async () => {
    await started();
    const { store } = installation?.world ?? {};
    const session = await store?.sessions.enter({
      key: 'k',
      kind: 'messaging',
      platform: 'console',
      chat: 'c',
    });
    if (store) await waitingRun(store, { runId: 'run', sessionId: session?.id ?? '' });
    const question = await store?.approvals.ask({
      ...{ runId: 'run', requester: 'console:1', command: 'rm -rf /', findings: [] },
      ...{ sessionId: session?.id ?? '', expiresAt: systemClock.now() + 60_000 },
    });
    expect(await hermesAt(home).text('approvals', 'approve', question?.id ?? '')).toBe('Approved (once).\n');
    expect(await store?.approvals.find(question?.id ?? '')).toMatchObject({ state: 'approved' });
  });

  it('makes a link for somebody, who is known and allowed from then on', async () => {
    let changes = 0;
    const invite = async (person: string) => ({ link: `http://web/${person}`, expiresAt: 0 });
    const connection = { invite } as Partial<Connection> as Connection; // nothing else of it is used
    await started({
      heart: {
        connection: platform => (platform === 'web' ? connection : undefined),
        peopleChanged: async () => void changes++,
      },
    });
    const hermes = hermesAt(home);
    expect(await hermes.json('gateway', 'login')).toMatchObject({
      person: 'owner',
      link: 'http://web/owner',
    });
    expect(await hermes.text('gateway', 'login', '--person', 'anna')).toMatch(
      /^http:\/\/web\/anna\nIt lets anna in, once/,
    );
    const people = await installation?.world.store.people.list();
    expect(people?.map(({ userId, role, standing }) => [userId, role, standing]).sort()).toEqual([
      ['anna', 'user', 'allowed'],
      ['owner', 'owner', 'allowed'],
    ]);
    expect(changes).toBe(2);
    expect(await hermes.error('gateway', 'login', '--platform', 'telegram')).toMatchObject({
      code: 'USAGE_UNKNOWN_COMMAND',
    });
    await hermes.text('people', 'deny', 'web:anna');
    expect(await hermes.error('gateway', 'login', '--person', 'anna')).toMatchObject({
      code: 'DENIED_PERSON',
      message: expect.stringContaining('hermes people allow web:anna'),
    });
  });

  it('has the gateway itself destroy a sandbox that it is connected to', async () => {
    let serving: Serving | undefined;
    await started({ onServing: given => (serving = given) });
    const session = await installation?.world.store.sessions.enter({
      ...{ key: 'k', kind: 'messaging', platform: 'console', chat: 'c' },
    });
    if (!serving || !session) throw new Error('not started');
    const lease = await serving.sandboxes.lease(session, { purpose: 'run', actor: 'console:1' });
    const { sandboxId } = lease;
    const hermes = hermesAt(home);
    expect(await hermes.error('sandbox', 'destroy', sandboxId)).toMatchObject({ code: 'SANDBOX_IN_USE' });
    await lease.release();
    expect(serving.sandboxes.life.handle(sandboxId)).toBeDefined();
    expect(await hermes.text('sandbox', 'destroy', sandboxId)).toBe(`${sandboxId} is gone.\n`);
    expect(serving.sandboxes.life.handle(sandboxId)).toBeUndefined();
  });
});

describe('where chats run as the user of the gateway', () => {
  it('the socket takes no answers, links, codes and stops, since a command of a chat could ask for them', async () => {
    const asks: string[] = [];
    await started({
      backend: 'local',
      heart: {
        openClaim: async () => void asks.push('claim'),
        connection: platform => void asks.push(platform),
        answerApproval: async id => {
          asks.push(id);
          return { counted: true, text: 'Approved.' };
        },
      },
    });
    const requests = [
      { verb: 'answer-approval', approval: 'a', decision: { kind: 'approve', scope: 'once' } },
      { verb: 'invite', platform: 'web', person: 'owner' },
      { verb: 'claim' },
      { verb: 'stop', purpose: 'end' },
    ] as const;
    for (const request of requests)
      await expect(askGateway(home, request), request.verb).rejects.toMatchObject({ code: 'DENIED_ACTION' });
    expect([...asks, ...asked]).toEqual([]);
    expect(await askGateway(home, { verb: 'status' })).toMatchObject({ state: 'ready' });
  });

  it.each([
    ['none', true],
    ['systemd', false],
  ] as const)(
    'a link for the owner is printed at the start, and not into a journal (%s)',
    async (supervisor, isPrinted) => {
      const made = { link: 'http://web/once', expiresAt: 0 };
      const { login } = await started({
        backend: 'local',
        supervisor,
        heart: { ownerLink: async () => made },
      });
      expect(login).toEqual(isPrinted ? made : undefined);
    },
  );
});

describe('a stop', () => {
  it('is asked for over the socket, with the words that started it', async () => {
    await started();
    expect(await askGateway(home, { verb: 'stop', purpose: 'restart' })).toEqual({
      ...{ pid: process.pid, supervisor: 'none', words: ['gateway', 'start'] },
    });
    expect(asked).toEqual(['restart']);
  });

  it('waits for the heart as long as the setting says, and tells it when that is over', async () => {
    let late: AbortSignal | undefined;
    const stop: Heart['stop'] = ({ signal }) => {
      late = signal;
      return new Promise(resolve => signal.addEventListener('abort', () => resolve()));
    };
    await started({ heart: { stop }, settings: { 'gateway.stop_timeout': '0' } });
    await gateway?.stop();
    expect(late?.aborted).toBe(true);
    expect(await askIfRunning(home, { verb: 'status' })).toBeUndefined();
  });

  it('still answers whoever has asked before', async () => {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const answerApproval: Heart['answerApproval'] = async () => {
      arrived.resolve();
      await released.promise;
      return { counted: true, text: 'in time' };
    };
    await started({ heart: { answerApproval } });
    const decision = { kind: 'approve', scope: 'once' } as const;
    const answer = askGateway(home, { verb: 'answer-approval', approval: 'a', decision });
    await within(arrived.promise, 'the request to arrive');
    const ended = gateway?.stop();
    setImmediate(() => setImmediate(released.resolve));
    expect(await answer).toEqual({ counted: true, text: 'in time' });
    await ended;
  });

  it('closes everything else although the heart fails, and writes that down', async () => {
    const stop = async (): Promise<void> => {
      throw new Error('stuck');
    };
    await started({ heart: { stop } });
    await gateway?.stop();
    expect(logged.join('')).toContain('stuck');
    expect(await askIfRunning(home, { verb: 'status' })).toBeUndefined();
    expect((await installation?.world.store.installation.read())?.gateway).toBeNull();
  });

  it('is not ready any more while it stops', async () => {
    const stopping = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const stop = (): Promise<void> => {
      stopping.resolve();
      return done.promise;
    };
    const { status } = await started({ heart: { stop } });
    const { http } = await status();
    const ended = gateway?.stop();
    await within(stopping.promise, 'the stop to begin');
    expect((await fetch(`${http}/readyz`)).status).toBe(503);
    expect((await fetch(`${http}/healthz`)).status).toBe(200);
    done.resolve();
    await ended;
  });

  it('leaves nothing of a start that the heart broke', async () => {
    const start = async (): Promise<void> => {
      throw new Error('no heart');
    };
    await expect(started({ heart: { start } })).rejects.toThrow('no heart');
    expect(await askIfRunning(home, { verb: 'status' })).toBeUndefined();
    await installation?.close();
    await started();
    expect(await askGateway(home, { verb: 'status' })).toMatchObject({ state: 'ready' });
  });
});
