// Programs that need a terminal: started with pty, typed at with process write, read with process log.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../services/command.ts';
import { needService } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { useGateways } from '../sessions/use-gateways.ts';
import { newHome } from '../sessions/world.ts';
import { openDoor, plain } from './door-world.ts';

const { started } = useGateways();

for (const backend of ['local', 'bubblewrap'] as const) {
  describe(`a program under a terminal on ${backend}`, () => {
    if (backend === 'bubblewrap') needService('bubblewrap');

    const opened = async (answer: 'yes' | 'no' = 'yes') =>
      openDoor(await started({ environment: { TERMINAL_ENV: backend } }), { owner: () => answer });
    type Door = Awaited<ReturnType<typeof opened>>;

    const begin = async (door: Door, command: string): Promise<string> => {
      const { text } = await door.call('terminal', { command, pty: true });
      return /id (\w+)\./.exec(text)?.[1] ?? text;
    };
    const log = async (door: Door, id: string): Promise<string> =>
      plain(await door.call('process', { action: 'log', id }));
    const seen = (door: Door, id: string, text: string) =>
      until(async () => (await log(door, id)).includes(text), `${text} in the log`);
    const type = (door: Door, id: string, data: string) =>
      door.call('process', { action: 'write', id, data });

    it('has a terminal of a sane size, takes input and tells its end', async () => {
      await using door = await opened();
      const id = await begin(
        door,
        'tty && stty size && echo "${TERM:+named}"; printf "\\033[1mname?\\033[0m "; read -r name; echo "hello $name"; exit 3',
      );
      await seen(door, id, 'name?');
      expect(await log(door, id)).toMatch(/\/dev\/pts\/\d+\n24 80\nnamed\nname\? /);
      await type(door, id, 'World\n');
      expect((await door.call('process', { action: 'wait', id })).text).toContain(
        'hello World\n[end of data',
      );
      expect((await door.call('process', { action: 'poll', id })).text).toContain('exit code 3');
      // As it was written, for whoever wants the bytes.
      const process = await door.lease.handle.process(id);
      expect(new TextDecoder().decode(await process.log())).toContain('\x1b[1mname?\x1b[0m');
    });

    it('hears Ctrl-C and Ctrl-D, and a kill ends all of it', async () => {
      await using door = await opened();
      const id = await begin(
        door,
        'trap "echo caught" INT; sleep 614255001; cat; echo over; sleep 614255002',
      );
      await until(
        async () => (await door.lease.exec('pgrep -f "sleep 614255[0]01"')).exitCode === 0,
        'it sleeps',
      );
      await type(door, id, '\u0003');
      await seen(door, id, 'caught');
      await type(door, id, '\u0004');
      await seen(door, id, 'over');
      await door.call('process', { action: 'kill', id });
      expect((await door.lease.exec('pgrep -f "614255[0]0"')).exitCode).toBe(1);
      expect((await door.call('process', { action: 'poll', id })).text).toContain(
        'over: it ended by signal 9',
      );
    });
  });
}

it('a time limit may be as long as the operator allows, and no longer', async () => {
  const gateway = await started({ environment: { TERMINAL_ENV: 'local' } });
  await using door = await openDoor(gateway, { owner: () => 'yes', longestSeconds: 7200 });
  expect(plain(await door.call('terminal', { command: 'echo done', timeout: 7200 }))).toContain('done');
  expect((await door.call('terminal', { command: 'echo done', timeout: 7201 })).isError).toBe(true);
});

describe('a terminal and the owner', () => {
  it('is asked about like any command in the background, and so is what is typed', async () => {
    await using door = await openDoor(await started({ environment: { TERMINAL_ENV: 'local' } }), {
      owner: () => 'no',
    });
    const denied = await door.call('terminal', { command: 'rm -rf ~/x', pty: true });
    expect(denied.text).toContain('Not run');
    expect(door.asked[0]?.command).toBe('terminal in the background: rm -rf ~/x');
    const { text } = await door.call('terminal', { command: 'cat', pty: true });
    const id = /id (\w+)\./.exec(text)?.[1] ?? '';
    expect((await door.call('process', { action: 'write', id, data: 'rm -rf ~\n' })).text).toContain(
      'Not run',
    );
    expect(door.asked[1]?.command).toContain('rm -rf ~');
    await door.call('process', { action: 'kill', id });
  });

  it('is refused clearly where there is no program for it', async () => {
    const home = await newHome();
    const programs = join(home, 'programs');
    const links = 'mkdir "$1" && ln -s /usr/bin/* "$1" && rm "$1/script"';
    await runCommand(['bash', '-c', links, 'bash', programs]);
    const gateway = await started({ home, environment: { TERMINAL_ENV: 'local', PATH: programs } });
    await using door = await openDoor(gateway, { owner: () => 'yes' });
    const { text } = await door.call('terminal', { command: 'touch made', pty: true });
    expect(text).toContain('No program can be given a terminal in this sandbox: `script`');
    expect((await door.call('list_files', { path: '.' })).text).not.toContain('made');
  });
});
