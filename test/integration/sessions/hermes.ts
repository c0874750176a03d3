// The CLI beside a gateway of the test, on the same home.
import { expect } from 'vitest';
import { callHermes } from '../call-hermes.ts';
import type { Ended } from '../run-program.ts';
import type { Gateway } from './world.ts';

export interface Beside {
  /** As a person sees it: exit code 0, and nothing wider than 80 columns. */
  text(...args: string[]): Promise<string>;
  json(...args: string[]): Promise<unknown>;
  /** The error that it ended with. */
  error(
    ...args: string[]
  ): Promise<{ readonly code: string; readonly message: string; readonly exit: number }>;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
}

export function hermesAt(home: string, environment: Readonly<Record<string, string>> = {}): Beside {
  const run: Beside['run'] = (args, env = {}) =>
    callHermes(args, { env: { ...environment, ...env, HERMES_HOME: home, NO_COLOR: '1' } });
  return {
    run,
    async text(...args) {
      const { code, stdout, stderr } = await run(args);
      expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      return stdout;
    },
    async json(...args) {
      const { code, stdout, stderr } = await run([...args, '--json']);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return JSON.parse(stdout);
    },
    async error(...args) {
      const { code, stdout, stderr } = await run([...args, '--json']);
      expect(stdout).toBe('');
      const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
      return { ...error, exit: code ?? -1 };
    },
  };
}

/** One command in the sandbox of a chat; its id. */
export async function commandIn(gateway: Gateway, chat: string, command: string): Promise<string> {
  await using lease = await gateway.sandboxes.lease(await gateway.session(chat), {
    purpose: 'run-1',
    actor: 'test:1',
  });
  expect(await lease.exec(command)).toMatchObject({ outcome: 'exited', exitCode: 0 });
  return lease.sandboxId;
}
