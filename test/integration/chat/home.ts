// A home with a scripted model for `hermes chat`, whose commands run here in folders of the test.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../services/command.ts';
import { type Ended, type ProgramOptions, runProgram } from '../run-program.ts';
import { onTerminal, type Typist } from './terminal.ts';

const entry = join(import.meta.dirname, '../../../bin/hermes.js');

export interface ChatHome extends AsyncDisposable {
  /** The person's own, with a file `precious`. */
  readonly person: string;
  readonly home: string;
  readonly work: string;
  hermes(args: readonly string[], options?: ProgramOptions): Promise<Ended>;
  terminal(args: readonly string[]): Typist;
}

/** Without an address no model is set. */
export async function chatHome(
  baseUrl?: string,
  {
    user,
  }: { /** The account that the person has; absent = that of the test. */ readonly user?: string } = {},
): Promise<ChatHome> {
  const root = await mkdtemp(join(tmpdir(), 'chat-'));
  const [person, home, work] = ['person', 'home', 'work'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ]; // three in, three out
  for (const folder of [person, home, work]) await mkdir(folder);
  await writeFile(join(person, 'precious'), 'precious');
  if (baseUrl)
    await writeFile(join(home, 'config.yaml'), `model:\n  name: test-model\n  base_url: ${baseUrl}\n`);
  const own = user === undefined ? {} : { TMPDIR: person };
  const env = { HERMES_HOME: home, HOME: person, NO_COLOR: '1', FORCE_COLOR: '0', ...own };
  const become = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
  if (user !== undefined) await runCommand(['chown', '-R', `${user}:`, root]);
  const typists: Typist[] = [];
  return {
    ...{ person, home, work },
    hermes: (args, options = {}) =>
      runProgram([process.execPath, entry, ...args], {
        cwd: work,
        ...options,
        env: { ...env, ...options.env },
      }),
    terminal(args) {
      const command = [...become, process.execPath, entry, ...args];
      const typist = onTerminal(command, { env: { ...process.env, ...env }, cwd: work, notes: root });
      typists.push(typist);
      return typist;
    },
    async [Symbol.asyncDispose]() {
      for (const typist of typists) typist.kill();
      await Promise.all(typists.map(({ ended }) => ended));
      await rm(root, { recursive: true });
    },
  };
}
