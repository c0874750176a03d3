// What a client asked of the model, read from either wire format into one form that scripts can look at.
import type { IncomingMessage } from 'node:http';

export interface HeardMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Of an assistant: the names of what it called. */
  readonly calls: readonly string[];
}

export interface Heard {
  readonly wire: 'openai' | 'anthropic';
  /** Counts from 1. */
  readonly number: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key that came with it. */
  readonly key: string | undefined;
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly system: string;
  /** Results of tools are messages of their own, one each. */
  readonly messages: readonly HeardMessage[];
  /** What the person said last. */
  readonly lastText: string;
  /** The results of tools since then, oldest first. */
  readonly results: readonly string[];
  /** The names of the tools that were offered. */
  readonly tools: readonly string[];
  /** Resolves when the client has gone, or has everything. */
  readonly gone: Promise<void>;
}

/** JSON from outside, seen loosely: a script may look at anything. */
interface Loose {
  readonly [key: string]: Loose | Loose[] | string | undefined;
}

export async function hear(
  request: IncomingMessage,
  { number, gone }: { number: number; gone: Promise<void> },
): Promise<Heard> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const text = Buffer.concat(pieces).toString();
  const body = text === '' ? {} : (JSON.parse(text) as Loose); // both formats send an object
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const wire = 'anthropic-version' in headers ? 'anthropic' : 'openai';
  const { system, messages } = wire === 'openai' ? openAiMessages(body) : anthropicMessages(body);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return {
    wire,
    number,
    path: request.url ?? '',
    headers,
    key: headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /, ''),
    body,
    model: String(body['model'] ?? ''),
    system,
    messages,
    lastText: messages[lastUser]?.text ?? '',
    results: messages
      .slice(lastUser + 1)
      .filter(({ role }) => role === 'tool')
      .map(each => each.text),
    tools: list(body['tools']).map(tool => String(one(tool['function'])['name'] ?? tool['name'])),
    gone,
  };
}

function openAiMessages(body: Loose): { system: string; messages: HeardMessage[] } {
  const all = list(body['messages']);
  const system = all.filter(({ role }) => role === 'system').map(({ content }) => plain(content));
  const messages = all
    .filter(({ role }) => role !== 'system')
    .map(({ role, content, tool_calls }) => ({
      role: role as HeardMessage['role'], // the format has no others
      text: plain(content),
      calls: list(tool_calls).map(call => String(one(call['function'])['name'])),
    }));
  return { system: system.join('\n'), messages };
}

function anthropicMessages(body: Loose): { system: string; messages: HeardMessage[] } {
  const messages = list(body['messages']).flatMap(({ role, content }): HeardMessage[] => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
    const of = (type: string): Loose[] => blocks.filter(block => block['type'] === type);
    const calls = of('tool_use').map(({ name }) => String(name));
    const results = of('tool_result').map(block => plain(block['content']));
    const text = plain(of('text'));
    const said = text !== '' || calls.length > 0 || results.length === 0;
    return [
      ...results.map(result => ({ role: 'tool' as const, text: result, calls: [] })),
      ...(said ? [{ role: role as HeardMessage['role'], text, calls }] : []), // user or assistant
    ];
  });
  return { system: plain(body['system']), messages };
}

function plain(content: Loose[string]): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map(part => String(part['text'] ?? ''))
    .join('');
}

function list(value: Loose[string]): Loose[] {
  return Array.isArray(value) ? value : [];
}

function one(value: Loose[string]): Loose {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}

/** Why a real server would answer with 400; undefined when it would not. */
export function refusalOf({ wire, body }: Heard): string | undefined {
  const messages = list((body as Loose)['messages']); // JSON, as it came
  return wire === 'openai' ? openAiRefusal(messages) : anthropicRefusal(messages);
}

/** As strict templates do, such as Mistral's: turns take turns, and results are followed by the agent's word. */
function openAiRefusal(all: readonly Loose[]): string | undefined {
  const messages = all.filter(({ role }) => role !== 'system');
  for (const [at, { role, content, tool_calls }] of messages.entries()) {
    const before = messages[at - 1]?.['role'];
    const isWrong =
      role === 'user' ? before === 'user' || before === 'tool' : role === 'assistant' && before === role;
    if (isWrong) return `Unexpected role '${String(role)}' after role '${String(before)}'`;
    if (role === 'tool' && before !== 'tool' && before !== 'assistant') return "Unexpected role 'tool'";
    if (role !== 'tool' && plain(content).trim() === '' && list(tool_calls).length === 0)
      return `${String(role)} message must have either content or tool_calls`;
  }
  return undefined;
}

function anthropicRefusal(messages: readonly Loose[]): string | undefined {
  const blocks = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : list(content),
  );
  const isBlank = blocks.some(({ type, text }) => type === 'text' && String(text).trim() === '');
  return isBlank ? 'messages: text content blocks must contain non-whitespace text' : undefined;
}
