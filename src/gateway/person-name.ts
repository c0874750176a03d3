// How a person is written, as in `telegram:123`. Phone numbers and ids are masked where the log is written.
import type { PersonRef } from '../store/people.ts';

export function personOf({ platform, userId }: PersonRef): string {
  return `${platform}:${userId}`;
}

/** Undefined when it is not PLATFORM:ID. An id may have colons of its own. */
export function parsePerson(text: string): PersonRef | undefined {
  const [, platform, userId] = /^([^:\s]+):(.+)$/u.exec(text) ?? [];
  return platform === undefined || userId === undefined ? undefined : { platform, userId };
}
