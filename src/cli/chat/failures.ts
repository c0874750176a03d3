// What the log says about what failed. Whoever sits at this terminal is the operator, and may know all of it.
import { z } from 'zod';

/** With a code it is the end of the run, without one something within it. */
const failure = z.object({ run: z.string(), error: z.string(), code: z.string().optional() });

export class Failures {
  readonly #runs = new Map<string, string>();
  readonly #within = new Map<string, string[]>();

  /** A line of the log, redacted. */
  write(line: string): void {
    const parsed = failure.safeParse(JSON.parse(line));
    if (!parsed.success) return;
    const { run, error, code } = parsed.data;
    if (code === undefined) this.#within.set(run, [...(this.#within.get(run) ?? []), error]);
    else this.#runs.set(run, error);
  }

  /** Why the run failed, whole; undefined when it did not. */
  of(runId: string): string | undefined {
    return this.#runs.get(runId);
  }

  /** What failed within it and was not taken yet, whole. */
  take(runId: string): readonly string[] {
    const texts = this.#within.get(runId) ?? [];
    this.#within.delete(runId);
    return texts;
  }
}
