// The decisions behind the page: what may be called, what is hidden, what is measured, what is marked.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { Command } from '../cli/command.ts';
import { checkOffered, inputFor, parseCall } from './offered-commands.ts';
import { shownData } from './shown-data.ts';
import { StepBook, type StepFrame } from './steps.ts';
import { usageOf } from './usage.ts';

describe('a call from a page', () => {
  const call = (given: unknown) => parseCall(JSON.stringify(given));
  const command = {
    args: [
      { name: 'id', doc: '' },
      { name: 'role', doc: '', optional: true, choices: ['owner', 'user'] },
    ],
    flags: { wake: { type: 'switch', doc: '' }, last: { type: 'number', doc: '' } },
  } as unknown as Command; // only what the input is made from

  it('becomes what the command line would have given', () => {
    const given = call({ command: 'x', args: { id: 'k3v9' }, flags: { last: 3 } });
    expect(inputFor(command, given)).toEqual({
      args: { id: 'k3v9', role: undefined },
      flags: { wake: false, last: 3 },
    });
  });

  it.each([
    [{ command: 'x' }],
    [{ command: 'x', args: { id: 'a', role: 'king' } }],
    [{ command: 'x', args: { id: 'a' }, flags: { wake: 'yes' } }],
  ])('is refused when it does not fit: %j', given => {
    expect(() => inputFor(command, call(given))).toThrow(
      expect.objectContaining({ code: 'USAGE_BAD_ARGUMENTS' }),
    );
  });

  it.each([['config set'], ['gateway stop'], ['toString'], ['sandbox get']])('never reaches %s', words => {
    expect(() => checkOffered(call({ command: words }))).toThrow(
      expect.objectContaining({ code: 'USAGE_UNKNOWN_COMMAND' }),
    );
  });

  it('takes no flag that is not for pages', () => {
    expect(() => checkOffered(call({ command: 'doctor', flags: { fix: true } }))).toThrow(/fix/);
    expect(() => call('no call')).toThrow(expect.objectContaining({ code: 'USAGE_BAD_ARGUMENTS' }));
  });
});

it('hides secrets at any depth, and nonces altogether', async () => {
  const hide = (text: string): string => text.replaceAll('s3cret', '***');
  const data = { nonce: 'n', list: [{ text: 'a s3cret', count: 1, none: null }] };
  expect(await shownData(data, hide)).toEqual({ list: [{ text: 'a ***', count: 1, none: null }] });
});

it('reckons memory and processor time from what is seen twice', () => {
  const seen = (ticks: number) => [{ pid: 1, parent: 0, memoryBytes: 1024, ticks, command: 'x' }];
  const first = usageOf(seen(100), 0, undefined);
  expect(first).toMatchObject({ memoryBytes: 1024, processes: 1, cpuPercent: null });
  expect(usageOf(seen(150), 1000, first).cpuPercent).toBe(50);
  expect(usageOf(seen(20), 1000, first).cpuPercent).toBe(0);
});

describe('the steps of runs', () => {
  const run = { id: 'r1', session: { platform: 'web', chat: 'ada/main' } };
  const opened = () => {
    const due: (() => void)[] = [];
    const after = (_ms: number, fire: () => void) => {
      due.push(fire);
      return { cancel: () => undefined };
    };
    const book = new StepBook({ ...systemClock, after });
    const frames: StepFrame[] = [];
    book.viewers.add({
      platform: 'web',
      chat: 'ada/main',
      show: frame => frames.push(structuredClone(frame)),
    });
    book.viewers.add({ platform: 'web', chat: 'bob/main', show: () => expect.unreachable('not his chat') });
    const pass = (): void => {
      for (const fire of due.splice(0)) fire();
    };
    return { book, frames, pass };
  };

  it('are shown to whoever looks at that chat, output in bundles', () => {
    const { book, frames, pass } = opened();
    book.take(run, { type: 'tool-started', id: 'c1', tool: 'terminal', summary: 'ls' });
    for (const text of ['a', 'b', 'c']) book.take(run, { type: 'tool-output', id: 'c1', text });
    pass();
    book.take(run, {
      type: 'tool-finished',
      id: 'c1',
      tool: 'terminal',
      isError: false,
      text: 'abc',
      durationMs: 5,
    });
    expect(frames.map(frame => [frame.type, 'text' in frame ? frame.text : ''])).toEqual([
      ['run', ''],
      ['step', ''],
      ['step-output', 'abc'],
      ['step', ''],
    ]);
  });

  it('keep the end of what was printed, and say how much is missing', () => {
    const { book } = opened();
    book.take(run, { type: 'tool-started', id: 'c1', tool: 'terminal', summary: 'yes' });
    for (let at = 0; at < 100; at++)
      book.take(run, { type: 'tool-output', id: 'c1', text: 'y'.repeat(10_000) });
    const step = book.runsOf({ platform: 'web', chat: 'ada/main' })[0]?.steps[0];
    expect([step?.output.length, step?.dropped]).toEqual([65_536, 1_000_000 - 65_536]);
  });
});
