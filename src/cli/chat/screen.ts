// What a run looks like while it goes on. On a terminal: an answer that grows, and tools with the time they take.
import type { AgentEvent } from '../../agent/events.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { stripAnsi } from '../../base/strip-ansi.ts';
import type { Look } from '../command.ts';
import { plainLine } from '../commands/wording.ts';
import { GrowingMarkdown } from './growing-markdown.ts';
import { LiveArea } from './live-area.ts';
import { fitLine, wrapSpans } from './spans.ts';

export interface Screen {
  /** The person has said something, and waits from now on. */
  begin(): void;
  show(event: AgentEvent): void;
  /** Everything is written down; other text may follow. `begin` goes on. */
  settle(): void;
}

interface TerminalParts {
  readonly clock: Clock;
  readonly look: () => Look;
  readonly rows: () => number;
  readonly write: (text: string) => void;
}

/** How often an answer is drawn anew while it grows. */
const FRAME_MS = 40;
const TICK_MS = 1000;
/** Lines of what a tool says that has failed. */
const MOST_REASONS = 2;

interface RunningTool {
  readonly name: string;
  readonly summary: string;
  readonly startedAt: number;
  lastLine: string;
}

export class TerminalScreen implements Screen {
  readonly #parts: TerminalParts;
  readonly #area: LiveArea;
  readonly #markdown: GrowingMarkdown;
  readonly #tools = new Map<string, RunningTool>();
  #waitingSince: number | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #state: 'running' | 'settled' = 'settled';

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    this.#area = new LiveArea({ write: parts.write, size: () => ({ rows: parts.rows() }) });
    this.#markdown = new GrowingMarkdown(parts.look);
  }

  begin(): void {
    this.#state = 'running';
    this.#waitingSince ??= this.#now();
    this.#draw([]);
  }

  show(event: AgentEvent): void {
    if (event.type === 'text') {
      this.#waitingSince = undefined;
      this.#markdown.add(event.delta);
      this.#drawSoon();
    } else if (event.type === 'tool-started') {
      const { tool: name, summary } = event;
      this.#waitingSince = undefined;
      this.#tools.set(event.id, { name, summary: plainLine(summary), startedAt: this.#now(), lastLine: '' });
      this.#draw(this.#rest());
    } else if (event.type === 'tool-output') {
      this.#note(event.id, event.text);
      this.#drawSoon();
    } else if (event.type === 'tool-finished') this.#finishTool(event);
    else if (event.type === 'notice') {
      this.#draw([...this.#rest(), ...this.#noticeLines(event.text)]);
    }
  }

  settle(): void {
    this.#state = 'settled';
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#waitingSince = undefined;
    this.#draw(this.#rest());
  }

  #finishTool(event: Extract<AgentEvent, { type: 'tool-finished' }>): void {
    const { colors } = this.#parts.look();
    const tool = this.#tools.get(event.id);
    this.#tools.delete(event.id);
    const mark = event.isError ? colors.red('✗') : colors.green('✓');
    const line = this.#line(`${event.tool}  ${tool?.summary ?? ''}`, `  ${seconds(event.durationMs)}`);
    const why = event.isError
      ? reasonsIn(event.text).map(reason => colors.dim(`    ${this.#line(reason)}`))
      : [];
    if (this.#tools.size === 0) this.#waitingSince = this.#now();
    this.#draw([...this.#rest(), `${mark} ${line}`, ...why]);
  }

  #note(id: string, text: string): void {
    const tool = this.#tools.get(id);
    const last = text.split('\n').findLast(line => line.trim() !== '');
    if (tool && last !== undefined) tool.lastLine = plainLine(last);
  }

  /** What there is of the answer, for good. */
  #rest(): readonly string[] {
    const lines = this.#markdown.finish();
    return lines.length > 0 ? [...lines, ''] : [];
  }

  #draw(kept: readonly string[]): void {
    const { kept: complete, live } = this.#markdown.take();
    this.#area.show([...kept, ...complete], this.#state === 'running' ? [...live, ...this.#progress()] : []);
    this.#drawnAt = this.#now();
    this.#timer?.cancel();
    this.#timer = undefined;
    const isWaiting = this.#tools.size > 0 || this.#waitingSince !== undefined;
    if (this.#state === 'running' && isWaiting) this.#drawIn(TICK_MS);
  }

  #drawSoon(): void {
    const since = this.#now() - this.#drawnAt;
    if (since >= FRAME_MS) this.#draw([]);
    else this.#drawIn(FRAME_MS - since);
  }

  #drawIn(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#parts.clock.after(ms, () => this.#draw([]));
  }

  #progress(): readonly string[] {
    const { colors } = this.#parts.look();
    const running = [...this.#tools.values()].flatMap(({ name, summary, startedAt, lastLine }) => {
      const line = this.#line(`${name}  ${summary}`, `  ${seconds(this.#now() - startedAt)}`);
      const output = lastLine === '' ? [] : [colors.dim(`    ${this.#line(lastLine, '')}`)];
      return [`${colors.cyan('…')} ${line}`, ...output];
    });
    if (running.length > 0 || this.#waitingSince === undefined) return running;
    return [colors.dim(`… waiting for the model  ${seconds(this.#now() - this.#waitingSince)}`)];
  }

  /** Whole: what cannot be read to its end does not say what to do. */
  #noticeLines(text: string): readonly string[] {
    const { colors, columns } = this.#parts.look();
    return wrapSpans([{ text: stripAnsi(text), style: colors.yellow }], columns - 1);
  }

  /** On one line, with what has to be seen at its end. */
  #line(text: string, end = ''): string {
    return fitLine(plainLine(text), Math.max(10, this.#parts.look().columns - 6 - end.length)) + end;
  }

  #now(): number {
    return this.#parts.clock.monotonic();
  }
}

/** `0.4 s`, `12 s`. */
export function seconds(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** The answer of a tool is marked as data for the model; people want what stands in it. */
function reasonsIn(text: string): readonly string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '' && !/^\[(?:end of )?data /.test(line));
  return lines.length === 0 ? [''] : lines.slice(0, MOST_REASONS);
}
