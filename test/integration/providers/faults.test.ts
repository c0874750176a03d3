// Everything that goes wrong between us and a model, each with what the person and the operator get to know.
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/base/error-codes.ts';
import { type Step, startModelServer } from '../../doubles/model-server.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { hear, providerAt, question, WIRES } from './ask.ts';

describe.each(WIRES)('%s', wire => {
  it.each<[string, ErrorCode, RegExp, Step]>([
    [
      'a bad key',
      'AUTH_MODEL_KEY',
      /refuses the key from \w+_API_KEY/,
      { status: 401, type: 'authentication_error' },
    ],
    ['a key without rights', 'AUTH_MODEL_KEY', /refuses the key/, { status: 403, type: 'permission_error' }],
    [
      'a model that is not there',
      'CONFIG_MODEL_UNKNOWN',
      /has no model test-model.*hermes model list/,
      { status: 404, type: 'not_found_error', message: 'model: test-model', code: 'model_not_found' },
    ],
    [
      'a model that is no valid id',
      'CONFIG_MODEL_UNKNOWN',
      /has no model/,
      { status: 400, message: 'test-model is not a valid model ID', code: 'x' },
    ],
    ['a wrong path', 'UNAVAILABLE_MODEL', /Most end with \/v1/, { status: 404, body: '404 page not found' }],
    [
      'a full context, in a sentence',
      'USAGE_CONTEXT_FULL',
      /cannot read that much/,
      {
        status: 400,
        type: 'invalid_request_error',
        message: 'prompt is too long: 208310 tokens > 200000 maximum',
      },
    ],
    [
      'a full context, in a word',
      'USAGE_CONTEXT_FULL',
      /cannot read/,
      { status: 400, type: 'context_length_exceeded', message: 'too much' },
    ],
    [
      'a request that is too large',
      'USAGE_CONTEXT_FULL',
      /cannot read/,
      { status: 413, type: 'request_too_large' },
    ],
    [
      'a request that it does not like',
      'UNAVAILABLE_MODEL',
      /answered 400: does not support tools/,
      { status: 400, type: 'invalid_request_error', message: 'does not support tools' },
    ],
    [
      'an account without money',
      'UNAVAILABLE_MODEL_BUSY',
      /paid/,
      { status: 429, type: 'insufficient_quota' },
    ],
    [
      'a redirect, which would take the key elsewhere',
      'UNAVAILABLE_MODEL',
      /leads to https:\/\/elsewhere\.invalid/,
      { status: 308, headers: { location: 'https://elsewhere.invalid/' } },
    ],
    ['a web page', 'UNAVAILABLE_MODEL', /answered 418: <html>/, { status: 418, body: '<html>\u001b[31m' }],
  ])('%s is %s, said at once', async (_, code, message, step) => {
    await using server = await startModelServer([[step]]);
    const environment = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
    const { error, events } = await hear(
      (await providerAt(server, wire, { environment })).stream(question('Hi')),
    );
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(message);
    expect(events).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('says that a key is missing', async () => {
    await using server = await startModelServer([[{ text: 'ok' }]], { key: 'k' });
    const provider = await providerAt(server, wire);
    const { error } = await hear(provider.stream(question('Hi')));
    expect(error?.message).toMatch(/wants a key, and there is none/);
    await expect(provider.models()).rejects.toMatchObject({ code: 'AUTH_MODEL_KEY' });
  });

  it.each([
    ['retry-after', '7', 7000, 429],
    ['retry-after-ms', '1500', 1500, 429],
    ['retry-after', new Date(1_000_000 + 9000).toUTCString(), 9000, 529],
    ['x-none', '', 1000, 503],
  ])('waits as long as the server asks for (%s: %s), and says so', async (header, value, delayMs, status) => {
    await using server = await startModelServer([
      [{ status, headers: { [header]: value } }],
      [{ text: 'ok' }],
    ]);
    const clock = manualClock();
    const answer = hear((await providerAt(server, wire, { clock })).stream(question('Hi')));
    await expect.poll(() => clock.pending()).toEqual([delayMs]);
    clock.advance(delayMs);
    const { events, text } = await answer;
    expect(events[0]).toMatchObject({ type: 'waiting', seconds: Math.ceil(delayMs / 1000) });
    expect(text).toBe('ok');
    expect(server.requests).toHaveLength(2);
  });

  it('does not wait for a server that asks for minutes', async () => {
    await using server = await startModelServer([[{ status: 429, headers: { 'retry-after': '600' } }]]);
    const { error } = await hear((await providerAt(server, wire)).stream(question('Hi')));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_MODEL_BUSY' });
    expect(server.requests).toHaveLength(1);
  });

  it('gives up on a server that stays overloaded, after six attempts', async () => {
    const headers = { 'retry-after-ms': '1' };
    await using server = await startModelServer([[{ status: 529, type: 'overloaded_error', headers }]]);
    const { error, events } = await hear((await providerAt(server, wire)).stream(question('Hi')));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_MODEL_BUSY' });
    expect(events.map(({ type }) => type)).toEqual(Array(5).fill('waiting'));
    expect(server.requests).toHaveLength(6);
  });

  it.each<[string, Step[]]>([
    ['an error of its own', [{ status: 500, type: 'api_error' }]],
    ['a cut connection', [{ drop: true }]],
    ['an overload that it admits in the stream', [{ fault: 'overloaded_error' }]],
  ])('asks again after %s, as nothing had come', async (_, steps) => {
    await using server = await startModelServer([steps, [{ text: 'ok' }]]);
    const clock = manualClock();
    const answer = hear((await providerAt(server, wire, { clock })).stream(question('Hi')));
    await expect.poll(() => clock.pending().some(ms => ms <= 1000)).toBe(true);
    clock.advance(1000);
    expect((await answer).text).toBe('ok');
  });

  it.each<[string, Step[]]>([
    ['cuts the connection', [{ drop: true }]],
    ['reports an overload', [{ fault: 'overloaded_error' }]],
    ['sends what nobody can read', [{ raw: 'data: {"what\n\n' }]],
    ['ends its stream without an end', [{ hangUp: true }]],
  ])('keeps what had come when the server then %s, and never asks twice', async (_, steps) => {
    await using server = await startModelServer([[{ text: 'The answer ' }, ...steps]]);
    const { text, error } = await hear((await providerAt(server, wire)).stream(question('Hi')));
    expect(text).toBe('The answer ');
    expect(error).toMatchObject({ code: 'UNAVAILABLE_MODEL' });
    expect(error?.message).toMatch(/broke off in the middle/);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Step]>([
    ['is cut', { drop: true }],
    ['just ends', { hangUp: true }],
  ])('hands out no call of an answer that %s', async (_, end) => {
    const call = { name: 'terminal', pieces: ['{"command":"rm -rf ', 'build"}'] };
    await using server = await startModelServer([[{ call }, end]]);
    const { events, error } = await hear((await providerAt(server, wire)).stream(question('Hi')));
    expect(events).toEqual([]);
    expect(error?.code).toBe('UNAVAILABLE_MODEL');
    expect(server.requests).toHaveLength(1);
  });

  it('gives up on a server that never answers', async () => {
    await using server = await startModelServer([[{ silence: true }]]);
    const clock = manualClock();
    const answer = hear((await providerAt(server, wire, { clock })).stream(question('Hi')));
    await server.arrived(1);
    clock.advance(240_000);
    const { error } = await answer;
    expect(error?.message).toMatch(/has been silent for 240 s/);
    expect(server.requests).toHaveLength(1);
    await server.requests[0]?.gone;
  });

  it('gives up on a server that falls silent in the middle', async () => {
    await using server = await startModelServer([[{ text: 'Well' }, { silence: true }]]);
    const clock = manualClock();
    const stream = (await providerAt(server, wire, { clock })).stream(question('Hi'))[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ value: { delta: 'Well' } });
    const next = stream.next();
    await expect.poll(() => clock.pending()).toEqual([240_000]);
    clock.advance(240_000);
    await expect(next).rejects.toMatchObject({ code: 'UNAVAILABLE_MODEL' });
    await server.requests[0]?.gone;
  });

  it('does not take the time of a slow reader for silence', async () => {
    await using server = await startModelServer([
      Array.from({ length: 200 }, (_, at) => ({ text: `${at} ` })),
    ]);
    const clock = manualClock();
    const stream = (await providerAt(server, wire, { clock })).stream(question('Hi'));
    let read = 0;
    for await (const event of stream) {
      if (event.type === 'text' && ++read === 1) {
        await expect.poll(() => clock.pending()).toEqual([]);
        clock.advance(1_000_000);
      }
    }
    expect(read).toBe(200);
  });

  it.each<[string, Step[]]>([
    ['before the answer', [{ silence: true }]],
    ['in the middle of it', [{ text: 'Well' }, { silence: true }]],
  ])('ends the connection when it is aborted %s', async (_, steps) => {
    await using server = await startModelServer([steps]);
    const abort = new AbortController();
    const stream = (await providerAt(server, wire)).stream(question('Hi'), { signal: abort.signal });
    const answer = hear(stream);
    await server.arrived(1);
    abort.abort(new Error('enough'));
    expect((await answer).error?.cause).toBe(abort.signal.reason);
    await server.requests[0]?.gone;
  });

  it('stops waiting when it is aborted', async () => {
    await using server = await startModelServer([[{ status: 429, headers: { 'retry-after': '60' } }]]);
    const abort = new AbortController();
    const stream = (await providerAt(server, wire)).stream(question('Hi'), { signal: abort.signal });
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { type: 'waiting', seconds: 60 } });
    const next = iterator.next();
    abort.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  it('ends the connection when nobody listens any more', async () => {
    await using server = await startModelServer([[{ text: 'Well' }, { silence: true }]]);
    for await (const event of (await providerAt(server, wire)).stream(question('Hi'))) {
      expect(event).toEqual({ type: 'text', delta: 'Well' });
      break;
    }
    await server.requests[0]?.gone;
  });

  it('says in words that nobody listens at the address', async () => {
    const server = await startModelServer([[]]);
    await server.stop();
    const clock = manualClock();
    const provider = await providerAt(server, wire, { clock });
    const answer = hear(provider.stream(question('Hi')));
    for (const delayMs of [250, 500]) {
      await expect.poll(() => clock.pending()).toEqual([delayMs]);
      clock.advance(delayMs);
    }
    const { error, events } = await answer;
    expect(error).toMatchObject({ code: 'UNAVAILABLE_MODEL' });
    expect(error?.message).toMatch(/nobody listens there\. Does the server run/);
    expect(events).toHaveLength(2);
    await expect(provider.models()).rejects.toMatchObject({ code: 'UNAVAILABLE_MODEL' });
  });

  it('keeps the conversation out of its errors', async () => {
    await using server = await startModelServer([[{ status: 400, message: 'no' }]]);
    const { error } = await hear((await providerAt(server, wire)).stream(question('my secret words')));
    const { inspect } = await import('node:util');
    expect(inspect(error, { depth: 9 })).not.toContain('my secret words');
  });
});
