// What an agent remembers: conversations that become too long, and runs that a restart cut off.
import { expect, it } from 'vitest';
import { type Script, type Step, startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Gateways, useGateways } from '../sessions/use-gateways.ts';
import { messagesOf, openCalls, resultsOf, say, stageOn } from './stage.ts';

const terminal = (command: string) => ({ name: 'terminal', input: { command } });
const isSummary = (system: string): boolean => system.startsWith('You write down what happened');
const words = (count: number): string => 'lorem '.repeat(count);

function long({ started }: Gateways): void {
  const stage = async (script: Script, contextTokens: number) => {
    const server = await startModelServer(script);
    const gateway = await started();
    const settings = { 'model.context_tokens': String(contextTokens) };
    return {
      server,
      gateway,
      session: await gateway.session('a'),
      ...(await stageOn(gateway, { server, settings })),
    };
  };

  it('shortens old results before the context is full, and keeps recent ones whole', async () => {
    const script: Script = ({ results }) =>
      results.length < 6
        ? [{ call: terminal(`head -c 8000 /dev/zero | tr '\\\\0' ${'abcdef'[results.length]}`) }]
        : [{ text: 'ok' }];
    const { server, session, agent } = await stage(script, 20_000);
    await using _ = server;
    const { outcome } = await say(agent, session, 'go');
    expect(outcome.kind).toBe('answered');
    const [first = '', ...rest] = server.requests.at(-1)?.results ?? [];
    expect(first).toContain('Shortened because it is old');
    expect(rest.at(-1)).toContain('f'.repeat(8000));
    expect(server.requests.filter(({ system }) => isSummary(system))).toEqual([]);
  });

  it('summarises what is old, keeps what is recent whole, and remembers it in the next run', async () => {
    const script: Script = ({ system, lastText }) =>
      isSummary(system)
        ? [{ text: 'They talked about A.' }]
        : [{ text: `about ${lastText.slice(-1)} ${words(300)}` }];
    const { server, gateway, session, agent } = await stage(script, 6000);
    await using _ = server;
    const notices: string[] = [];
    for (const name of 'ABCDEFGH')
      notices.push(...(await say(agent, session, `${words(300)} ${name}`)).notices);
    expect(notices.join()).toContain('summarised');
    const summaries = server.requests.filter(({ system }) => isSummary(system));
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries[0]?.lastText).toContain('PERSON: lorem');
    const last = server.requests.at(-1);
    expect(last?.messages[0]?.text).toContain('They talked about A.');
    expect(last?.lastText).toMatch(/ H$/);
    expect(JSON.stringify(last?.body).length).toBeLessThan(6000 * 3);
    const { turns } = await gateway.world.store.turns.history(session.id);
    expect(turns.length).toBeLessThan(16);
    await say(agent, session, 'Z');
    expect(server.requests.at(-1)?.messages[0]?.text).toContain('They talked about A.');
  });

  it('keeps the request in its own words when the run itself fills the context', async () => {
    const script: Script = ({ system, messages }) => {
      if (isSummary(system)) return [{ text: 'Many numbers were printed.' }];
      const steps = messages.filter(({ role }) => role === 'assistant').length;
      return messages[0]?.text.includes('Many numbers') && steps > 2
        ? [{ text: 'done' }]
        : [{ call: terminal('seq 1500') }, { text: words(500) }];
    };
    const { server, session, agent } = await stage(script, 10_000);
    await using _ = server;
    const { outcome } = await say(agent, session, 'Count the purple elephants');
    expect(outcome).toMatchObject({ kind: 'answered', text: 'done' });
    expect(server.requests.at(-1)?.messages[0]?.text).toContain('Count the purple elephants');
  });

  it('makes it shorter once when the server says that it is too long', async () => {
    const full: Step[] = [
      {
        status: 400,
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message: 'maximum context length',
      },
    ];
    let refusals = 0;
    const script: Script = ({ system, body }) => {
      if (isSummary(system)) return [{ text: 'They talked.' }];
      if (JSON.stringify(body['messages']).length < 9000) return [{ text: 'ok' }];
      refusals++;
      return full;
    };
    const { server, session, agent } = await stage(script, 100_000);
    await using _ = server;
    for (const name of ['A', 'B', 'C', 'D', 'E']) {
      expect((await say(agent, session, `${words(400)} ${name}`)).outcome).toMatchObject({
        kind: 'answered',
        text: 'ok',
      });
    }
    expect(refusals).toBeGreaterThan(0);
    const hopeless = await say(agent, session, words(3000));
    expect(hopeless.outcome).toMatchObject({ kind: 'failed', code: 'USAGE_CONTEXT_FULL' });
    expect(JSON.stringify(hopeless.outcome)).toContain('/new');
  });
}

function restarting({ started, restarted }: Gateways): void {
  it('P10: tells what is known and unknown, and never runs a run again that had begun something', async () => {
    const script: Script = ({ lastText, results }) => {
      if (lastText === 'What is there?')
        return results.length === 0 ? [{ call: terminal('ls; cat count') }] : [{ text: 'That.' }];
      if (results.length === 0)
        return [{ calls: [terminal('echo x >>count'), terminal('echo begun; sleep 300; echo x >>count')] }];
      return [{ text: 'unexpected' }];
    };
    await using server = await startModelServer(script);
    const gateway = await started();
    const session = await gateway.session('a');
    const first = await stageOn(gateway, { server });
    const turn = {
      runId: 'cut',
      text: 'Work',
      files: [],
      requester: 'test:1',
      isOwner: true,
      mostFileBytes: 0,
    };
    const events = first.agent
      .run(session, { ...turn, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    for (let next = await events.next(); next.value?.type !== 'tool-output' || next.value.id.endsWith('_0'); )
      next = await events.next();

    const second = await restarted(gateway);
    const { agent } = await stageOn(second, { server });
    const [cut, ...others] = await agent.recover();
    expect(others).toEqual([]);
    expect(cut).toMatchObject({
      mayRunAgain: false,
      run: { id: 'cut', sessionId: session.id, startedTool: true },
    });
    expect(cut?.text).toMatch(
      /ended before:\n• terminal: echo x >>count \(done\)\nUnknown whether it took effect:\n• terminal: echo begun/,
    );
    expect(await agent.recover()).toEqual([]);
    expect((await second.world.store.runs.find('cut'))?.state).toBe('cut-off');
    expect(openCalls(await messagesOf(second, session.id))).toEqual([]);

    const heard = await say(agent, session, 'What is there?');
    expect(heard.text).toBe('That.');
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain('unknown: the gateway restarted');
    expect(resultsOf(heard.events).join()).toMatch(/count\nx\n/);
  });

  it('leaves nothing of a run that had begun nothing, so that it may be run again', async () => {
    await using server = await startModelServer([
      [{ text: 'Hello ' }, { silence: true }],
      [{ text: 'Again.' }],
    ]);
    const gateway = await started();
    const session = await gateway.session('a');
    const first = await stageOn(gateway, { server });
    const turn = {
      runId: 'cut',
      text: 'Hi',
      files: [],
      requester: 'test:1',
      isOwner: true,
      mostFileBytes: 0,
    };
    await first.agent.run(session, { ...turn, signal: new AbortController().signal }).next();

    const second = await restarted(gateway);
    const { agent } = await stageOn(second, { server });
    expect(await agent.recover()).toMatchObject([{ mayRunAgain: true, run: { id: 'cut' } }]);
    expect(await messagesOf(second, session.id)).toEqual([]);
    expect((await say(agent, session, 'Hi')).text).toBe('Again.');
  });

  it('leaves the runs of living processes alone', async () => {
    const gateway = await started();
    const { id: sessionId } = await gateway.session('a');
    const { runs } = gateway.world.store;
    for (const holder of [gateway.world.holder, 'cli-1', 'gateway-dead'])
      await runs.begin({ id: holder, sessionId, holder, requester: 'x' });
    const { agent } = await stageOn(gateway);
    expect((await agent.recover()).map(({ run }) => run.id)).toEqual(['gateway-dead']);
    expect((await agent.recover({ sessionId })).map(({ run }) => run.id)).toEqual(['cli-1']);
  });
}

function direct({ started }: Gateways): void {
  it('runs the command of an owner, without a model and with one', async () => {
    const gateway = await started();
    const session = await gateway.session('a');
    const { agent } = await stageOn(gateway);
    const heard = await say(agent, session, '! echo "a ``` b"; false');
    expect(heard.outcome).toMatchObject({ kind: 'answered', usage: { modelCalls: 0, toolCalls: 1 } });
    expect(heard.text).toMatch(/^````\na ``` b\n[\s\S]*1[\s\S]*\n````$/);
    await using server = await startModelServer([[{ text: 'I see.' }]]);
    const withModel = await stageOn(gateway, { server });
    expect((await say(withModel.agent, session, '!echo two')).text).toContain('two');
    await say(withModel.agent, session, 'What did I do?');
    expect(server.requests[0]?.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant'],
      ...['user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
  });

  it('refuses everybody else before anything happens', async () => {
    const gateway = await started();
    const { agent } = await stageOn(gateway);
    let fetched = 0;
    const bytes = async () => Buffer.from(String(fetched++));
    const { outcome } = await say(agent, await gateway.session('a'), '!id', {
      isOwner: false,
      files: [{ name: 'a', bytes }],
    });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'DENIED_PERSON', usage: { toolCalls: 0 } });
    expect(fetched).toBe(0);
    expect(await gateway.world.store.ledger.list()).toEqual([]);
  });

  it('says how to set up a model to everything else', async () => {
    const gateway = await started();
    const { agent } = await stageOn(gateway);
    const { outcome, text } = await say(agent, await gateway.session('a'), 'Hello');
    expect(outcome.kind).toBe('answered');
    expect(text).toContain('hermes model set');
    expect((await say(agent, await gateway.session('a'), '!')).outcome).toMatchObject({
      kind: 'answered',
      text: expect.stringContaining('!ls'),
    });
  });
}

describeWith('bubblewrap', () => {
  const gateways = useGateways();
  for (const tests of [long, restarting, direct]) tests(gateways);
});
