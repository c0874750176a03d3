// The steps of runs as pages show them: which tool, with what, and the end of what it has printed. Kept for the last runs of
// each chat, so that a page that comes back sees them again; they end with the gateway.
import type { AgentEvent } from '../agent/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Session } from '../store/sessions.ts';

export interface Step {
  readonly id: string;
  readonly tool: string;
  readonly summary: string;
  state: 'running' | 'done' | 'failed';
  /** The end of it; `dropped` characters stood before. */
  output: string;
  dropped: number;
  durationMs?: number;
}

export interface RunSteps {
  readonly run: string;
  readonly startedAt: number;
  isOver: boolean;
  readonly steps: Step[];
}

export type StepFrame =
  | { readonly type: 'run'; readonly run: RunSteps }
  | { readonly type: 'step'; readonly run: string; readonly step: Omit<Step, 'output'> }
  | {
      readonly type: 'step-output';
      readonly run: string;
      readonly id: string;
      readonly text: string;
      readonly dropped: number;
    }
  | { readonly type: 'run-over'; readonly run: string };

export interface StepViewer {
  readonly platform: string;
  readonly chat: string;
  show(frame: StepFrame): void;
}

const MOST_OUTPUT = 64 * 1024;
const MOST_RUNS = 20;
const MOST_CHATS = 100;
const MOST_STEPS = 200;
/** Output goes out this often; a program that prints megabytes costs a few frames. */
const EVERY_MS = 100;

interface Pending {
  readonly viewerKey: string;
  readonly run: string;
  readonly id: string;
  text: string;
  dropped: number;
}

export class StepBook {
  readonly viewers = new Set<StepViewer>();
  readonly #clock: Clock;
  readonly #chats = new Map<string, RunSteps[]>();
  readonly #pending = new Map<string, Pending>();
  #isWaiting = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  runsOf({ platform, chat }: Pick<StepViewer, 'platform' | 'chat'>): readonly RunSteps[] {
    return this.#chats.get(keyOf(platform, chat)) ?? [];
  }

  /** Returns at once. */
  take(
    of: { readonly id: string; readonly session: Pick<Session, 'platform' | 'chat'> },
    event: AgentEvent,
  ): void {
    const { platform, chat } = of.session;
    const key = keyOf(platform, chat);
    if (event.type === 'tool-started') this.#start(key, of.id, event);
    else if (event.type === 'tool-output') this.#print(key, of.id, event);
    else if (event.type === 'tool-finished') this.#finish(key, of.id, event);
    else if (event.type === 'done') this.#over(key, of.id);
  }

  #start(
    key: string,
    runId: string,
    { id, tool, summary }: Extract<AgentEvent, { type: 'tool-started' }>,
  ): void {
    const run = this.#run(key, runId);
    if (run.steps.length >= MOST_STEPS) return;
    const step: Step = { id, tool, summary, state: 'running', output: '', dropped: 0 };
    run.steps.push(step);
    this.#show(key, { type: 'step', run: runId, step });
  }

  #print(key: string, runId: string, { id, text }: Extract<AgentEvent, { type: 'tool-output' }>): void {
    const step = this.#find(key, runId, id);
    if (!step) return;
    const whole = step.output + text;
    const cut = Math.max(0, whole.length - MOST_OUTPUT);
    step.output = whole.slice(cut).toWellFormed();
    step.dropped += cut;
    const waiting = this.#pending.get(id) ?? { viewerKey: key, run: runId, id, text: '', dropped: 0 };
    waiting.text = (waiting.text + text).slice(-MOST_OUTPUT);
    waiting.dropped = step.dropped;
    this.#pending.set(id, waiting);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#clock.after(EVERY_MS, () => this.#flush());
  }

  #finish(
    key: string,
    runId: string,
    { id, isError, text, durationMs }: Extract<AgentEvent, { type: 'tool-finished' }>,
  ): void {
    const step = this.#find(key, runId, id);
    if (!step) return;
    // What a tool without a live output has answered is its output.
    if (step.output === '' && text !== '') this.#print(key, runId, { type: 'tool-output', id, text });
    this.#flush();
    step.state = isError ? 'failed' : 'done';
    step.durationMs = durationMs;
    const { output: _, ...facts } = step;
    this.#show(key, { type: 'step', run: runId, step: facts });
  }

  #over(key: string, runId: string): void {
    const run = this.#chats.get(key)?.find(each => each.run === runId);
    if (!run) return;
    this.#flush();
    run.isOver = true;
    this.#show(key, { type: 'run-over', run: runId });
  }

  #run(key: string, runId: string): RunSteps {
    const runs = this.#chats.get(key) ?? [];
    const found = runs.find(each => each.run === runId);
    if (found) return found;
    const run: RunSteps = { run: runId, startedAt: this.#clock.now(), isOver: false, steps: [] };
    this.#chats.delete(key);
    this.#chats.set(key, [...runs, run].slice(-MOST_RUNS));
    const [oldest] = this.#chats.keys();
    if (this.#chats.size > MOST_CHATS && oldest !== undefined) this.#chats.delete(oldest);
    this.#show(key, { type: 'run', run });
    return run;
  }

  #find(key: string, runId: string, id: string): Step | undefined {
    return this.#chats
      .get(key)
      ?.find(each => each.run === runId)
      ?.steps.find(step => step.id === id);
  }

  #flush(): void {
    this.#isWaiting = false;
    for (const { viewerKey, run, id, text, dropped } of this.#pending.values())
      this.#show(viewerKey, { type: 'step-output', run, id, text, dropped });
    this.#pending.clear();
  }

  #show(key: string, frame: StepFrame): void {
    for (const viewer of this.viewers) if (keyOf(viewer.platform, viewer.chat) === key) viewer.show(frame);
  }
}

function keyOf(platform: string, chat: string): string {
  return `${platform}\0${chat}`;
}
