// What the loop adds to a tool step and to the first word, and what a hundred conversations at once cost.
import type { Agent } from '../src/agent/agent.ts';
import { systemClock } from '../src/base/clock.ts';
import { createRedactor } from '../src/base/redact/redactor.ts';
import { openAgent } from '../src/compose/agent.ts';
import { openApprovals } from '../src/compose/approvals.ts';
import { loadHermesConfig } from '../src/compose.ts';
import { createProvider } from '../src/providers/create.ts';
import type { ModelEvent, Provider } from '../src/providers/provider.ts';
import type { Session } from '../src/store/sessions.ts';
import { type Script, startModelServer } from '../test/doubles/model-server.ts';
import type { Bench } from './bench.ts';
import { openBenchGateway } from './sessions.ts';

const STEPS = 20;
const COMMAND = 'echo hi';
const END: ModelEvent = { type: 'end', reason: 'stop', usage: { inputTokens: 1000, outputTokens: 10 } };
/** A line that has not ended; nothing but its words may make it go out. */
const MARKDOWN = '1. **Step one:** open `src/main.ts` and ';
let runs = 0;

/** Answers at once, without a wire: a command, so many times, then a word. */
const instant: Provider = {
  name: 'instant',
  model: 'instant',
  async *stream({ messages }) {
    const request = messages.findLastIndex(({ role }) => role === 'user');
    const steps = messages.slice(request).filter(({ role }) => role === 'tool').length;
    if (steps >= STEPS) yield { type: 'text', delta: 'done' };
    else
      yield {
        type: 'call',
        call: { id: `c${steps}`, name: 'terminal', input: JSON.stringify({ command: COMMAND }) },
      };
    yield END;
  },
  models: async () => [],
};

async function agentOn(gateway: Awaited<ReturnType<typeof openBenchGateway>>, provider: Provider) {
  const { world, sandboxes } = gateway;
  const config = await loadHermesConfig({ HERMES_HOME: '/nonexistent' });
  const approvals = openApprovals(config, { world, provider, show: async () => false });
  const redactor = createRedactor({ secrets: [], shapes: 'on' });
  return openAgent(config, { world, sandboxes, provider, approvals, redactor });
}

const turn = (text: string) => ({
  ...{ runId: `bench${runs++}`, text, files: [], requester: 'bench', isOwner: true, mostFileBytes: 0 },
  signal: new AbortController().signal,
});

async function whole(agent: Agent, session: Session): Promise<void> {
  for await (const event of agent.run(session, turn('go')))
    if (event.type === 'done' && event.outcome.kind !== 'answered')
      throw new Error(JSON.stringify(event.outcome));
}

async function serverProvider(script: Script) {
  const server = await startModelServer(script);
  const settings = { 'model.base_url': server.openAiUrl, 'model.name': 'test-model' };
  const flags = Object.entries(settings).map(([key, text]) => [key, { flag: key, text }]);
  const config = await loadHermesConfig({ HERMES_HOME: '/nonexistent' }, Object.fromEntries(flags));
  const provider = await createProvider(config, {
    clock: systemClock,
  });
  if (!provider) throw new Error('a model is configured');
  return { server, provider };
}

const commands = `${STEPS} commands by themselves`;
const bareWord = 'first word of the provider by itself';

export const agent: Bench = {
  doc: `The loop: ${STEPS} tool steps against a model that answers at once, and the first word of a model on loopback`,
  rounds: 20,
  warmUp: 3,
  async open() {
    const gateway = await openBenchGateway({ TERMINAL_ENV: 'bubblewrap' });
    const lease = await gateway.lease('steady');
    const stepping = await agentOn(gateway, instant);
    const { server, provider } = await serverProvider([[{ text: 'Hello ' }, { silence: true }]]);
    const speaking = await agentOn(gateway, provider);
    const marked = await serverProvider([[{ text: MARKDOWN }, { silence: true }]]);
    const marking = await agentOn(gateway, marked.provider);
    const session = await gateway.newSession('stepping');
    await (await gateway.sandboxes.lease(session, { purpose: 'bench', actor: 'bench' })).release();
    return {
      cases: [
        {
          name: commands,
          run: async () => {
            for (let step = 0; step < STEPS; step++) await lease.handle.exec(COMMAND, { persistent: true });
          },
        },
        {
          name: `a run of ${STEPS} tool steps`,
          run: () => whole(stepping, session),
          // Its history would grow with every round.
          after: async () => {
            const { turns, runs: all } = gateway.world.store;
            const last = await all.last(session.id);
            if (last) await turns.dropRun(last.id);
          },
          against: commands,
          limit: { extraMs: STEPS * 5 },
        },
        {
          name: bareWord,
          run: () =>
            firstOf(provider.stream({ system: '', messages: [{ role: 'user', text: 'go' }], tools: [] })),
        },
        {
          name: 'first word of a run',
          run: async () => firstOf(speaking.run(await gateway.newSession(), turn('go'))),
          against: bareWord,
          limit: { extraMs: 20 },
        },
        {
          name: 'first word of a run whose line is markdown',
          run: async () => firstOf(marking.run(await gateway.newSession(), turn('go'))),
          against: bareWord,
          limit: { extraMs: 20 },
        },
      ],
      async close() {
        await lease.release();
        await gateway.close();
        await server.stop();
        await marked.server.stop();
      },
    };
  },
};

/** Until the first text; what comes after is of no interest. */
async function firstOf(events: AsyncIterable<{ readonly type: string }>): Promise<void> {
  for await (const { type } of events) if (type === 'text') return;
}

/** The whole process, with so many runs that have each done a step and wait for their model. */
export async function runningSessions(count: number, memory: () => number): Promise<number> {
  const waiting = Promise.withResolvers<void>();
  const { server, provider } = await serverProvider(({ results }) =>
    results.length === 0
      ? [{ call: { name: 'terminal', input: { command: 'seq 500' } } }]
      : [{ text: 'So far ' }, { until: waiting.promise }, { text: 'done.' }],
  );
  const gateway = await openBenchGateway({ TERMINAL_ENV: 'bubblewrap' });
  const agent = await agentOn(gateway, provider);
  const running = Array.from({ length: count }, async () => whole(agent, await gateway.newSession()));
  await Promise.race([server.arrived(2 * count), Promise.all(running)]);
  const used = memory();
  waiting.resolve();
  await Promise.all(running);
  await gateway.close();
  await server.stop();
  return used;
}
