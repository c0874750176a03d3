// What people write in a storm, and what the model makes of it: words, a command with an effect, or one with hostile output.
import type { Heard } from '../doubles/model-request.ts';
import type { Step } from '../doubles/model-server.ts';
import type { Draws } from '../seed.ts';
import { answerTo, type Said } from './record.ts';

const KINDS = ['talk', 'work', 'work', 'noise'] as const;
const TOKEN = /\b(?:talk|work|noise)-\d+\b/g;
const DONE = /\bdone ((?:work|noise)-\d+)\b/g;
export const AUDIT = 'show all marks';
const MARKS = 'marks of this sandbox:';

/** Colours, titles, bells and bytes that are no text, and more of them than anybody wants. */
const NOISE = String.raw`printf '\033[2J\033]0;title\007\000\377'; head -c 30000 /dev/urandom; yes hostile | head -c 200000`;

function commandFor(token: string): string {
  const effect = `echo ${token} >>marks; sync marks 2>/dev/null; sleep 0.2`;
  return `${effect}; ${token.startsWith('noise') ? `${NOISE}; ` : ''}echo; echo done ${token}`;
}

export class People {
  readonly said: Said[] = [];
  /** Tokens whose command the model was told to have worked. */
  readonly reported = new Set<string>();
  /** Lines of the sandbox of each chat, once it was audited. */
  readonly marks = new Map<string, readonly string[]>();

  /** A message of a kind that is drawn. */
  next(chat: string, draws: Draws): string {
    const token = `${KINDS[draws.below(KINDS.length)]}-${this.said.length + 1}`;
    this.said.push({ chat, token });
    return token;
  }

  /** The model: one command for each token that wants one, then an answer that names all of them. */
  answer({ lastText, results }: Heard): readonly Step[] {
    for (const result of results) {
      for (const [, token = ''] of result.matchAll(DONE)) this.reported.add(token);
      this.#note(result);
    }
    const audit = new RegExp(`${AUDIT} (\\d+)`).exec(lastText)?.[1];
    if (audit !== undefined) {
      if (results.length > 0) return [{ text: `Marks of ${audit} shown.` }];
      return [terminal(`echo '${MARKS} ${audit}'; cat marks 2>/dev/null; echo end`)];
    }
    const tokens = [...new Set(lastText.match(TOKEN))];
    const wanted = tokens.filter(token => !token.startsWith('talk'));
    const next = wanted[results.length];
    if (next !== undefined) return [terminal(commandFor(next))];
    return [{ text: tokens.length === 0 ? 'Nothing to do.' : tokens.map(answerTo).join('\n') }];
  }

  #note(result: string): void {
    const chat = new RegExp(`${MARKS} (\\d+)`).exec(result)?.[1];
    if (chat === undefined) return;
    this.marks.set(chat, result.match(/^(?:work|noise)-\d+$/gm) ?? []);
  }
}

function terminal(command: string): Step {
  return { call: { name: 'terminal', input: { command } } };
}
