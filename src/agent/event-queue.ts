// From the parts of a run that speak at the same time to the one who listens. What comes while nobody listens is joined,
// so that a flood of output costs a bounded amount of memory.
import { truncateMiddle } from '../base/truncate.ts';
import type { AgentEvent } from './events.ts';

/** Of the output of one call that waits for a slow listener. */
const MOST_WAITING_OUTPUT = 65_536;

export class EventQueue implements AsyncIterable<AgentEvent> {
  readonly #events: AgentEvent[] = [];
  #isOver = false;
  #wake: (() => void) | undefined;

  push(event: AgentEvent): void {
    const last = this.#events.at(-1);
    const joined = last && join(last, event);
    if (joined) this.#events[this.#events.length - 1] = joined;
    else this.#events.push(event);
    this.#wake?.();
  }

  /** What was pushed before is still given out. */
  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, undefined> {
    for (;;) {
      const event = this.#events.shift();
      if (event) yield event;
      else if (this.#isOver) return;
      else {
        await new Promise<void>(resolve => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }
}

function join(last: AgentEvent, next: AgentEvent): AgentEvent | undefined {
  if (last.type === 'text' && next.type === 'text') return { ...last, delta: last.delta + next.delta };
  if (last.type === 'tool-output' && next.type === 'tool-output' && last.id === next.id) {
    const text = last.text + next.text;
    // Cutting costs as much as what is there: not for every few letters.
    const isMuch = text.length > 2 * MOST_WAITING_OUTPUT;
    return { ...last, text: isMuch ? truncateMiddle(text, MOST_WAITING_OUTPUT).text : text };
  }
  return undefined;
}
