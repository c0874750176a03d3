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
import { defineBench } from './bench.ts';
import { openRows } from './rows.ts';
import { openBenchGateway } from './sessions.ts';

const STEPS = 20;
/** What a step and the beginning of a run keep: turns, run, lease, audit. */
const ROWS = { step: 5, beginning: 6 };
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

type BenchGateway = Awaited<ReturnType<typeof openBenchGateway>>;

async function agentOn(gateway: BenchGateway, provider: Provider) {
  const { world, sandboxes } = gateway;
  const config = await loadHermesConfig({ HERMES_HOME: '/nonexistent' });
  const approvals = openApprovals(config, { world, provider, show: async () => false, isolation: 'none' });
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
    redact: text => text,
  });
  if (!provider) throw new Error('a model is configured');
  return { server, provider };
}

export const agent = defineBench({
  title: 'The agent',
  about: `A model that answers at once asks for ${STEPS} commands, one after the other, beside the same commands and as many rows\nwritten bare. Hermes adds the loop, the history, the door of the tools, risk, redaction and the audit. The first word comes from a model on loopback; the difference is everything from the message to the word but the model.`,
  rounds: 20,
  warmUp: 3,
  needs: ['bubblewrap'],
  cases: {
    commands: { name: `${STEPS} commands on bubblewrap, ${ROWS.step} rows written after each` },
    steps: { name: `a run of ${STEPS} tool steps`, against: 'commands', limit: 3.5, isShort: true },
    word: { name: `first word of the provider, ${ROWS.beginning} rows written` },
    first: { name: 'first word of a run', against: 'word', limit: 3.5 },
    marked: { name: 'first word of a run whose line is markdown', against: 'word', limit: 3.5 },
  },
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
    const rows = openRows(gateway.home);
    const plain = { system: '', messages: [{ role: 'user', text: 'go' }], tools: [] } as const;
    return {
      runs: {
        commands: {
          run: async () => {
            for (let step = 0; step < STEPS; step++) {
              await lease.handle.exec(COMMAND, { persistent: true });
              rows.write(ROWS.step);
            }
          },
        },
        steps: { run: () => whole(stepping, session), after: () => dropLastRun(gateway, session) },
        word: {
          run: async () => {
            rows.write(ROWS.beginning);
            await firstOf(provider.stream(plain));
          },
        },
        first: { run: async () => firstOf(speaking.run(await gateway.newSession(), turn('go'))) },
        marked: { run: async () => firstOf(marking.run(await gateway.newSession(), turn('go'))) },
      },
      async close() {
        await lease.release();
        rows.close();
        await gateway.close();
        await server.stop();
        await marked.server.stop();
      },
    };
  },
});

/** The history would grow with every round. */
async function dropLastRun({ world }: BenchGateway, session: Session): Promise<void> {
  const last = await world.store.runs.last(session.id);
  if (last) await world.store.turns.dropRun(last.id);
}

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
