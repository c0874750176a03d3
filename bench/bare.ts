// The reference that everything is measured against: a program that Node starts and waits for.
import { spawn } from 'node:child_process';

/** Without an input: bash takes a socket there for a remote login and reads the user's start files. */
export function bare(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(`${program} exited ${code}`))));
  });
}
