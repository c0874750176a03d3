// A run where no terminal is: the answer as it is written, and what tools do as remarks.
import type { AgentEvent } from '../../agent/events.ts';
import { stripAnsi } from '../../base/strip-ansi.ts';
import { plainLine } from '../commands/wording.ts';
import { type Screen, seconds } from './screen.ts';

export class PlainScreen implements Screen {
  readonly #parts: { readonly write: (text: string) => void; readonly note: (text: string) => void };
  readonly #summaries = new Map<string, string>();
  /** Whether a line is begun; undefined before the first one. */
  #isOpen: boolean | undefined;

  constructor(parts: { write: (text: string) => void; note: (text: string) => void }) {
    this.#parts = parts;
  }

  begin(): void {}

  show(event: AgentEvent): void {
    if (event.type === 'text') this.#text(stripAnsi(event.delta));
    else if (event.type === 'tool-started') this.#summaries.set(event.id, plainLine(event.summary));
    else if (event.type === 'tool-finished') {
      this.settle();
      const how = event.isError ? 'failed: ' : '';
      const what = `${event.tool} ${this.#summaries.get(event.id) ?? ''}`.trim();
      this.#parts.note(`${how}${what} (${seconds(event.durationMs)})`);
    } else if (event.type === 'notice')
      this.#parts.note(stripAnsi(event.text).replaceAll('\r', '').replaceAll('\n', '\n  '));
  }

  /** What is said after a tool begins on a line of its own already. */
  #text(delta: string): void {
    const text = this.#isOpen === undefined ? delta.replace(/^\n+/, '') : delta;
    if (text === '') return;
    this.#isOpen = !text.endsWith('\n');
    this.#parts.write(text);
  }

  settle(): void {
    if (this.#isOpen) this.#parts.write('\n');
    this.#isOpen = undefined;
  }
}
