// What comes of an answer that goes well: text, calls, counts, and what the server was asked. Real libraries, real HTTP.
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/providers/provider.ts';
import { startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { hear, providerAt, question, WIRES } from './ask.ts';

const TOOL = {
  name: 'terminal',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};

describe.each(WIRES)('%s', wire => {
  it('hands text on in the pieces in which it comes', async () => {
    await using server = await startModelServer([[{ text: 'Hel' }, { text: 'lo ☀' }]]);
    const provider = await providerAt(server, wire);
    const { events } = await hear(provider.stream(question('Hi')));
    expect(events).toEqual([
      { type: 'text', delta: 'Hel' },
      { type: 'text', delta: 'lo ☀' },
      { type: 'end', reason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } },
    ]);
  });

  it('hands a piece on before the next one has come', async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startModelServer([
      [{ text: 'first' }, { until: gate.promise }, { text: 'second' }],
    ]);
    const stream = (await providerAt(server, wire)).stream(question('Hi'))[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ value: { delta: 'first' } });
    gate.resolve();
    expect(await stream.next()).toMatchObject({ value: { delta: 'second' } });
  });

  it('puts calls together that came in pieces, several of them by turns', async () => {
    const calls = [
      { id: 'one', name: 'terminal', pieces: ['{"comm', 'and":"', 'ls"}'] },
      { id: 'two', name: 'terminal', pieces: ['{"command"', ':"pwd"}'] },
    ];
    await using server = await startModelServer([[{ text: 'I look.' }, { calls }]]);
    const provider = await providerAt(server, wire);
    const { events } = await hear(provider.stream(question('Look', { tools: [TOOL] })));
    expect(events).toEqual([
      { type: 'text', delta: 'I look.' },
      { type: 'call', call: { id: 'one', name: 'terminal', input: '{"command":"ls"}' } },
      { type: 'call', call: { id: 'two', name: 'terminal', input: '{"command":"pwd"}' } },
      { type: 'end', reason: 'calls', usage: { inputTokens: 10, outputTokens: 5 } },
    ]);
    expect(server.requests[0]?.tools).toEqual(['terminal']);
  });

  it('passes malformed arguments on as the model wrote them, and takes them back as history', async () => {
    await using server = await startModelServer([
      [{ call: { id: 'bad', name: 'terminal', pieces: ['{"command": ls', ' -l'] } }],
      [{ text: 'Sorry.' }],
    ]);
    const provider = await providerAt(server, wire);
    const { events } = await hear(provider.stream(question('Look', { tools: [TOOL] })));
    const call = { id: 'bad', name: 'terminal', input: '{"command": ls -l' };
    expect(events[0]).toEqual({ type: 'call', call });

    const answers = [{ id: 'bad', name: 'terminal', text: 'That is no JSON.', isError: true }];
    const messages: Message[] = [
      { role: 'user', text: 'Look' },
      { role: 'assistant', text: '', calls: [call] },
      { role: 'tool', answers },
    ];
    const { text } = await hear(provider.stream(question('', { messages, tools: [TOOL] })));
    expect(text).toBe('Sorry.');
    expect(server.requests[1]?.results).toEqual(['That is no JSON.']);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('ls -l');
  });

  it('sends the conversation with its calls and results, and an answer without words so that servers take it', async () => {
    await using server = await startModelServer([[{ text: 'ok' }]]);
    const provider = await providerAt(server, wire, { settings: { 'model.max_output_tokens': '77' } });
    const messages: Message[] = [
      { role: 'user', text: 'Look' },
      { role: 'assistant', text: '', calls: [] },
      { role: 'user', text: 'Look, please' },
      {
        role: 'assistant',
        text: 'Yes',
        calls: [{ id: 'functions.t:0', name: 'terminal', input: '{"command":"ls"}' }],
      },
      { role: 'tool', answers: [{ id: 'functions.t:0', name: 'terminal', text: 'a.txt', isError: false }] },
    ];
    const { error } = await hear(provider.stream(question('', { messages, tools: [TOOL] })));
    expect(error).toBeUndefined();
    const heard = server.requests[0];
    expect(heard?.system).toBe('You are a test.');
    const said = heard?.messages.filter(({ role }) => role !== 'user');
    expect(said).toEqual([
      { role: 'assistant', text: '(no text)', calls: [] },
      { role: 'assistant', text: 'Yes', calls: ['terminal'] },
      { role: 'tool', text: 'a.txt', calls: [] },
    ]);
    expect(heard?.body['max_tokens']).toBe(77);
  });

  it.each(['length', 'refused'] as const)('says that an answer ended by %s', async end => {
    await using server = await startModelServer([[{ text: 'Once upon' }, { end }]]);
    const { events } = await hear((await providerAt(server, wire)).stream(question('Tell')));
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: end });
  });

  it('sends the key from the variable that is named, and lists the models', async () => {
    await using server = await startModelServer([[{ text: 'ok' }]], { key: 'k-named', models: ['b', 'a'] });
    const provider = await providerAt(server, wire, {
      settings: { 'model.api_key_env': 'MY_KEY' },
      environment: { MY_KEY: 'k-named', OPENAI_API_KEY: 'k-other', ANTHROPIC_API_KEY: 'k-other' },
    });
    expect((await hear(provider.stream(question('Hi')))).text).toBe('ok');
    expect(await provider.models()).toEqual(['a', 'b']);
  });

  it('takes the key of its own variable, and needs none', async () => {
    await using server = await startModelServer([[{ text: 'ok' }]]);
    const environment = { OPENAI_API_KEY: 'k-openai', ANTHROPIC_API_KEY: 'k-anthropic' };
    await hear((await providerAt(server, wire, { environment })).stream(question('Hi')));
    await hear((await providerAt(server, wire)).stream(question('Hi')));
    const own = wire === 'anthropic' ? 'k-anthropic' : 'k-openai';
    expect(server.requests.map(({ key }) => key || undefined)).toEqual([own, undefined]);
  });

  it('holds a hundred answers at once that wait for each other’s end', async () => {
    const all = Promise.withResolvers<void>();
    await using server = await startModelServer(({ number, lastText }) => {
      if (number === 100) all.resolve();
      return [{ until: all.promise }, { text: lastText }];
    });
    const provider = await providerAt(server, wire);
    const asked = Array.from({ length: 100 }, (_, at) => `question ${at}`);
    const answers = await Promise.all(asked.map(text => hear(provider.stream(question(text)))));
    expect(answers.map(({ text }) => text)).toEqual(asked);
  });
});

it('takes an address of Anthropic without the version', async () => {
  await using server = await startModelServer([[{ text: 'ok' }]]);
  const anthropicUrl = server.anthropicUrl.replace('/v1', '/');
  const provider = await providerAt({ ...server, anthropicUrl }, 'anthropic');
  expect((await hear(provider.stream(question('Hi')))).text).toBe('ok');
  expect(server.requests[0]?.path).toBe('/v1/messages');
});

it('marks for Anthropic what its cache shall keep', async () => {
  await using server = await startModelServer([[{ text: 'ok' }]]);
  await hear((await providerAt(server, 'anthropic')).stream(question('Hi')));
  expect(JSON.stringify(server.requests[0]?.body).match(/cache_control/g)).toHaveLength(2);
});

describeWith('model', address => {
  const post = async (path: string, body: unknown): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const url = `${address().controlUrl}/${path}`;
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(status).toBe(200);
  };

  it.each(WIRES)('understands an independent server: %s', async wire => {
    const call = { name: 'terminal', arguments: '{"command":"ls"}' };
    const fixtures = [{ match: { userMessage: 'what is here' }, response: { toolCalls: [call] } }];
    await post('fixtures', { fixtures });
    try {
      const environment = { OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x' };
      const provider = await providerAt(address(), wire, { environment });
      const { events, error } = await hear(provider.stream(question('what is here', { tools: [TOOL] })));
      expect(error).toBeUndefined();
      expect(events).toMatchObject([
        { type: 'call', call: { name: 'terminal', input: '{"command":"ls"}' } },
        { type: 'end', reason: 'calls' },
      ]);
    } finally {
      await post('reset', {});
    }
  });
});
