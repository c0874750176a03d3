// What the log says about runs that failed. Whoever sits at this terminal is the operator, and may know all of it.
import { z } from 'zod';

const failure = z.object({ run: z.string(), error: z.string() });

export class Failures {
  readonly #errors = new Map<string, string>();

  /** A line of the log, redacted. */
  write(line: string): void {
    const parsed = failure.safeParse(JSON.parse(line));
    if (parsed.success) this.#errors.set(parsed.data.run, parsed.data.error);
  }

  /** The whole message; undefined when there is none. */
  of(runId: string): string | undefined {
    return this.#errors.get(runId);
  }
}
