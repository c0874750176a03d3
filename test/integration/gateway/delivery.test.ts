// How answers get out: live, in order, whole, and once (P12), whatever the platform does meanwhile.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AgentEvent } from '../../../src/agent/events.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { createPlatform } from '../../../src/platforms/telegram/index.ts';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { answered, done, type House, OWNER, USER } from './house.ts';
import { blocked, limited, MemoryPlatform, offline } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

/** Streams, goes on when it is told to, and answers with all of it. */
function slowly(texts: readonly string[], next: readonly Promise<void>[]) {
  return async function* (): AsyncGenerator<AgentEvent> {
    for (const [at, delta] of texts.entries()) {
      yield { type: 'text', delta };
      await next[at];
    }
    yield answered(texts.join(''));
  };
}

it('streams an answer as edits of one message', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { platform } = await houses.open({
    script: slowly(
      ['Once ', 'upon a time'],
      gates.map(({ promise }) => promise),
    ),
  });
  await platform.say(USER, 'a story');
  await platform.shows(USER, 'Once …');
  gates[0]?.resolve();
  await platform.shows(USER, 'Once upon a time …');
  gates[1]?.resolve();
  await platform.until(() => platform.texts(USER)[0] === 'Once upon a time');
  expect(platform.chat(USER)).toHaveLength(1);
});

it('sends an answer once it is whole where the platform cannot edit', async () => {
  const platform = new MemoryPlatform('telegram', { edits: false });
  await houses.open({ platform, script: slowly(['a', 'b'], []) });
  await platform.say(USER, 'x');
  await platform.shows(USER, 'ab');
  expect(platform.texts(USER)).toEqual(['ab']);
});

it('sends a new message when the one it was writing is gone', async () => {
  const gate = Promise.withResolvers<void>();
  const { platform } = await houses.open({ script: slowly(['Once', '.'], [gate.promise]) });
  await platform.say(USER, 'x');
  await platform.shows(USER, 'Once …');
  platform.trouble = call => {
    if (call === 'edit') throw blocked();
  };
  gate.resolve();
  await platform.until(() => platform.texts(USER).at(-1) === 'Once.');
  expect(platform.chat(USER)).toHaveLength(2);
});

it('continues an answer that outgrows its message, and sends a very long one as a file', async () => {
  const platform = new MemoryPlatform('telegram', { maxText: 400 });
  const gate = Promise.withResolvers<void>();
  const code = `Look:\n\`\`\`js\n${'let x = 1;\n'.repeat(60)}\`\`\`\n`;
  const long = 'word '.repeat(2000);
  await houses.open({
    platform,
    async *script({ text }) {
      if (text === 'long') return yield answered(long);
      yield { type: 'text', delta: code };
      await gate.promise;
      yield answered(code);
    },
  });
  await platform.say(USER, 'code');
  await platform.until(() => platform.chat(USER).length === 1);
  gate.resolve();
  await platform.until(() => platform.chat(USER).length === 2);
  const [first = '', second = ''] = platform.texts(USER);
  expect(first).toMatch(/^Look:\n```js\n[^`]*\n```$/);
  expect(second).toMatch(/^```js\n[^`]*```/);
  await platform.say(USER, 'long');
  await platform.until(() => platform.chat(USER).length === 4);
  const file = platform.chat(USER)[3]?.file;
  expect(file?.name).toBe('answer.md');
  expect(Buffer.from(file?.bytes ?? []).toString()).toBe(long);
});

it('sends files of the agent, and gives the model a receipt', async () => {
  const receipts: string[] = [];
  const { platform, home } = await houses.open({
    async *script() {
      const arrived = Promise.withResolvers<void>();
      const file = { name: 'a.txt', bytes: Buffer.from('hello'), caption: 'here' };
      yield {
        type: 'file',
        file,
        delivered: receipt => {
          receipts.push(receipt);
          arrived.resolve();
        },
      };
      await arrived.promise;
      yield {
        type: 'file',
        file: { name: 'big', bytes: Buffer.alloc(10_000_001) },
        delivered: r => void receipts.push(r),
      };
      yield answered('sent');
    },
  });
  await platform.say(USER, 'x');
  await platform.shows(USER, 'sent');
  const [shown] = platform.chat(USER);
  expect({ ...shown?.file, bytes: Buffer.from(shown?.file?.bytes ?? []).toString() }).toEqual({
    name: 'a.txt',
    bytes: 'hello',
  });
  expect(receipts).toEqual([
    'Sent a.txt (5 bytes) to the chat.',
    'Not sent: big has 10000001 bytes, and this chat takes 10000000 at most.',
  ]);
  expect(await readdir(join(home, 'outbox'))).toEqual([]);
  expect((await stat(join(home, 'outbox'))).mode & 0o777).toBe(0o700);
});

it('refuses a file that is too large with the limit, and gives the others to the agent', async () => {
  const { platform } = await houses.open({
    async *script({ files }) {
      const [file] = files;
      yield answered(`${files.length} file: ${Buffer.from((await file?.bytes()) ?? []).toString()}`);
    },
  });
  platform.files.set('small', Buffer.from('content'));
  await platform.say(USER, 'look', {
    files: [
      { name: 'small', size: 7 },
      { name: 'huge', size: 1001 },
    ],
  });
  await platform.shows(USER, '1 file: content');
  expect(platform.texts(USER)[0]).toBe(
    'huge was not taken in: it has 1001 bytes, and 1000 are allowed here.',
  );
});

it('P12: keeps answers while the platform is away, and sends them in order when it is back', async () => {
  const { platform } = await houses.open();
  platform.trouble = call => {
    if (call === 'send') throw offline();
  };
  await platform.say(USER, 'one');
  await platform.until(() => platform.calls.includes('send'));
  await platform.say(USER, 'two');
  await platform.say('3', 'other');
  platform.trouble = () => {};
  platform.reconnected();
  await platform.until(() => platform.chat(USER).length === 2 && platform.chat('3').length === 1);
  expect(platform.texts(USER)).toEqual(['echo one', 'echo two']);
});

it('waits as long as the server asks, and does not hold up other chats', async () => {
  const { platform } = await houses.open();
  let refusals = 0;
  platform.trouble = (call, chat) => {
    if (call === 'send' && chat === USER && refusals++ < 2) throw limited(30);
  };
  await platform.say(USER, 'one');
  await platform.say('3', 'two');
  await platform.shows('3', 'echo two');
  await platform.shows(USER, 'echo one');
  expect(platform.texts(USER)).toEqual(['echo one']);
  expect(refusals).toBe(3);
});

it('shows the owner what could not be delivered', async () => {
  const { platform, ground } = await houses.open();
  platform.trouble = (call, chat) => {
    if (call === 'send' && chat === USER) throw blocked();
  };
  await platform.say(USER, 'one');
  await platform.shows(OWNER, 'was not delivered: The bot was blocked by the person.');
  expect(await ground.world.store.outbox.waiting()).toEqual([]);
});

it('connects later to a platform that cannot be reached at the start', async () => {
  const platform = new MemoryPlatform();
  let attempts = 0;
  platform.trouble = call => {
    if (call === 'connect' && attempts++ === 0) throw offline();
  };
  const { gateway } = await houses.open({ platform });
  expect(gateway.status().platforms).toMatchObject([{ state: 'offline' }]);
  await platform.until(() => attempts === 2);
  await platform.say(USER, 'hi');
  await platform.shows(USER, 'echo hi');
});

it('explains a refused connection when the sandbox has no network', async () => {
  let house: House | undefined;
  house = await houses.open({
    async *script(turn, session) {
      await using _ = await house?.ground.sandboxes.lease(session, {
        purpose: 'test',
        actor: turn.requester,
      });
      yield { type: 'tool-started', id: 'c', tool: 'terminal', summary: 'curl example.org' };
      const text = 'curl: (6) Could not resolve host: example.org';
      yield { type: 'tool-finished', id: 'c', tool: 'terminal', isError: true, text, durationMs: 1 };
      yield answered('No network.');
    },
  });
  const { platform } = house;
  await platform.say(USER, 'fetch it');
  await platform.shows(USER, 'No network.');
  expect(platform.texts(USER).join('\n')).toContain('`/network open`');
});

it('P7: hides secrets in whatever goes to a chat', async () => {
  const { platform } = await houses.open({
    async *script() {
      yield answered('the password is hunter2');
    },
  });
  await platform.say(USER, 'x');
  await platform.shows(USER, 'the password is ***');
});

it('tells when a background process has ended, once', async () => {
  const { platform, ground } = await houses.open({
    async *script(_, session) {
      const { store, installation } = ground.world;
      const shape = {
        whenIdle: 'destroy',
        policyHash: 'x',
        policy: {},
        deadline: 0,
        backend: 'bubblewrap',
      } as const;
      await store.ledger.enter({ id: 'box', sessionId: session.id, installation, ...shape });
      await store.processes.enter({ sandboxId: 'box', id: 'p1', command: 'make all' });
      await store.processes.end({ sandboxId: 'box', id: 'p1' }, { state: 'exited', code: 2 });
      yield done('answered');
    },
  });
  await platform.say(USER, 'build');
  await platform.shows(USER, 'Background process p1 (`make all`) ended with exit code 2.');
  expect(await ground.world.store.processes.untold()).toEqual([]);
  const { ledger } = ground.world.store;
  await ledger.move('box', 'destroying');
  await ledger.move('box', 'gone');
});

it.each([
  { mode: 'all', told: ['p1 still', 'p2 ended', 'p3 ended'] },
  { mode: 'result', told: ['p2 ended', 'p3 ended'] },
  { mode: 'error', told: ['p3 ended'] },
  { mode: 'off', told: [] },
])('tells of background processes what the setting says: $mode', async ({ mode, told }) => {
  const { platform, ground } = await houses.open({
    environment: { HERMES_BACKGROUND_NOTIFICATIONS: mode },
    async *script(_, session) {
      const { store, installation } = ground.world;
      const shape = { whenIdle: 'destroy', policyHash: 'x', policy: {}, deadline: 0 } as const;
      const box = { id: 'box', sessionId: session.id, installation, backend: 'bubblewrap' };
      await store.ledger.enter({ ...box, ...shape });
      for (const [id, code] of [['p1', undefined] as const, ['p2', 0] as const, ['p3', 1] as const]) {
        const ref = { sandboxId: 'box', id };
        await store.processes.enter({ ...ref, command: 'make' });
        if (code === undefined) await store.processes.checked(ref, 'step ``` 1');
        else await store.processes.end(ref, { state: 'exited', code }, 'made');
      }
      yield answered('started');
    },
  });
  await platform.say(USER, 'build');
  await platform.shows(USER, 'started');
  const { processes, ledger } = ground.world.store;
  await expect.poll(() => processes.untold(), { timeout: 60_000 }).toEqual([]);
  await expect.poll(() => processes.untoldProgress(), { timeout: 60_000 }).toEqual([]);
  const texts: Record<string, string> = {
    'p1 still':
      'Background process p1 (`make`) is still running (less than a minute). Last output:\n````\nstep ``` 1\n````',
    'p2 ended': 'Background process p2 (`make`) ended with exit code 0. Last output:\n```\nmade\n```',
    'p3 ended': 'Background process p3 (`make`) ended with exit code 1. Last output:\n```\nmade\n```',
  };
  for (const name of told) await platform.shows(USER, texts[name] ?? '');
  const shown = platform.texts(USER).filter(text => text.startsWith('Background process'));
  expect(shown).toHaveLength(told.length);
  await processes.endAll('box');
  await ledger.move('box', 'destroying');
  await ledger.move('box', 'gone');
});

it('tells running chats when it stops, and leaves the rest to be taken up', async () => {
  const stopping = new AbortController();
  const first = await houses.open({
    async *script({ signal, text }) {
      if (text === 'quick') return yield answered('quick answer');
      if (text === 'tool') yield { type: 'tool-started', id: 'c', tool: 'terminal', summary: 'make' };
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
      yield done('canceled');
    },
  });
  const { platform, gateway, home } = first;
  await platform.say(USER, 'long');
  await platform.say('3', 'tool');
  await platform.say('4', 'quick');
  await platform.shows('4', 'quick answer');
  await platform.shows('3', 'terminal: make');
  const stopped = gateway.stop({ signal: stopping.signal });
  await platform.shows(USER, 'is being stopped');
  await platform.shows('3', 'is being stopped');
  stopping.abort();
  await stopped;
  await first.crash();
  const next = await houses.open({ home });
  await next.platform.shows(USER, 'echo long');
  // The agent of this test has written down nothing of what it began.
  await next.platform.shows('3', 'echo tool');
  expect(platform.texts('3').join()).toContain('takes this up after its start');
});

it('P12: goes on with a long answer where it broke off, and marks only what may have arrived already', async () => {
  const telegram = await startTelegram();
  const settings = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
  const parts = ['one', 'two', 'three'].map(name => `${name} ${'word '.repeat(700)}`.trim());
  await houses.open({
    environment: settings,
    platforms: async ({ clock, log }) => {
      const platform = createPlatform(await loadHermesConfig(settings), { clock, log });
      return platform ? [platform] : [];
    },
    async *script() {
      yield answered(parts.join('\n\n'));
    },
  });
  onTestFinished(() => telegram.close());
  const heads = (chat: string) =>
    telegram.sent.filter(each => each.chat === chat).map(({ text }) => text.slice(0, text.indexOf(' word')));
  telegram.say(2, 'a report');
  await telegram.whenCalled('sendMessage');
  telegram.fault('sendMessage', 'server-error');
  await telegram.whenSent(({ text }) => text.startsWith('three'));
  expect(heads('2')).toEqual(['one', 'two', 'three']);
  telegram.say(3, 'a report');
  await telegram.whenCalled('sendMessage', ({ params }) => params['chat_id'] === '3');
  telegram.fault('sendMessage', 'drop-after');
  await telegram.whenSent(({ chat, text }) => chat === '3' && text.startsWith('three'));
  expect(heads('3')).toEqual(['one', 'two', '(repeated) two', 'three']);
});
