// What a run looks like while it goes on. On a terminal: an answer that grows, and tools with the time they take.
import type { AgentEvent } from '../../agent/events.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import type { Look } from '../command.ts';
import { plainLine } from '../commands/wording.ts';
import { GrowingMarkdown } from './growing-markdown.ts';
import { LiveArea } from './live-area.ts';
import { fitLine } from './spans.ts';

export interface Screen {
  /** The person has said something, and waits from now on. */
  begin(): void;
  show(event: AgentEvent): void;
  /** Everything is written down; other text may follow. `begin` goes on. */
  settle(): void;
}

export interface TerminalParts {
  readonly clock: Clock;
  readonly look: () => Look;
  readonly rows: () => number;
  readonly write: (text: string) => void;
}

/** How often an answer is drawn anew while it grows. */
const FRAME_MS = 40;
const TICK_MS = 1000;

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
    switch (event.type) {
      case 'text':
        this.#waitingSince = undefined;
        this.#markdown.add(event.delta);
        return this.#drawSoon();
      case 'tool-started':
        this.#waitingSince = undefined;
        this.#tools.set(event.id, {
          ...{ name: event.tool, summary: plainLine(event.summary), startedAt: this.#now(), lastLine: '' },
        });
        return this.#draw(this.#rest());
      case 'tool-output':
        this.#note(event.id, event.text);
        return this.#drawSoon();
      case 'tool-finished':
        return this.#finishTool(event);
      case 'notice':
        return this.#draw([...this.#rest(), this.#parts.look().colors.yellow(this.#line(event.text))]);
      default:
        return undefined;
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
    const why = event.isError ? [colors.dim(`    ${this.#line(reasonIn(event.text), '')}`)] : [];
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

  /** On one line, with what has to be seen at its end. */
  #line(text: string, end = ''): string {
    return fitLine(plainLine(text), Math.max(10, this.#parts.look().columns - 6 - end.length)) + end;
  }

  #now(): number {
    return this.#parts.clock.monotonic();
  }
}

/** Elsewhere: the answer as it is written, and what tools do as remarks. */
export class PlainScreen implements Screen {
  readonly #parts: { readonly write: (text: string) => void; readonly note: (text: string) => void };
  readonly #summaries = new Map<string, string>();
  #isOpen = false;

  constructor(parts: { write: (text: string) => void; note: (text: string) => void }) {
    this.#parts = parts;
  }

  begin(): void {}

  show(event: AgentEvent): void {
    if (event.type === 'text') {
      this.#isOpen = !event.delta.endsWith('\n');
      this.#parts.write(event.delta);
    } else if (event.type === 'tool-started') this.#summaries.set(event.id, plainLine(event.summary));
    else if (event.type === 'tool-finished') {
      this.settle();
      const how = event.isError ? 'failed: ' : '';
      const what = `${event.tool} ${this.#summaries.get(event.id) ?? ''}`.trim();
      this.#parts.note(`${how}${what} (${seconds(event.durationMs)})`);
    } else if (event.type === 'notice') this.#parts.note(plainLine(event.text));
  }

  settle(): void {
    if (this.#isOpen) this.#parts.write('\n');
    this.#isOpen = false;
  }
}

function seconds(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** The answer of a tool is marked as data for the model; people want what stands in it. */
function reasonIn(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '' && !/^\[(?:end of )?data /.test(line));
  return lines[0] ?? '';
}
