import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import { StopSteps } from './stop-steps.ts';

interface Armed {
  readonly ms: number;
  readonly fire: () => void;
  isCancelled: boolean;
}

function stage(signal: AbortSignal) {
  const timers: Armed[] = [];
  const lines: string[] = [];
  const clock: Clock = {
    ...systemClock,
    after(ms, fire) {
      const armed: Armed = { ms, fire, isCancelled: false };
      timers.push(armed);
      return {
        cancel: () => {
          armed.isCancelled = true;
        },
      };
    },
  };
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'info', destination, redact: text => text, now: () => 0 });
  return { steps: new StopSteps({ clock, log }, signal), timers, lines };
}

it('waits for what ends, and leaves no timer behind', async () => {
  const { steps, timers, lines } = stage(AbortSignal.abort());
  await steps.waitFor('work', Promise.resolve(), 'moment');
  await steps.waitFor('work', Promise.resolve(), 'late');
  expect(timers.map(({ isCancelled }) => isCancelled)).toEqual([true, true]);
  expect(lines).toEqual([]);
});

it('does not wait for what hangs, and says what that was', async () => {
  const late = new AbortController();
  const { steps, timers, lines } = stage(late.signal);
  const never = new Promise(() => {});
  const waiting = steps.waitFor('a platform', never, 'late');
  expect(timers).toEqual([]);
  late.abort();
  timers[0]?.fire();
  await waiting;
  const another = steps.waitFor('another', never, 'moment');
  timers[1]?.fire();
  await another;
  expect(lines.map(line => JSON.parse(line).what)).toEqual(['a platform', 'another']);
});

it('goes on after what fails, and says so', async () => {
  const { steps, lines } = stage(new AbortController().signal);
  await steps.waitFor('a platform', Promise.reject(new Error('broken')), 'late');
  expect(lines.join()).toContain('broken');
});
