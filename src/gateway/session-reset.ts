// When a session starts afresh by itself. Pure.

export interface ResetPolicy {
  readonly mode: 'both' | 'idle' | 'daily' | 'none';
  /** Of the gateway's own time zone. */
  readonly atHour: number;
  readonly idleMinutes: number;
}

export interface SessionLife {
  readonly activeAt: number;
  readonly now: number;
  /** Background processes of its sandbox that run; while there are any, nothing is reset under them. */
  readonly processes: number;
}

export type ResetReason = 'idle' | 'daily';

/** Why it starts afresh with the message that has just come; undefined when it goes on. */
export function resetReason(
  policy: ResetPolicy,
  { activeAt, now, processes }: SessionLife,
): ResetReason | undefined {
  const { mode, atHour, idleMinutes } = policy;
  if (processes > 0) return undefined;
  const isIdle = now - activeAt >= idleMinutes * 60_000;
  if (isIdle && (mode === 'idle' || mode === 'both')) return 'idle';
  const isNewDay = activeAt < lastTime(atHour, now);
  return isNewDay && (mode === 'daily' || mode === 'both') ? 'daily' : undefined;
}

/** When it was last that hour, today or yesterday. */
function lastTime(hour: number, now: number): number {
  const time = new Date(now);
  time.setHours(hour, 0, 0, 0);
  if (time.getTime() > now) {
    time.setDate(time.getDate() - 1);
    // A day of summer time may have moved it.
    time.setHours(hour, 0, 0, 0);
  }
  return time.getTime();
}
