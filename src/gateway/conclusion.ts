// What a chat is told when a run is over, and what becomes of the messages that it took. Pure.
import type { RunOutcome } from '../agent/events.ts';

/** Why somebody ended a run before its time. */
export type Ending = 'interrupted' | 'stopped' | 'shutdown';

export interface RunTraces {
  readonly ending: Ending | undefined;
  readonly hadStartedTools: boolean;
  /** Whether the conversation has the message; what it does not have, the model will never hear of. */
  readonly isRecorded: boolean;
  /** What of an answer stands in the chat; empty when nothing does. */
  readonly shown: string;
  /** Whether a message of it stands there, if only with what was being done. */
  readonly isShown: boolean;
  readonly sentFiles: number;
}

export interface Conclusion {
  /** Absent = there is nothing to say. */
  readonly text?: string;
  /** `put-back`: nothing has happened yet, so it waits for the next run. `leave`: the next start decides, as after a crash. */
  readonly inbox: 'finish' | 'put-back' | 'leave';
}

const LEFT = '(stopped here: the gateway takes this up after its start)';
const NOTHING_SAID = 'Done. The model had nothing to add.';

export function conclude(outcome: RunOutcome, traces: RunTraces): Conclusion {
  if (outcome.kind === 'answered') return { inbox: 'finish', ...saidText(outcome.text, traces) };
  if (outcome.kind === 'failed') return { inbox: 'finish', text: outcome.text };
  const { ending, hadStartedTools, isRecorded, shown, isShown } = traces;
  if (ending === 'shutdown') return { inbox: 'leave', ...(isShown ? { text: joined(shown, LEFT) } : {}) };
  if (ending === undefined) return { inbox: 'finish', text: joined(shown, '(cancelled)') };
  const isUnheard = ending === 'interrupted' && !isRecorded && !hadStartedTools;
  return {
    inbox: isUnheard ? 'put-back' : 'finish',
    ...(isShown ? { text: joined(shown, `(${ending})`) } : {}),
  };
}

function saidText(text: string, { sentFiles, isShown }: RunTraces): { text?: string } {
  if (text.trim() !== '') return { text };
  // What stands there of its progress has to be brought to an end.
  if (!isShown && sentFiles > 0) return {};
  return { text: NOTHING_SAID };
}

function joined(shown: string, note: string): string {
  return shown === '' ? note : `${shown}\n\n${note}`;
}
