// What a sandbox costs, from what runs in it. Pure.
import type { SeenProcess } from '../sessions/seen-processes.ts';

/** USER_HZ; the same on every Linux that Hermes runs on. */
const TICKS_A_SECOND = 100;

export interface Usage {
  readonly at: number;
  readonly memoryBytes: number;
  readonly processes: number;
  readonly ticks: number;
  /** Of one processor; null until it was measured twice. */
  readonly cpuPercent: number | null;
}

/** Processes that have ended in between take their time with them: never below nothing. */
export function usageOf(seen: readonly SeenProcess[], at: number, before: Usage | undefined): Usage {
  const sum = (of: (process: SeenProcess) => number): number => seen.reduce((all, each) => all + of(each), 0);
  const ticks = sum(each => each.ticks);
  const seconds = before ? (at - before.at) / 1000 : 0;
  const used = before ? Math.max(0, ticks - before.ticks) / TICKS_A_SECOND : 0;
  return {
    at,
    ticks,
    memoryBytes: sum(each => each.memoryBytes),
    processes: seen.length,
    cpuPercent: seconds > 0 ? Math.round((used / seconds) * 1000) / 10 : null,
  };
}
