// The gateway's end of a program's tool calls: which tools there are, how many calls, and the way through the door. A
// program that floods it is read no faster than it takes its answers.
import type { ToolAnswer, ToolCall } from '../providers/provider.ts';
import { answerFrame, type CallFrame, FrameReader } from './frames.ts';
import type { OfferedTool } from './offered-tools.ts';

export interface CallsOptions {
  readonly tools: readonly OfferedTool[];
  readonly most: number;
  /** Begins the ids of the calls. */
  readonly id: string;
  /** The door. */
  readonly call: (call: ToolCall, options: { signal: AbortSignal }) => Promise<ToolAnswer>;
  /** Resolves when the bytes have been taken. */
  readonly send: (bytes: Uint8Array) => Promise<void>;
  /** What arrived cannot be a call: nothing more is read. */
  readonly onBroken: () => void;
  /** A call failed in a way that is no answer. */
  readonly onFailure: (error: unknown) => void;
}

export class Calls {
  readonly #options: CallsOptions;
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  readonly #frames = new FrameReader();
  readonly #over = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #sending: Promise<unknown> = Promise.resolve();
  #made = 0;
  #refused = 0;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map(tool => [tool.name, tool]));
  }

  /** Calls that went through the door. */
  get made(): number {
    return this.#made;
  }

  /** Calls beyond the limit. */
  get refused(): number {
    return this.#refused;
  }

  /** Resolves when the next bytes may come: refusals have been taken by then, so that nobody can pile them up here. */
  async receive(bytes: Uint8Array): Promise<void> {
    const frames = this.#frames.push(bytes);
    if (frames === 'broken') return this.#options.onBroken();
    for (const frame of frames) {
      if (this.#over.signal.aborted) return;
      const refusal = this.#refusal(frame);
      if (refusal === undefined) this.#start(frame);
      else await this.#send(answerFrame(frame.id, 'error', refusal));
    }
  }

  /**
   * The program is over: calls that are still running are ended. Resolves when none is left, and nothing waits to be sent
   * any more, for which the line may have to be closed.
   */
  async close(): Promise<void> {
    this.#over.abort(new Error('The program that made this call is over.'));
    await Promise.all(this.#running);
  }

  /** One after the other; what is over gets no answers. */
  #send(bytes: Uint8Array): Promise<void> {
    const sent = this.#sending.then(() =>
      this.#over.signal.aborted ? undefined : this.#options.send(bytes),
    );
    this.#sending = Promise.allSettled([sent]);
    return sent;
  }

  #refusal({ tool, input }: CallFrame): string | undefined {
    const offered = this.#tools.get(tool);
    if (offered === undefined) return `There is no tool ${tool} inside a program.`;
    if (this.#made >= this.#options.most) {
      this.#refused++;
      return `The limit of ${this.#options.most} tool calls for one program is used up; ${tool} was not called. Do more work in each call, or finish in another program.`;
    }
    return offered.refusal(input);
  }

  #start({ id, tool, input }: CallFrame): void {
    const callId = `${this.#options.id}-${++this.#made}`;
    const work = async (): Promise<void> => {
      const { signal } = this.#over;
      const { text, isError } = await this.#options.call({ id: callId, name: tool, input }, { signal });
      await this.#send(answerFrame(id, isError ? 'error' : 'ok', text));
    };
    const running = work()
      .catch(error => {
        // How a call ends that nobody waits for any more is of no interest.
        if (!this.#over.signal.aborted) this.#options.onFailure(error);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
