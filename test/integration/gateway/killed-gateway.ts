// A gateway in a process of its own that is killed at any moment: its chat service is the process that started it, over
// the channel between them. The agent is the real one; its model and its one tool follow a script.
// Argument: the home. It starts when it is told to.
import { once } from 'node:events';
import { Agent } from '../../../src/agent/agent.ts';
import { sleep, systemClock } from '../../../src/base/clock.ts';
import { createRedactor } from '../../../src/base/redact/redactor.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import type { Connection, PlatformEvent, Sent } from '../../../src/platforms/platform.ts';
import type { ModelEvent, ModelRequest, Provider } from '../../../src/providers/provider.ts';
import { openHouse } from './house.ts';
import { CAPABILITIES, MemoryPlatform } from './memory-platform.ts';

export type ToParent =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'call';
      readonly n: number;
      readonly call: 'send' | 'edit';
      readonly chat: string;
      readonly id?: string;
      readonly text: string;
    }
  | { readonly kind: 'ack'; readonly id: string }
  | { readonly kind: 'ran'; readonly token: string };

export type ToChild =
  | { readonly kind: 'start' }
  | { readonly kind: 'event'; readonly event: PlatformEvent }
  | { readonly kind: 'reply'; readonly n: number; readonly sent: Sent };

const [home = ''] = process.argv.slice(2);
const replies = new Map<number, (sent: Sent) => void>();
let count = 0;

function tell(message: ToParent): void {
  process.send?.(message);
}

function ask(call: 'send' | 'edit', chat: string, text: string, id?: string): Promise<Sent> {
  const n = ++count;
  const { promise, resolve } = Promise.withResolvers<Sent>();
  replies.set(n, resolve);
  tell({ kind: 'call', n, call, chat, text, ...(id === undefined ? {} : { id }) });
  return promise;
}

class ParentPlatform extends MemoryPlatform {
  override async connect(options: Parameters<MemoryPlatform['connect']>[0]): Promise<Connection> {
    process.on('message', (message: ToChild) => {
      if (message.kind === 'event') {
        const { event } = message;
        void options.receive(event).then(() => tell({ kind: 'ack', id: event.id }));
      } else if (message.kind === 'reply') replies.get(message.n)?.(message.sent);
    });
    return {
      account: 'parent',
      send: (chat, { text, mark }) => ask('send', chat.id, [mark, text].filter(Boolean).join(' ')),
      sendFile: (chat, { name }) => ask('send', chat.id, name),
      edit: async (chat, id, { text }) => void (await ask('edit', chat.id, text, id)),
      fetchFile: async () => new Uint8Array(),
      pause: async () => {},
      close: async () => {},
    };
  }
}

/** Answers with the last words of the person; `tool` calls the tool first, `slow` streams for a while. */
async function* stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const said = messages.findLast(({ role }) => role === 'user');
  const text = said?.role === 'user' ? said.text : '';
  const hasRun = messages.at(-1)?.role === 'tool';
  if (text.startsWith('tool') && !hasRun) {
    yield { type: 'call', call: { id: `c-${text}`, name: 'work', input: JSON.stringify({ token: text }) } };
    yield { type: 'end', reason: 'calls', usage };
    return;
  }
  for (const delta of ['answer ', 'to ', ...text, '.']) {
    yield { type: 'text', delta };
    if (text.startsWith('slow')) await sleep(systemClock, 15);
  }
  yield { type: 'end', reason: 'stop', usage };
}

const provider: Provider = { name: 'scripted', model: 'scripted', stream, models: async () => [] };

await once(process, 'message');
const config = await loadHermesConfig({ HERMES_HOME: home });
await openHouse({
  home,
  platform: new ParentPlatform('telegram', { ...CAPABILITIES, typing: false }),
  agent: ({ world, sandboxes }) =>
    new Agent({
      ...{ world, config, sandboxes, provider },
      redactor: createRedactor({ secrets: [], shapes: 'off' }),
      tools: {
        specs: () => [{ name: 'work', description: 'works', parameters: { type: 'object' } }],
        summary: ({ input }) => input,
        perform: async () => {
          throw new Error('nobody does anything here');
        },
        async call({ id, name, input }, { runId }) {
          // As one that waits for an approval.
          if (input.includes('late')) await sleep(systemClock, 25);
          await world.store.begunCalls.mark({ runId, callId: id });
          tell({ kind: 'ran', token: (JSON.parse(input) as { token: string }).token });
          await sleep(systemClock, 40);
          return { id, name, text: 'worked', isError: false };
        },
      },
    }),
});
tell({ kind: 'ready' });
