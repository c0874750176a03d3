// A connection of a platform for tests, with what came over it.
import { systemClock } from '../../../src/base/clock.ts';
import { createLog, type Log } from '../../../src/base/log.ts';
import type {
  Connection,
  Platform,
  PlatformEvent,
  PlatformState,
  Undelivered,
} from '../../../src/platforms/platform.ts';
import { waitFor } from '../../doubles/wait-for.ts';

export interface Line {
  readonly connection: Connection;
  readonly events: readonly PlatformEvent[];
  readonly states: readonly PlatformState[];
  /** Reports of failed delivery. */
  readonly undelivered: readonly Undelivered[];
  /** What it gives as soon as it gives something: asked now, and after each event and state. `what` is said if it never does. */
  when<T>(look: () => T | undefined, what?: string): Promise<T>;
  /** The first event for which it holds, now or later. */
  event(holds: (event: PlatformEvent) => boolean): Promise<PlatformEvent>;
  /** The first state of this kind after so many. */
  state(kind: PlatformState['kind'], after?: number): Promise<PlatformState>;
}

/** `receive` is what stores events; one counts as come when that has ended. */
export async function openLine(
  platform: Platform,
  receive: (event: PlatformEvent) => Promise<void> = async () => undefined,
): Promise<Line> {
  const events: PlatformEvent[] = [];
  const states: PlatformState[] = [];
  const undelivered: Undelivered[] = [];
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  const when: Line['when'] = (look, what = String(look)) =>
    waitFor({
      look,
      watchers: [watchers],
      missing: () =>
        `waited for ${what}; events: ${JSON.stringify(events)}; states: ${JSON.stringify(states)}`,
    });
  const connection = await platform.connect({
    async receive(event) {
      await receive(event);
      events.push(event);
      changed();
    },
    async onUndelivered(report) {
      undelivered.push(report);
      changed();
    },
    onState(state) {
      states.push(state);
      changed();
    },
  });
  return {
    ...{ connection, events, states, undelivered, when },
    event: holds => when(() => events.find(holds), `an event: ${String(holds)}`),
    state: (kind, after = 0) =>
      when(() => states.slice(after).find(state => state.kind === kind), `the state ${kind}`),
  };
}

/** A log whose lines can be looked at. */
export function logInto(lines: string[]): Log {
  const destination = { write: (line: string) => void lines.push(line) };
  return createLog({ level: 'debug', destination, redact: line => line, now: () => systemClock.now() });
}
