// An account of this machine that may use sudo with a password; it is removed afterwards.
import { randomBytes } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { commandsOf } from './apt.ts';
import { runCommand } from './command.ts';
import { NotAvailable, type Service } from './service.ts';

export interface SudoerAddress {
  readonly user: string;
  readonly password: string;
  readonly home: string;
  /** Rules for this account alone; a test may write them anew. */
  readonly rulesFile: string;
}

export const sudoer: Service<SudoerAddress> = {
  name: 'sudoer',
  async start(context) {
    if (process.getuid?.() !== 0) throw new NotAvailable('only root can make an account');
    await commandsOf(context, { sudo: 'sudo', useradd: 'passwd', script: 'bsdutils' });
    const user = `hermes-t${randomBytes(4).toString('hex')}`;
    const password = `pw-${randomBytes(12).toString('hex')}`;
    const home = `/home/${user}`;
    // A file whose name has a dot is not read.
    const rulesFile = `/etc/sudoers.d/${user}`;
    const stop = async (): Promise<void> => {
      await rm(rulesFile, { force: true });
      await runCommand(['userdel', '--remove', '--force', user]);
    };
    await runCommand(['useradd', '--create-home', '--home-dir', home, '--shell', '/bin/bash', user]);
    try {
      await runCommand(['chpasswd'], { input: `${user}:${password}\n` });
      await writeFile(rulesFile, `${user} ALL=(ALL) ALL\n`, { mode: 0o440 });
      await chmod(home, 0o755);
      return { address: { user, password, home, rulesFile }, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};
