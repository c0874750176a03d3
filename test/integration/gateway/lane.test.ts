// A lane never leaves a message lying, at whatever moment it comes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { Lane } from '../../../src/gateway/lane.ts';
import type { Link } from '../../../src/gateway/links.ts';
import { openStore } from '../../../src/store/open.ts';
import { within } from '../../wait.ts';

const MOST_OFFSETS = 40;
const log = createLog({ level: 'silent', destination: { write() {} }, redact: line => line, now: Date.now });

it('P12: sends what is added at any moment of its end', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hermes-lane-'));
  const store = await openStore(home, { clock: systemClock });
  onTestFinished(async () => {
    await store.close();
    await rm(home, { recursive: true });
  });
  const { id: sessionId } = await store.sessions.enter({
    ...{ key: 'k', kind: 'messaging', platform: 'telegram', chat: '1' },
  });
  const put = (text: string) =>
    store.outbox.put({ sessionId, platform: 'telegram', chat: '1', body: { kind: 'text', text } });
  for (let offset = 0; offset < MOST_OFFSETS; offset++) {
    const sent: number[] = [];
    const first = Promise.withResolvers<void>();
    const lane = new Lane({
      ...{ store, clock: systemClock, log },
      link: () => ({}) as Link, // only handed on to `transmit`
      isDispensable: () => false,
      transmit: async () => ({ ids: ['1'] }),
      onOutcome: async ({ seq }) => {
        sent.push(seq);
        first.resolve();
      },
      onEmpty: () => {},
      signal: new AbortController().signal,
    });
    const [one, two] = [await put('one'), await put('two')];
    lane.add(one);
    await within(first.promise, 'the first message to be sent');
    for (let wait = 0; wait < offset; wait++) await undefined;
    lane.add(two);
    await lane.idle();
    expect(sent, `after ${offset} turns`).toEqual([one.seq, two.seq]);
  }
});
