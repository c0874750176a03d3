// The manifest: what every platform must do, by id. Tests cite the ids; the matrix of docs/platforms/README.md has one row
// for each.
import type { PlatformCapabilities } from '../../src/platforms/platform.ts';
import type { Power } from './column.ts';

/** What a requirement can depend on: a capability that is not false or 0, or a power of the other side. */
export type Need = keyof PlatformCapabilities | Power;

export interface Requirement {
  /** Ends the sentence "it …". */
  readonly text: string;
  readonly needs?: readonly Need[];
  readonly promises?: readonly ('P1' | 'P7' | 'P12')[];
}

type Group = Readonly<Record<string, Requirement>>;

const ids = {
  'ids.private': { text: 'answers in the private chat in which it was asked' },
  'ids.apart': {
    needs: ['otherSays'],
    text: 'answers each of two people in their own chat, and knows one again',
  },
  'ids.group': { needs: ['groups'], text: 'answers in the group in which it was asked' },
  'ids.thread': { needs: ['threads'], text: 'answers in the thread in which it was asked' },
  'ids.json': { text: 'gives events that are the same after a way through JSON' },
} as const satisfies Group;

const events = {
  'events.addressed': { needs: ['groups'], text: 'says of a message in a group whether it is for the bot' },
  'events.own': { needs: ['sayAs'], text: 'ignores what the bot said itself' },
  'events.bots': { needs: ['sayAs'], text: 'ignores what other bots say' },
  'events.edited': { needs: ['editLast'], text: 'takes no edited message for a new one' },
  'events.bustle': {
    needs: ['groups', 'bustle'],
    text: 'takes nothing for a message that a group is full of besides: joins, other bots, edits, reactions',
  },
  'events.repeat': {
    needs: ['repeatLast'],
    promises: ['P12'],
    text: 'gives a message that comes twice the same id',
  },
  'events.order': { text: 'gives the messages of a chat in their order' },
  'events.stored': {
    needs: ['unacknowledged'],
    promises: ['P12'],
    text: 'acknowledges a message only when it was received',
  },
  'events.refused': {
    needs: ['unacknowledged'],
    promises: ['P12'],
    text: 'gives a message again that could not be received, and what follows it after it',
  },
  'events.restart': {
    needs: ['unacknowledged'],
    promises: ['P12'],
    text: 'gives a message again after a crash, and none twice after a pause',
  },
  'events.malformed': { needs: ['push'], text: 'survives whatever a server may send, and goes on' },
  'events.quiet': {
    promises: ['P1'],
    text: 'does nothing by itself for a message: no answer, no sign of typing, no download',
  },
} as const satisfies Group;

const text = {
  'text.exact': { text: 'shows text with any characters as it is' },
  'text.markdown': { text: 'renders or escapes markdown, and shows every word of it' },
  'text.broken': { text: 'shows every word of broken markdown and of markup in it' },
  'text.split': { text: 'splits a long text within the limit and loses no word' },
  'text.fences': { text: 'keeps code in fences whole where it fits, and code where not' },
  'text.refused': { needs: ['refuseFormattingOnce'], text: 'sends plain what cannot be formatted' },
  'text.marked': {
    promises: ['P12'],
    text: 'puts a mark before what it sends, and cuts a long text where it would without',
  },
  'text.resumed': {
    needs: ['failOnce'],
    promises: ['P12'],
    text: 'goes on with a long text where a try failed, and repeats no part of it',
  },
  'text.blank': { text: 'refuses a text with nothing in it' },
} as const satisfies Group;

const edit = {
  'edit.shown': { needs: ['edits'], text: 'changes what was sent' },
  'edit.same': { needs: ['edits'], text: 'takes an edit that changes nothing' },
  'edit.gone': { needs: ['edits'], text: 'throws USAGE_NOT_DELIVERED for a message that is not there' },
} as const satisfies Group;

const buttons = {
  'buttons.round-trip': {
    needs: ['buttons', 'press'],
    text: 'gives what a pressed button carries, and its message',
  },
  'buttons.largest': {
    needs: ['buttons', 'press'],
    text: 'carries as many bytes as it says, and refuses more',
  },
  'buttons.answered': {
    needs: ['buttons', 'press', 'whenNotice'],
    text: 'shows who pressed what became of it',
  },
  'buttons.removed': { needs: ['buttons', 'edits'], text: 'takes the buttons away with an edit without any' },
  'buttons.none': { text: 'sends a text with buttons also where it has none' },
} as const satisfies Group;

const signs = {
  'signs.typing': { needs: ['typing', 'whenTyping'], text: 'shows that somebody is working' },
  'signs.menu': { needs: ['whenMenu'], text: 'tells the platform which commands there are' },
} as const satisfies Group;

const files = {
  'files.in': {
    needs: ['maxFileIn'],
    text: 'fetches what somebody sent, byte by byte, with its name and caption',
  },
  'files.out': { needs: ['maxFileOut'], text: 'sends a file, byte by byte, with its name and caption' },
  'files.names': { needs: ['maxFileOut'], text: 'sends files with any name' },
  'files.too-large': {
    needs: ['maxFileOut'],
    text: 'throws USAGE_NOT_DELIVERED for a file that is too large, and says the limit',
  },
} as const satisfies Group;

const failures = {
  'failures.limited': { needs: ['limitOnce'], text: 'waits as long as the server asks, and then delivers' },
  'failures.limited-edit': {
    needs: ['limitOnce', 'edits'],
    text: 'throws UNAVAILABLE_PLATFORM with the server’s delay for an edit, and asks no sooner',
  },
  'failures.server': { needs: ['failOnce'], text: 'throws UNAVAILABLE_PLATFORM when the server fails' },
  'failures.blocked': {
    needs: ['blockOnce'],
    text: 'throws USAGE_NOT_DELIVERED when the person blocked the bot',
  },
  'failures.reconnect': {
    needs: ['cut', 'restore'],
    promises: ['P12'],
    text: 'says that it is offline, comes back by itself, and gives what was said meanwhile',
  },
  'failures.back-off': { needs: ['cut'], text: 'tries less and less often while it is offline' },
  'failures.competitor': {
    needs: ['compete'],
    text: 'says that somebody else takes its messages, and comes back',
  },
  'failures.token': { needs: ['revoke'], text: 'throws AUTH_PLATFORM_TOKEN for a bad token' },
  'failures.revoked': { needs: ['revoke'], text: 'fails for good when the token is revoked, and says so' },
  'failures.secret': {
    needs: ['cut'],
    promises: ['P7'],
    text: 'has the token in no error and in no line of the log',
  },
} as const satisfies Group;

const life = {
  'life.pause': { text: 'gives nothing after a pause, and answers all the same' },
  'life.close': { text: 'ends, also with nobody on the other side' },
  'life.aborted': { text: 'does not connect when that is aborted' },
} as const satisfies Group;

export const families = { ids, events, text, edit, buttons, signs, files, failures, life } as const;

type IdsOf<F> = F extends keyof typeof families ? keyof (typeof families)[F] & string : never;
export type RequirementId = IdsOf<keyof typeof families>;

export const requirements: ReadonlyMap<string, Requirement> = new Map(
  Object.values(families).flatMap((group: Group) => Object.entries(group)),
);

export function requirementOf(id: string): Requirement {
  const requirement = requirements.get(id);
  if (!requirement) throw new Error(`${id} is not in the manifest of requirements`);
  return requirement;
}
