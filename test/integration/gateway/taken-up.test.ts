// P10, P12: what a stop of the gateway cuts off is taken up by the next start, as after a crash: what had begun is not
// repeated, what had not begun is run.
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/events.ts';
import type { Agent } from '../../../src/gateway/parts.ts';
import { type Step, startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { USER } from './house.ts';
import { realAgent } from './real-agent.ts';
import { useHouses } from './use-houses.ts';

const terminal = (command: string): Step => ({ call: { name: 'terminal', input: { command } } });

interface Stopped {
  /** What the model answers, by the results that it has seen, before the stop and after the start. */
  readonly script: (results: readonly string[], life: 'before' | 'after') => readonly Step[];
  readonly stopAt: (event: AgentEvent) => boolean;
}

describeWith('bubblewrap', () => {
  const houses = useHouses();

  /** The chat after a gateway was stopped in the middle and the next one has said this. */
  async function chatAfter({ script, stopAt }: Stopped, sign: string): Promise<string> {
    let life: 'before' | 'after' = 'before';
    await using model = await startModelServer(({ results }) => script(results, life));
    const moment = Promise.withResolvers<void>();
    const watched = (agent: Agent): Agent => ({
      async *run(session, turn) {
        for await (const event of agent.run(session, turn)) {
          if (stopAt(event)) moment.resolve();
          yield event;
        }
      },
      recover: () => agent.recover(),
      usage: id => agent.usage(id),
    });
    const agent: NonNullable<Parameters<typeof houses.open>[0]>['agent'] = async (ground, desk) =>
      watched(await realAgent(ground, desk, model.openAiUrl));
    const first = await houses.open({ agent });
    const { platform, gateway, home } = first;
    await platform.say(USER, 'work');
    await within(moment.promise, 'the moment of the stop');
    await gateway.stop({ signal: AbortSignal.abort() });
    await first.crash();
    life = 'after';
    await houses.open({ home, platform, agent });
    await platform.shows(USER, sign);
    return platform.texts(USER).join('\n');
  }

  it('goes on where the outcome of all that had begun is known', async () => {
    const texts = await chatAfter(
      {
        script: (results, life) => {
          if (results.length === 0) return [terminal('echo once >>log; cat log')];
          return life === 'before'
            ? [{ text: 'Look: ' }, { silence: true }]
            : [{ text: `The log: ${results[0]}` }];
        },
        stopAt: event => event.type === 'text',
      },
      'The log',
    );
    expect(texts.match(/once/g)).toHaveLength(1);
    expect(texts).not.toContain('Unknown whether');
  });

  it('says of a command under way that nobody knows, and repeats nothing', async () => {
    const texts = await chatAfter(
      {
        script: () => [terminal('echo begun; sleep 300')],
        stopAt: event => event.type === 'tool-output',
      },
      'Unknown whether',
    );
    expect(texts).toMatch(/Unknown whether it took effect:\n• terminal: echo begun; sleep 300/);
    expect(texts).toContain('is taken up after the start');
  });

  it('runs again what had begun nothing', async () => {
    const texts = await chatAfter(
      {
        script: (_, life) =>
          life === 'before' ? [{ text: 'Half of ' }, { silence: true }] : [{ text: 'All of it.' }],
        stopAt: event => event.type === 'text',
      },
      'All of it.',
    );
    expect(texts).not.toContain('I do not start over');
  });
});
