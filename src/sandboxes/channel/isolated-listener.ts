// Whoever listens to a command's output cannot harm the command.
import type { OutputListener } from '../../backends/backend.ts';

/** A listener that fails is told of in the result and heard no more; the command is not its fault. */
export function isolated(given: OutputListener | undefined, notices: string[]): OutputListener {
  let listener = given;
  const fail = (error: unknown): void => {
    listener = undefined;
    notices.push(
      `What listened to the output failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
  return (stream, data) => {
    try {
      const taken = listener?.(stream, data);
      return taken instanceof Promise ? taken.catch(fail) : undefined;
    } catch (error) {
      return fail(error);
    }
  };
}
