// A run that is cancelled, at any moment: nothing goes on, the history is whole, and the next message works.
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AgentEvent } from '../../../src/agent/events.ts';
import { type Script, startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Gateways, useGateways } from '../sessions/use-gateways.ts';
import { type Gateway, newHome } from '../sessions/world.ts';
import { messagesOf, openCalls, resultsOf, type Said, say, stageOn } from './stage.ts';

const terminal = (command: string) => ({ name: 'terminal', input: { command } });

/** Cancels as soon as such an event comes. */
function cancelAt(when: (event: AgentEvent) => boolean): Pick<Said, 'signal' | 'onEvent'> {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onEvent: event => {
      if (when(event)) controller.abort(new Error('stop'));
    },
  };
}

async function expectWhole(gateway: Gateway, sessionId: string): Promise<void> {
  const messages = await messagesOf(gateway, sessionId);
  expect(openCalls(messages)).toEqual([]);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', calls: [] });
  expect(await gateway.world.store.leases.list()).toEqual([]);
  expect((await gateway.world.store.runs.running()).length).toBe(0);
}

async function stageFor({ started }: Gateways, script: Script, home?: string) {
  const server = await startModelServer(script);
  const gateway = await started(home === undefined ? {} : { home });
  return { server, gateway, session: await gateway.session('a'), ...(await stageOn(gateway, { server })) };
}

function inTheModel(gateways: Gateways): void {
  it('while the model writes keeps what it had written', async () => {
    const { server, gateway, session, agent } = await stageFor(gateways, [
      [{ text: 'I think ' }, { silence: true }],
      [{ text: 'Fine.' }],
    ]);
    await using _ = server;
    const heard = await say(
      agent,
      session,
      'go',
      cancelAt(({ type }) => type === 'text'),
    );
    expect(heard.outcome.kind).toBe('canceled');
    await expectWhole(gateway, session.id);
    const last = (await messagesOf(gateway, session.id)).at(-1);
    expect(last).toMatchObject({ text: expect.stringMatching(/^I think \n\[Cancelled/) });
    expect((await say(agent, session, 'again')).text).toBe('Fine.');
    expect(server.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('before the model says anything', async () => {
    const { server, gateway, session, agent } = await stageFor(gateways, [
      [{ silence: true }],
      [{ text: 'Fine.' }],
    ]);
    await using _ = server;
    const controller = new AbortController();
    const running = say(agent, session, 'go', { signal: controller.signal });
    await server.arrived(1);
    controller.abort();
    expect((await running).outcome.kind).toBe('canceled');
    await expectWhole(gateway, session.id);
    expect((await say(agent, session, 'again')).text).toBe('Fine.');
  });
}

function inATool(gateways: Gateways): void {
  it('P6: during a tool ends its processes, and later calls are not run', async () => {
    const { server, gateway, session, agent } = await stageFor(gateways, [
      [{ calls: [terminal('echo begun; sleep 297 & sleep 298'), terminal('echo never >proof')] }],
      [{ call: terminal('ls; pgrep -af "sleep 29[78]" || echo none') }],
      [{ text: 'Fine.' }],
    ]);
    await using _ = server;
    const heard = await say(
      agent,
      session,
      'go',
      cancelAt(({ type }) => type === 'tool-output'),
    );
    expect(heard.outcome).toMatchObject({ kind: 'canceled', usage: { toolCalls: 1 } });
    await expectWhole(gateway, session.id);
    const answers = (await messagesOf(gateway, session.id)).filter(({ role }) => role === 'tool');
    expect(JSON.stringify(answers[0])).toMatch(/cancel/i);
    expect(JSON.stringify(answers[1])).toContain('not run');
    const again = await say(agent, session, 'again');
    expect(again.text).toBe('Fine.');
    expect(resultsOf(again.events).join()).not.toMatch(/proof|sleep 29[78]$/m);
  });

  it('P8: during an approval denies it, and nothing was run', async () => {
    const { home, shared } = await homeWithFolder();
    const { server, gateway, session, agent, desk, asked } = await stageFor(
      gateways,
      [
        [{ call: terminal('rm -rf /data/precious') }],
        [{ call: terminal('rm -rf /data/precious') }],
        [{ text: 'Gone.' }],
      ],
      home,
    );
    await using _ = server;
    const heard = await say(
      agent,
      session,
      'go',
      cancelAt(({ type }) => type === 'approval-asked'),
    );
    expect(heard.outcome.kind).toBe('canceled');
    expect(heard.events).toContainEqual(
      expect.objectContaining({ type: 'approval-settled', approved: false }),
    );
    expect(await desk.pending()).toEqual([]);
    expect(await readdir(shared)).toEqual(['precious']);
    await expectWhole(gateway, session.id);
    const approved = await say(agent, session, 'again', {
      onEvent: async event => {
        if (event.type !== 'approval-asked') return;
        const { id } = event.question;
        await desk.answer(id, { who: 'test:1', isOwner: true }, { kind: 'approve', scope: 'once' });
      },
    });
    expect(asked.map(({ command }) => command)).toEqual(['rm -rf /data/precious', 'rm -rf /data/precious']);
    expect(approved.events).toContainEqual(
      expect.objectContaining({ type: 'approval-settled', approved: true }),
    );
    expect(await readdir(shared)).toEqual([]);
    expect(approved.text).toBe('Gone.');
  });
}

function inBetween(gateways: Gateways): void {
  it('while its conversation is being summarised keeps all of it', async () => {
    const isSummary = (system: string): boolean => system.startsWith('You write down what happened');
    const script: Script = ({ system, lastText }) => {
      if (isSummary(system)) return [{ silence: true }];
      const inputTokens = lastText === 'again' ? 100 : 7500;
      return [{ text: 'lorem '.repeat(700) }, { end: 'stop', inputTokens, outputTokens: 10 }];
    };
    await using server = await startModelServer(script);
    const gateway = await gateways.started();
    const settings = { 'model.context_tokens': '8000' };
    const { agent } = await stageOn(gateway, { server, settings });
    const session = await gateway.session('a');
    await say(agent, session, `${'first '.repeat(500)}`);
    const controller = new AbortController();
    const running = say(agent, session, 'second', { signal: controller.signal });
    await server.arrived(2);
    expect(isSummary(server.requests[1]?.system ?? '')).toBe(true);
    controller.abort();
    expect((await running).outcome.kind).toBe('canceled');
    await expectWhole(gateway, session.id);
    const { summary, turns } = await gateway.world.store.turns.history(session.id);
    expect([summary, turns.length]).toEqual([undefined, 4]);
    const larger = await stageOn(gateway, { server });
    expect((await say(larger.agent, session, 'again')).outcome.kind).toBe('answered');
  });

  it('while it waits for a place leaves the queue', async () => {
    await using server = await startModelServer(({ results }) =>
      results.length === 0 ? [{ call: terminal('echo ok') }] : [{ text: 'Done.' }],
    );
    const gateway = await gateways.started({ most: 1 });
    const { agent } = await stageOn(gateway, { server });
    const other = await gateway.session('other');
    const held = await gateway.sandboxes.lease(other, { purpose: 'r', actor: 'test:2' });
    const session = await gateway.session('a');
    const heard = await say(
      agent,
      session,
      'go',
      cancelAt(({ type }) => type === 'notice'),
    );
    expect(heard.notices.join()).toContain('waiting for one');
    expect(heard.outcome.kind).toBe('canceled');
    await held.release();
    await expectWhole(gateway, session.id);
    expect((await say(agent, session, 'again')).text).toBe('Done.');
  });

  it('while a file is on its way to the chat', async () => {
    const send = { name: 'send_file', input: { path: 'f' } };
    const { server, gateway, session, agent } = await stageFor(gateways, [
      [{ calls: [terminal('echo x >f'), send] }],
      [{ text: 'Fine.' }],
    ]);
    await using _ = server;
    const cancel = cancelAt(({ type }) => type === 'file');
    const heard = await say(agent, session, 'go', { ...cancel, delivers: 'never' });
    expect(heard.outcome.kind).toBe('canceled');
    expect(resultsOf(heard.events).at(-1)).toContain('under way');
    await expectWhole(gateway, session.id);
    expect((await say(agent, session, 'again')).text).toBe('Fine.');
  });
}

function whileItWaits(gateways: Gateways): void {
  it('while a question to the person is open', async () => {
    const { server, gateway, session, agent } = await stageFor(gateways, [
      [{ call: { name: 'ask_user', input: { question: 'Which?', options: ['a', 'b'] } } }],
    ]);
    await using _ = server;
    const never = () => new Promise<string>(() => {});
    const cancel = cancelAt(({ type }) => type === 'question');
    expect((await say(agent, session, 'go', { answer: never, ...cancel })).outcome.kind).toBe('canceled');
    await expectWhole(gateway, session.id);
  });

  it('while a file comes in, or before anything began', async () => {
    const { server, gateway, session, agent } = await stageFor(gateways, [[{ text: 'x' }]]);
    await using _ = server;
    const controller = new AbortController();
    const bytes = (): Promise<Uint8Array> => {
      controller.abort();
      return new Promise(() => {});
    };
    const files = [{ name: 'a', bytes }];
    const heard = [
      await say(agent, session, 'go', { files, signal: controller.signal }),
      await say(agent, session, 'go', { signal: AbortSignal.abort() }),
    ];
    expect(heard.map(({ outcome }) => outcome.kind)).toEqual(['canceled', 'canceled']);
    expect(server.requests).toEqual([]);
    expect(await gateway.world.store.leases.list()).toEqual([]);
    expect(await gateway.world.store.runs.running()).toEqual([]);
  });

  it('because nobody listens any more', async () => {
    const { server, gateway, session, agent } = await stageFor(gateways, [
      [{ call: terminal('echo begun; sleep 299') }],
    ]);
    await using _ = server;
    const turn = { runId: 'r', text: 'go', files: [], requester: 'test:1', isOwner: true, mostFileBytes: 0 };
    for await (const event of agent.run(session, { ...turn, signal: new AbortController().signal })) {
      if (event.type === 'tool-output') break;
    }
    await expectWhole(gateway, session.id);
    expect((await gateway.world.store.runs.find('r'))?.state).toBe('canceled');
  });
}

/** A home whose sessions have a folder of this machine at /data, with something in it. */
async function homeWithFolder(): Promise<{ home: string; shared: string }> {
  const home = await newHome();
  const shared = await mkdtemp(join(tmpdir(), 'hermes-shared-'));
  onTestFinished(() => rm(shared, { recursive: true }));
  await mkdir(join(shared, 'precious'));
  await chmod(shared, 0o777);
  await writeFile(join(home, 'config.yaml'), `gateway:\n  sandbox_volumes: ["${shared}:/data"]\n`);
  return { home, shared };
}

describeWith('bubblewrap', () => {
  const gateways = useGateways();
  for (const tests of [inTheModel, inATool, inBetween, whileItWaits]) tests(gateways);
});
