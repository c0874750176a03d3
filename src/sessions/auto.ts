// What `auto` comes to: the first isolated backend that really works here. The choice is made once and kept (P2).
import { HermesError } from '../base/errors.ts';
import { autoOrder } from './choose-backend.ts';
import type { SandboxWorld } from './world.ts';

/** Why each of them was not taken. */
interface Passed {
  readonly name: string;
  readonly reasons: readonly string[];
}

/** What is needed to try backends. */
type Choosing = Pick<SandboxWorld, 'facts' | 'backend'>;

/** Records and returns the choice. Throws UNAVAILABLE_BACKEND with every reason when none works. */
export async function chooseAuto(world: SandboxWorld, signal?: AbortSignal): Promise<string> {
  const { name, passed } = await firstWorking(world, signal);
  await world.store.installation.recordBackend(name);
  world.log.info({ backend: name, passed }, 'auto has chosen the backend');
  return name;
}

/** The same without recording it, for what is made for one command only. */
export async function firstWorking(
  world: Choosing,
  signal?: AbortSignal,
): Promise<{ readonly name: string; readonly passed: readonly Passed[] }> {
  const passed: Passed[] = [];
  for (const name of autoOrder(world.facts)) {
    const reasons = await problemsOf(world, name, signal);
    if (reasons.length === 0) return { name, passed };
    passed.push({ name, reasons });
  }
  const list = passed.map(({ name, reasons }) => `\n  ${name}: ${reasons.join(' ')}`).join('');
  const message = `No isolated backend works here, and nothing runs on this machine itself unless somebody writes so:${list}\nMend one of them, or set gateway.terminal_backend.`;
  throw new HermesError('UNAVAILABLE_BACKEND', message, { details: { passed } });
}

/** Throws UNAVAILABLE_BACKEND when the backend does not work; no other is taken in its place. */
export async function requireBackend(world: SandboxWorld, name: string, origin: string): Promise<void> {
  const reasons = await problemsOf(world, name);
  if (reasons.length === 0) return;
  const message = `The backend ${name} (${origin}) does not work: ${reasons.join(' ')} No other one is taken in its place.`;
  throw new HermesError('UNAVAILABLE_BACKEND', message, { details: { backend: name, origin } });
}

async function problemsOf(world: Choosing, name: string, signal?: AbortSignal): Promise<readonly string[]> {
  const backend = await world.backend(name);
  const problems = await backend.check(signal ? { signal } : {});
  return problems
    .filter(({ severity }) => severity !== 'warning')
    .map(({ message, fix }) => `${message} ${fix}`);
}
