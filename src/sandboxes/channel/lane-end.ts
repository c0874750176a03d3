// How a command ended, from the words of its end mark.

export interface LeftBehind {
  readonly pid: number;
  /** Clock ticks since the machine started; tells it from a later process of that number. 0 = not known. */
  readonly startedAt: number;
  readonly name: string;
}

/** The tag of another command that something carries, and whether something older does so too; it may have invented it. */
export interface Claim {
  readonly tag: string;
  readonly isCarried: boolean;
}

type Found = LeftBehind & { readonly claim?: Claim };

/** How a command ended, as the lane tells it. */
export type LaneEnd =
  | {
      readonly kind: 'exited' | 'signaled';
      /** Exit code or number of the signal. */
      readonly number: number;
      readonly leftBehind: readonly Found[];
      readonly shellEnded: boolean;
      readonly outOfMemory: boolean;
      /** `TICK:PID`: when it began, as the sandbox counts time and processes. */
      readonly began?: string;
    }
  | { readonly kind: 'nocwd' }
  /** It was called off before it had begun. */
  | { readonly kind: 'unbegun' }
  /** The lane itself is gone, and with it any knowledge of the command. */
  | { readonly kind: 'lost'; readonly reason: string };

/** `exited 3 12:4711:sleep,13:4712:cat ended 0 4700:11 ready`; whatever does not read so is no result. */
export function parseEnd(words: string): LaneEnd {
  const [kind, number, left, shell, oom, began = ''] = words.split(' ');
  if (kind === 'nocwd') return { kind };
  if (kind === 'skipped') return { kind: 'unbegun' };
  if (kind === 'lost') return { kind, reason: 'the persistent shell vanished' };
  if ((kind !== 'exited' && kind !== 'signaled') || !/^\d+$/.test(number ?? '')) {
    return { kind: 'lost', reason: 'its shell told no sense' };
  }
  return {
    kind,
    number: Number(number),
    leftBehind: left === '-' ? [] : (left ?? '').split(',').map(parseLeftBehind),
    shellEnded: shell === 'ended',
    outOfMemory: oom === '1',
    ...(/^\d{1,20}:\d{1,10}$/.test(began) ? { began } : {}),
  };
}

function parseLeftBehind(text: string): Found {
  const [pid, startedAt, name = '?', words = ''] = text.split(':');
  const [, tag, plus] = /^(\w+)(\+?)$/.exec(words) ?? [];
  return {
    ...{ pid: Number(pid), startedAt: Number(startedAt), name },
    ...(tag === undefined ? {} : { claim: { tag, isCarried: plus !== '' } }),
  };
}
