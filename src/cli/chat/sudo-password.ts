// The password for sudo in a chat at a terminal: asked for when a command first needs it, and kept in memory until the chat ends.
import type { SandboxWorld } from '../../sessions/world.ts';

const PROMPT = 'Password for sudo (not shown; Enter if it needs none): ';
const AGAIN = `sudo did not accept it. ${PROMPT}`;

/** `learn`: told the password before anything can show it. */
export function sudoAsker(
  ask: (prompt: string) => Promise<string | undefined>,
  learn: (secret: string) => void,
): NonNullable<SandboxWorld['askSudoPassword']> {
  let asked: Promise<string | undefined> | undefined;
  const answer = async (prompt: string): Promise<string | undefined> => {
    const typed = await ask(prompt);
    if (typed !== undefined) learn(typed);
    return typed;
  };
  return async (isolation, { wasRefused }) => {
    // A sandbox has rules of its own, and no use for the password of a machine.
    if (isolation !== 'none' && isolation !== 'remote') return undefined;
    if (wasRefused) asked = answer(AGAIN);
    asked ??= answer(PROMPT);
    return asked;
  };
}
