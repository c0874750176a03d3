// P17: what people do in a sandbox with commands of the chat and with files is judged, asked about and recorded like what
// the model does there. On the host itself, where most can be lost.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { newHome } from '../sessions/world.ts';
import { answered, type House, OWNER, USER } from './house.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

interface Ground {
  readonly house: House;
  /** Where commands of the conversation start, on this machine. */
  readonly cwd: string;
  /** What the audit has of this tool: subject and outcome. */
  audited(name: string): Promise<readonly string[]>;
}

/** A folder with a key and something ordinary in it. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-cwd-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, '.ssh'));
  await writeFile(join(folder, '.ssh/id_rsa'), 'the key of somebody');
  await writeFile(join(folder, 'mine.txt'), 'mine');
  return folder;
}

async function onTheHost(given: { home?: string; cwd?: string } = {}): Promise<Ground> {
  const { cwd = await newFolder(), ...options } = given;
  let house: House | undefined;
  house = await houses.open({
    ...options,
    environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: cwd },
    async *script(turn, session) {
      await using lease = await house?.ground.sandboxes.lease(session, {
        purpose: 'test',
        actor: turn.requester,
      });
      yield answered(`ready ${lease?.handle.workdir}`);
    },
  });
  for (const person of [USER, OWNER]) {
    await house.platform.say(person, 'make a sandbox');
    await house.platform.shows(person, 'ready');
  }
  const { store } = house.ground.world;
  return {
    house,
    cwd,
    async audited(name) {
      const entries = await store.audit.list({ limit: 100 });
      return entries
        .filter(({ action, subject }) => action === 'tool' && subject.startsWith(`${name}: `))
        .map(({ actor, subject, outcome }) => `${actor} ${subject} ${outcome}`);
    },
  };
}

const files = ({ house }: Ground, chat: string): readonly string[] =>
  house.platform.chat(chat).flatMap(({ file }) => (file ? [Buffer.from(file.bytes).toString()] : []));

it('P17: asks an owner before a user gets a key, and records who wanted it', async () => {
  const ground = await onTheHost();
  const { platform } = ground.house;
  await platform.say(USER, '/get .ssh/id_rsa');
  await platform.shows(OWNER, '.ssh/id_rsa');
  await platform.shows(USER, 'Waiting for an owner');
  expect(files(ground, USER)).toEqual([]);
  await platform.press(OWNER, 'Deny');
  await platform.shows(USER, 'Denied by the owner');
  expect(files(ground, USER)).toEqual([]);
  expect(await ground.audited('/get')).toEqual([`telegram:${USER} /get: .ssh/id_rsa denied`]);
});

it('P17: sends what an owner agreed to, and changes the card', async () => {
  const ground = await onTheHost();
  const { platform } = ground.house;
  await platform.say(USER, '/get .ssh/id_rsa');
  await platform.shows(OWNER, '.ssh/id_rsa');
  await platform.press(OWNER, 'Once');
  await platform.until(() => files(ground, USER).length > 0);
  expect(files(ground, USER)).toEqual(['the key of somebody']);
  await platform.until(() => platform.texts(OWNER).some(text => text.includes('Approved')));
  expect(await ground.audited('/get')).toEqual([`telegram:${USER} /get: .ssh/id_rsa done`]);
});

it('P17: asks nobody about an ordinary file, and records it all the same', async () => {
  const ground = await onTheHost();
  const { platform } = ground.house;
  await platform.say(USER, '/get mine.txt');
  await platform.until(() => files(ground, USER).length > 0);
  await platform.say(USER, '/files');
  await platform.shows(USER, 'mine.txt');
  expect(platform.texts(OWNER).filter(text => !text.startsWith('ready'))).toEqual([]);
  expect(await ground.audited('/get')).toEqual([`telegram:${USER} /get: mine.txt done`]);
  expect(await ground.audited('/files')).toEqual([`telegram:${USER} /files: . done`]);
});

it('P17: asks by where a path leads, not by what it is called', async () => {
  const ground = await onTheHost();
  const { platform } = ground.house;
  await symlink(join(ground.cwd, '.ssh/id_rsa'), join(ground.cwd, 'notes.txt'));
  await platform.say(USER, '/get notes.txt');
  await platform.shows(OWNER, 'leads to');
  await platform.press(OWNER, 'Deny');
  await platform.shows(USER, 'Denied by the owner');
  expect(files(ground, USER)).toEqual([]);
});

it('P17: lets nothing of the installation out, whoever agrees', async () => {
  const home = await newHome();
  const ground = await onTheHost({ home, cwd: dirname(home) });
  const { platform } = ground.house;
  await symlink(home, join(home, 'link'));
  for (const path of [
    `${basename(home)}/state.db`,
    `${basename(home)}/link/config.yaml`,
    `${basename(home)}/logs`,
  ]) {
    const before = platform.chat(OWNER).length;
    await platform.say(OWNER, `/get ${path}`);
    await platform.until(() => platform.chat(OWNER).length > before);
    expect(platform.texts(OWNER).at(-1), path).toContain('belongs to this installation');
  }
  expect(files(ground, OWNER)).toEqual([]);
  expect((await ground.audited('/get')).every(row => row.endsWith(' denied'))).toBe(true);
});

it('shows users no path of the host, and owners who decided what', async () => {
  const ground = await onTheHost();
  const { platform, home } = ground.house;
  const answer = async (person: string, text: string): Promise<string> => {
    const before = platform.chat(person).length;
    await platform.say(person, text);
    await platform.until(() => platform.chat(person).length > before);
    return platform.texts(person).slice(before).join('\n');
  };
  for (const command of ['/status', '/sandbox']) {
    const [theirs, owners] = [await answer(USER, command), await answer(OWNER, command)];
    expect(theirs).toContain('Backend: local');
    expect(theirs).not.toContain(home);
    expect(theirs).not.toContain('TERMINAL_ENV');
    expect(owners).toContain('TERMINAL_ENV');
  }
});
