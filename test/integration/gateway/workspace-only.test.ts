// Files of a conversation are those of its workspace, also where the sandbox is the host itself.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { answered, type House, USER } from './house.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

it('lists no folder of the host, by whatever path', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'hermes-cwd-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'mine.txt'), 'x');
  await symlink('/etc', join(cwd, 'link'));
  let house: House | undefined;
  house = await houses.open({
    environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: cwd },
    async *script(turn, session) {
      const purpose = { purpose: 'test', actor: turn.requester };
      await using lease = await house?.ground.sandboxes.lease(session, purpose);
      yield answered(`ready ${lease?.handle.workdir}`);
    },
  });
  const { platform } = house;
  await platform.say(USER, 'make a sandbox');
  await platform.shows(USER, 'ready');
  const said = async (text: string): Promise<string> => {
    const before = platform.chat(USER).length;
    await platform.say(USER, text);
    await platform.until(() => platform.chat(USER).length > before);
    return platform.texts(USER).at(-1) ?? '';
  };
  expect(await said('/files')).toContain('mine.txt');
  for (const path of ['/etc', '..', 'link', '~root', '../../../etc', '/'])
    expect(await said(`/files ${path}`), path).not.toContain('passwd');
  expect(await said('/files /etc')).toContain('outside the workspace');
});
