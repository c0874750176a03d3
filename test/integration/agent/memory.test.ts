// What an agent remembers: conversations that become too long, and runs that a restart cut off.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Heard } from '../../doubles/model-request.ts';
import { type ModelServer, type Script, type Step, startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Gateways, useGateways } from '../sessions/use-gateways.ts';
import { newHome } from '../sessions/world.ts';
import { messagesOf, openCalls, resultsOf, say, stageOn } from './stage.ts';

const terminal = (command: string) => ({ name: 'terminal', input: { command } });
const isSummary = (system: string): boolean => system.startsWith('You write down what happened');
/** The same, with as many tokens as a server would count. */
const counting =
  (script: (heard: Heard) => readonly Step[]): Script =>
  heard => {
    const steps = script(heard);
    const end = steps.some(step => 'call' in step) ? 'calls' : 'stop';
    const inputTokens = Math.round(JSON.stringify(heard.body).length / 4);
    return steps.some(step => 'status' in step) ? steps : [...steps, { end, inputTokens, outputTokens: 50 }];
  };
const words = (count: number): string => 'lorem '.repeat(count);

async function stageFor(
  { started }: Gateways,
  script: (heard: Heard) => readonly Step[],
  contextTokens: number,
) {
  const server = await startModelServer(counting(script));
  const gateway = await started();
  const settings = { 'model.context_tokens': String(contextTokens) };
  const stage = await stageOn(gateway, { server, settings });
  return { server, gateway, session: await gateway.session('a'), ...stage };
}

function long(gateways: Gateways): void {
  it('shortens old results before the context is full, and keeps recent ones whole', async () => {
    const script = ({ results }: Heard) =>
      results.length < 6
        ? [{ call: terminal(`printf '${'abcdef'[results.length]}%.0s' {1..8000}`) }]
        : [{ text: 'ok' }];
    const { server, session, agent } = await stageFor(gateways, script, 16_000);
    await using _ = server;
    const { outcome } = await say(agent, session, 'go');
    expect(outcome.kind).toBe('answered');
    const [first = '', ...rest] = server.requests.at(-1)?.results ?? [];
    expect(first).toContain('Shortened because it is old');
    expect(rest.at(-1)?.includes('f'.repeat(8000))).toBe(true);
    expect(server.requests.filter(({ system }) => isSummary(system))).toEqual([]);
  });

  it('summarises what is old, keeps what is recent whole, and remembers it in the next run', async () => {
    const script = ({ system, lastText }: Heard) =>
      isSummary(system)
        ? [{ text: 'They talked about A.' }]
        : [{ text: `about ${lastText.slice(-1)} ${words(300)}` }];
    const { server, gateway, session, agent } = await stageFor(gateways, script, 8000);
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
    expect(JSON.stringify(last?.body).length).toBeLessThan(8000 * 4);
    const { turns } = await gateway.world.store.turns.history(session.id);
    expect(turns.length).toBeLessThan(16);
    await say(agent, session, 'Z');
    expect(server.requests.at(-1)?.messages[0]?.text).toContain('They talked about A.');
  });
}

function full(gateways: Gateways): void {
  it('keeps the request in its own words when the run itself fills the context', async () => {
    const script = ({ system, messages }: Heard) => {
      if (isSummary(system)) return [{ text: 'Many numbers were printed.' }];
      return messages[0]?.text.includes('Many numbers')
        ? [{ text: 'done' }]
        : [{ call: terminal('seq 1500') }, { text: words(500) }];
    };
    const { server, session, agent } = await stageFor(gateways, script, 10_000);
    await using _ = server;
    const { outcome } = await say(agent, session, 'Count the purple elephants');
    expect(outcome).toMatchObject({ kind: 'answered', text: 'done' });
    expect(server.requests.at(-1)?.messages[0]?.text).toContain('Count the purple elephants');
  });

  it('carries the words of the person from summary to summary', async () => {
    const script = ({ system, results }: Heard) => {
      if (isSummary(system)) return [{ text: 'Numbers.' }];
      const steps = results.length + (server.requests.length - 1);
      return steps > 40 ? [{ text: 'done' }] : [{ call: terminal('seq 900') }, { text: words(200) }];
    };
    const { server, session, agent } = await stageFor(gateways, script, 9000);
    await using _ = server;
    await say(agent, session, 'Count the purple\nelephants');
    const last = server.requests.at(-1);
    expect(server.requests.filter(({ system }) => isSummary(system)).length).toBeGreaterThanOrEqual(3);
    expect(last?.messages[0]?.text).toContain('> Count the purple\n> elephants');
    await say(agent, session, 'Go on');
    const after = server.requests.filter(({ system }) => !isSummary(system)).at(-1);
    expect(after?.messages[0]?.text).toContain('Count the purple');
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
    const script = ({ system, body }: Heard) => {
      if (isSummary(system)) return [{ text: 'They talked.' }];
      if (JSON.stringify(body['messages']).length < 9000) return [{ text: 'ok' }];
      refusals++;
      return full;
    };
    const { server, session, agent } = await stageFor(gateways, script, 100_000);
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

/** An agent works on the message in a process of its own, which is killed as soon as it says something like that. */
async function killedAt(home: string, server: ModelServer, text: string, sign: string): Promise<void> {
  const program = fileURLToPath(new URL('./killed-run.ts', import.meta.url));
  const child = spawn(process.execPath, [program, home, server.openAiUrl, text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let said = '';
  for await (const piece of child.stdout) {
    said += String(piece);
    if (said.includes(sign)) child.kill('SIGKILL');
  }
  expect(await closed).toEqual([null, 'SIGKILL']);
}

function restarting({ started }: Gateways): void {
  it('P10: tells what is known and unknown, and never runs a run again that had begun something', async () => {
    const script: Script = ({ lastText, results }) => {
      if (lastText === 'What is there?')
        return results.length === 0 ? [{ call: terminal('ls; cat count') }] : [{ text: 'That.' }];
      const calls = [
        terminal('echo x >>count'),
        terminal('echo begun; sleep 300; echo x >>count'),
        terminal('echo x >>count; echo third'),
      ];
      return results.length === 0 ? [{ calls }] : [{ text: 'unexpected' }];
    };
    await using server = await startModelServer(script);
    const home = await newHome();
    await killedAt(home, server, 'Work', 'begun\\n');

    const gateway = await started({ home });
    const session = await gateway.session('a');
    const { agent } = await stageOn(gateway, { server });
    const [cut, ...others] = await agent.recover();
    expect(others).toEqual([]);
    expect(cut).toMatchObject({
      next: 'report',
      run: { id: 'cut', sessionId: session.id, startedTool: true },
    });
    expect(cut?.text).toMatch(
      /ended before:\n• terminal: echo x >>count \(done\)\nNot run:\n• terminal: echo x >>count; echo third\nUnknown whether it took effect:\n• terminal: echo begun/,
    );
    expect(await agent.recover()).toEqual([]);
    expect((await gateway.world.store.runs.find('cut'))?.state).toBe('cut-off');
    expect(openCalls(await messagesOf(gateway, session.id))).toEqual([]);

    const heard = await say(agent, session, 'What is there?');
    expect(heard.text).toBe('That.');
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain('unknown: Hermes ended');
    expect(resultsOf(heard.events).join()).toMatch(/count\nx\n/);
    expect(resultsOf(heard.events).join()).not.toMatch(/x\nx/);
  });

  it('leaves nothing of a run that had begun nothing, so that it may be run again', async () => {
    await using server = await startModelServer([
      [{ text: 'Hello ' }, { silence: true }],
      [{ text: 'Again.' }],
    ]);
    const home = await newHome();
    await killedAt(home, server, 'Hi', 'Hello');
    const gateway = await started({ home });
    const session = await gateway.session('a');
    const { agent } = await stageOn(gateway, { server });
    expect(await agent.recover()).toMatchObject([{ next: 'again', run: { id: 'cut' } }]);
    expect(await messagesOf(gateway, session.id)).toEqual([]);
    expect((await say(agent, session, 'Hi')).text).toBe('Again.');
  });
}

function recovering({ started }: Gateways): void {
  it('P10: runs nothing that had begun, and all that had not, also what waited for an approval', async () => {
    await using server = await startModelServer([[{ text: 'All done.' }]]);
    const gateway = await started();
    const session = await gateway.session('a');
    const sessionId = session.id;
    const { runs, turns, begunCalls } = gateway.world.store;
    const spending = { inputTokens: 5, outputTokens: 0, modelCalls: 1, toolCalls: 1 };
    const calls = ['echo first >>log', 'echo second >>log', 'echo third >>log'].map((command, at) => {
      const { name, input } = terminal(command);
      return { id: String(at), name, input: JSON.stringify(input) };
    });
    const { agent } = await stageOn(gateway, { server });
    const cutOff = async (id: string, begun: readonly string[]) => {
      await runs.begin({ id, sessionId, holder: 'gateway-dead', requester: 'x' });
      await runs.startTool(id, { ...spending, costMicros: null, contextTokens: null });
      await turns.append({ sessionId, runId: id, message: { role: 'user', text: 'Work' } });
      await turns.append({ sessionId, runId: id, message: { role: 'assistant', text: '', calls } });
      for (const callId of begun) await begunCalls.mark({ runId: id, callId });
      return (await agent.recover())[0];
    };
    expect(await cutOff('none-begun', [])).toMatchObject({ next: 'again' });
    expect(await messagesOf(gateway, sessionId)).toEqual([]);

    await turns.append({ sessionId, runId: 'goes-on', message: { role: 'user', text: 'Work' } });
    const unknown = await cutOff('some-begun', ['1']);
    expect(unknown).toMatchObject({ next: 'report' });
    expect(unknown?.text).toMatch(
      /Not run:\n.*first.*\n.*third.*\nUnknown whether it took effect:\n.*second/,
    );
    expect(openCalls(await messagesOf(gateway, sessionId))).toEqual([]);
  });

  it('P10: goes on with a run whose calls are known, under its own id', async () => {
    await using server = await startModelServer([[{ text: 'All done.' }]]);
    const gateway = await started();
    const session = await gateway.session('a');
    const { runs, turns } = gateway.world.store;
    const [runId, sessionId] = ['cut', session.id];
    const spending = { inputTokens: 5, outputTokens: 0, modelCalls: 1, toolCalls: 1 };
    const calls = ['echo first >>log', 'echo second >>log; cat log'].map((command, at) => {
      const { name, input } = terminal(command);
      return { id: String(at), name, input: JSON.stringify(input) };
    });
    await runs.begin({ id: runId, sessionId, holder: 'gateway-dead', requester: 'x' });
    await runs.startTool(runId, { ...spending, costMicros: null, contextTokens: null });
    await turns.append({ sessionId, runId, message: { role: 'user', text: 'Work' } });
    await turns.append({ sessionId, runId, message: { role: 'assistant', text: '', calls } });
    const answers = [{ id: '0', name: 'terminal', text: 'done', isError: false }];
    await turns.append({ sessionId, runId, message: { role: 'tool', answers } });
    const { agent } = await stageOn(gateway, { server });
    expect(await agent.recover()).toMatchObject([{ next: 'continue', run: { id: runId } }]);

    const heard = await say(agent, session, 'Work', { runId, isResumed: true });
    expect(heard.text).toBe('All done.');
    expect(resultsOf(heard.events)).toEqual([expect.stringMatching(/^second\n/)]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
    ]);
    expect(await runs.find(runId)).toMatchObject({ state: 'answered', modelCalls: 2, toolCalls: 2 });
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
    const heard = await say(agent, session, "! echo 'a ``` b'; false");
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
  for (const tests of [long, full, restarting, recovering, direct]) tests(gateways);
});
