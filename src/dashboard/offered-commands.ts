// Which commands of the CLI a page may call, with which flags, and how what it sends becomes their input. Pure.

import { z } from 'zod';
import { HermesError } from '../base/errors.ts';
import { jsonOf } from '../base/json-of.ts';
import type { Command, FlagSpec, LooseInput } from '../cli/command.ts';

/** Commands by their words, with the flags that make sense on a page. What is not here cannot be called. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  status: [],
  'session list': ['all', 'last'],
  'session show': [],
  'session delete': [],
  'sandbox list': ['all'],
  'sandbox inspect': [],
  'sandbox explain': ['as'],
  'sandbox logs': ['wake', 'last'],
  'sandbox files': ['wake'],
  'sandbox suspend': [],
  'sandbox destroy': [],
  'sandbox verify': ['backend'],
  'approvals list': [],
  'approvals approve': ['scope'],
  'approvals deny': ['reason'],
  'people list': [],
  'people allow': [],
  'people deny': [],
  'people role': [],
  'people forget': [],
  'pairing list': [],
  'pairing approve': [],
  'pairing revoke': [],
  'pairing clear-pending': [],
  'audit list': ['since', 'session', 'last'],
  'gateway logs': ['lines', 'session'],
  'security audit': [],
  doctor: ['all'],
};

const call = z.object({
  command: z.string(),
  flags: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])).default({}),
  args: z.record(z.string(), z.string()).default({}),
});

export type Call = z.infer<typeof call>;

/** Throws USAGE_BAD_ARGUMENTS. */
export function parseCall(text: string): Call {
  const parsed = call.safeParse(jsonOf(text));
  if (!parsed.success) throw new HermesError('USAGE_BAD_ARGUMENTS', 'That is no call of a command.');
  return parsed.data;
}

/** Throws USAGE_UNKNOWN_COMMAND when it is not for pages, and USAGE_BAD_ARGUMENTS when the flags are not. */
export function checkOffered({ command, flags }: Call): void {
  const offered = Object.hasOwn(OFFERED, command) ? OFFERED[command] : undefined;
  if (!offered)
    throw new HermesError('USAGE_UNKNOWN_COMMAND', `The page has no command ${JSON.stringify(command)}.`);
  const unknown = Object.keys(flags).find(name => !offered.includes(name));
  if (unknown !== undefined)
    throw new HermesError(
      'USAGE_BAD_ARGUMENTS',
      `${command} takes no ${JSON.stringify(unknown)} from a page.`,
    );
}

/** As the command line would have given it. Throws USAGE_BAD_ARGUMENTS. */
export function inputFor({ args, flags }: Command, given: Call): LooseInput {
  const filled: Record<string, unknown> = {};
  for (const { name, optional, rest, choices } of args) {
    const value = given.args[name];
    if (value === undefined && !optional) throw bad(given, `${name} is missing`);
    if (value !== undefined && choices && !choices.includes(value))
      throw bad(given, `${name} is one of ${choices.join(', ')}`);
    filled[name] = rest ? (value === undefined ? undefined : [value]) : value;
  }
  const flagged = Object.entries(flags).map(([name, spec]) => [name, flagValue(given, name, spec)] as const);
  return { args: filled, flags: Object.fromEntries(flagged) };
}

const ABSENT = { switch: false, texts: [], text: undefined, number: undefined };
const KINDS = { switch: 'boolean', texts: 'string', text: 'string', number: 'number' } as const;

function flagValue(given: Call, name: string, { type }: FlagSpec): unknown {
  const value = Object.hasOwn(given.flags, name) ? given.flags[name] : undefined;
  if (value === undefined) return ABSENT[type];
  if (typeof value !== KINDS[type]) throw bad(given, `${name} is a ${KINDS[type]}`);
  return type === 'texts' ? [value] : value;
}

function bad({ command }: Call, why: string): HermesError {
  return new HermesError('USAGE_BAD_ARGUMENTS', `${command}: ${why}.`);
}
