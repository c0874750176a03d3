// Sessions that are no conversation: they exist for a sandbox that `hermes run --keep` has made.
import type { Session } from '../store/sessions.ts';

const KEY = 'run:';

export function keyOfKept(id: string): string {
  return `${KEY}${id}`;
}

export function isKeptByHand({ key }: Pick<Session, 'key'>): boolean {
  return key.startsWith(KEY);
}
