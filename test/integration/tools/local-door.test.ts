// The door where nothing is contained: what is shown is what runs, paths are where they lead, and a file that a command runs
// is looked at first (P8).
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalEvent } from '../../../src/agent/tool-caller.ts';
import { HOUR, useGateways } from '../sessions/use-gateways.ts';
import { newHome } from '../sessions/world.ts';
import { type DoorOptions, openDoor, plain, SECRET } from './door-world.ts';

const { started } = useGateways();
const no = () => 'no' as const;
const KEY = 'the-private-key';

async function opened(options: DoorOptions = {}, environment: Record<string, string> = {}, given?: string) {
  const home = given ?? (await realpath(await newHome()));
  const work = join(home, 'work');
  await mkdir(join(home, '.ssh'), { recursive: true });
  await writeFile(join(home, '.ssh/id_rsa'), KEY);
  await mkdir(work);
  const gateway = await started({
    home,
    environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: work, HOME: home, ...environment },
  });
  return Object.assign(await openDoor(gateway, options), { gateway, home, work });
}

type Door = Awaited<ReturnType<typeof opened>>;

/** What is asked about for this call. */
async function askedFor(door: Door, tool: string, input: object): Promise<readonly string[]> {
  const before = door.asked.length;
  await door.call(tool, input);
  return door.asked.slice(before).map(({ command }) => command);
}

describe('what is asked shows what runs', () => {
  it('names the tool, and where the file goes', async () => {
    await using door = await opened({ owner: no });
    await symlink(join(door.home, '.ssh/id_rsa'), join(door.work, 'key'));
    const real = join(door.home, '.ssh/id_rsa');
    expect(await askedFor(door, 'send_file', { path: 'key' })).toEqual([
      `send_file key (leads to ${real}) (to the chat)`,
    ]);
    expect(await askedFor(door, 'read_file', { path: '~/.ssh/id_rsa' })).toEqual(['read_file ~/.ssh/id_rsa']);
    expect(await askedFor(door, 'terminal', { command: 'rm -rf ~/x', background: true })).toEqual([
      'terminal in the background: rm -rf ~/x',
    ]);
    const edit = { path: '~/.bashrc', old_text: 'a', new_text: 'b' };
    expect(await askedFor(door, 'edit_file', { ...edit, replace_all: true })).toEqual([
      'edit_file ~/.bashrc\nreplace everywhere:\na\nby:\nb',
    ]);
    expect(await askedFor(door, 'edit_file', edit)).toEqual(['edit_file ~/.bashrc\nreplace:\na\nby:\nb']);
  });

  it('an answer for the session covers neither sending what may be read, nor another text or file', async () => {
    await using door = await opened({ owner: () => 'session' });
    await writeFile(join(door.work, 'id_rsa'), KEY);
    const times = async (tool: string, input: object) => (await askedFor(door, tool, input)).length;
    expect(await times('read_file', { path: 'id_rsa' })).toBe(1);
    expect(await times('read_file', { path: 'id_rsa' })).toBe(0);
    expect(await times('send_file', { path: 'id_rsa' })).toBe(1);
    expect(door.sent).toHaveLength(1);
    const bashrc = { path: '~/.bashrc', content: 'alias a=b' };
    expect(await times('write_file', bashrc)).toBe(1);
    expect(await times('write_file', bashrc)).toBe(0);
    expect(await times('write_file', { ...bashrc, content: 'alias a=c' })).toBe(1);
    expect(await times('write_file', { ...bashrc, path: '~/.profile' })).toBe(1);
    expect(await times('edit_file', { path: '~/.bashrc', old_text: 'a=c', new_text: 'a=d' })).toBe(1);
    expect(await times('edit_file', { path: '~/.bashrc', old_text: 'a=d', new_text: 'a=e' })).toBe(1);
  });

  it('the audit has all that was given, and the hash of what is too long', async () => {
    await using door = await opened({ owner: () => 'yes' });
    const content = `${'line\n'.repeat(5000)}${SECRET}`;
    await door.call('write_file', { path: 'x', content: `a\n${SECRET}\nb` });
    await door.call('write_file', { path: 'y', content });
    await door.call('terminal', { command: 'cat', background: true });
    const id = /(\w+) {2}running/.exec((await door.call('process', { action: 'list' })).text)?.[1];
    await door.call('process', { action: 'write', id, data: 'echo hi\n' });
    await door.call('process', { action: 'kill', id });
    const rows = await door.gateway.world.store.audit.list({ limit: 100 });
    const details = rows.filter(({ action }) => action === 'tool').map(row => row.details);
    expect(details[0]).toMatchObject({ input: { path: 'x', content: 'a\n[redacted:known]\nb' } });
    const whole = content.replace(SECRET, '[redacted:known]');
    expect(details[1]).toMatchObject({
      cut: { content: { bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') } },
    });
    expect(details[2]).toMatchObject({ input: { command: 'cat', background: true } });
    expect(details).toContainEqual(
      expect.objectContaining({ input: { action: 'write', id, data: 'echo hi\n' } }),
    );
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });
});

describe('paths are where they lead', () => {
  it('in searches and lists too, and links inside a folder are not followed', async () => {
    await using door = await opened({ owner: no });
    const { home, work } = door;
    await symlink(join(home, '.ssh'), join(work, 'keys'));
    await symlink(home, join(work, 'up'));
    const searched = await door.call('search_files', { pattern: '.', path: 'keys' });
    expect(searched.text).toContain('Not run: Denied by the owner');
    expect(door.asked.at(-1)?.command).toBe(`search_files . in keys (leads to ${home}/.ssh)`);
    for (const path of ['.', 'keys/../keys', '~', 'up/.ssh'])
      expect((await door.call('search_files', { pattern: '.', path })).text).not.toContain(KEY);
    expect((await door.call('read_file', { path: 'up/.ssh/id_rsa' })).text).toContain('Not run');
    expect((await door.call('write_file', { path: 'up/new/.bashrc', content: 'x' })).text).toContain(
      'Not run',
    );
    expect((await door.call('write_file', { path: 'keys/authorized_keys', content: 'x' })).text).toContain(
      'Not run',
    );
    expect(plain(await door.call('list_files', { path: 'up' }))).toContain('work/');
  });

  it('lead nowhere else than where they were judged to, however long somebody takes to answer', async () => {
    await using door = await opened({ owner: () => 'silent' });
    const { work, home } = door;
    await writeFile(join(work, 'credentials.json'), 'harmless');
    await symlink('credentials.json', join(work, 'link'));
    const onApproval = async (event: ApprovalEvent) => {
      if (event.type !== 'approval-asked') return;
      await rm(join(work, 'link'));
      await symlink(join(home, '.ssh/id_rsa'), join(work, 'link'));
      const by = { who: 'test:owner', isOwner: true };
      await door.desk.answer(event.question.id, by, { kind: 'approve', scope: 'once' });
    };
    const answer = await door.call('read_file', { path: 'link' }, { onApproval });
    expect(door.asked).toHaveLength(1);
    expect(answer.text).toContain('Not run: what was asked about has changed');
    expect(answer.text).not.toContain(KEY);
  });

  it('of names with spaces, line breaks and a ~ are the same', async () => {
    await using door = await opened({ owner: () => 'yes' });
    const { home } = door;
    for (const name of ['a b', "it's", 'line\nbreak\n', '-n', '~x']) {
      expect((await door.call('write_file', { path: `sub/${name}`, content: 'x' })).isError, name).toBe(
        false,
      );
      expect(plain(await door.call('read_file', { path: `sub/${name}` })), name).toContain('x');
      expect((await door.call('write_file', { path: `~/new ${name}`, content: 'y' })).isError, name).toBe(
        false,
      );
      expect(await readFile(join(home, `new ${name}`), 'utf8')).toBe('y');
    }
    expect((await door.call('read_file', { path: 'no/such/file' })).text).toContain('There is no');
    await symlink('loop', join(door.work, 'loop'));
    expect((await door.call('read_file', { path: 'loop' })).text).toContain('cannot be told where it leads');
  });
});

describe('a file that a command runs', () => {
  const STEAL = 'print(open("/dev/null").read(), 1)';

  it.each([
    ['x.py', 'python3 x.py'],
    ['x.py', 'python3 < x.py'],
    ['x.py', 'cat x.py | python3 -'],
    ['x.py', 'cd sub; python3 ../x.py'],
    ['x.py', 'python3 -m x'],
    ['x.sh', 'bash x.sh'],
    ['x.sh', '. ./x.sh'],
    ['x.sh', 'chmod +x x.sh; ./x.sh'],
    ['x.sh', 'cat x.sh | sh'],
    ['x.js', 'node x.js'],
    ['Makefile', 'make'],
    ['sub/rules.mk', 'make -C sub -f rules.mk'],
    ['package.json', 'npm test'],
    ['conftest.py', 'pytest -q'],
    ['build.rs', 'cargo build'],
  ])('is asked about and shown whole when the agent wrote it: %s by %s', async (path, command) => {
    await using door = await opened({ owner: no });
    await mkdir(join(door.work, 'sub'), { recursive: true });
    await door.call('write_file', { path, content: `${STEAL}\n# the end` });
    const [asked = ''] = await askedFor(door, 'terminal', { command });
    expect(asked.startsWith(`${command}\n\n--- `)).toBe(true);
    expect(asked).toContain(`${STEAL}\n# the end`);
    expect(door.asked[0]?.findings.at(-1)?.rule).toBe('unresolved.program');
  });

  it('is asked about when a command wrote it, or writes it just then', async () => {
    await using door = await opened({ owner: no });
    expect(await askedFor(door, 'terminal', { command: 'echo "echo hi" >x.sh' })).toEqual([]);
    expect(await askedFor(door, 'terminal', { command: 'bash x.sh' })).toHaveLength(1);
    expect(await askedFor(door, 'terminal', { command: 'echo ls >y.sh; bash y.sh' })).toHaveLength(1);
    expect(await askedFor(door, 'terminal', { command: 'make-it; ./made' })).toHaveLength(1);
  });

  it('and what it runs in turn', async () => {
    await using door = await opened({ owner: no });
    await door.call('write_file', { path: 'a.sh', content: 'bash b.sh' });
    await door.call('write_file', { path: 'b.sh', content: 'echo inner' });
    const [asked = ''] = await askedFor(door, 'terminal', { command: 'bash a.sh' });
    expect(asked).toMatch(/--- a\.sh [\s\S]*--- b\.sh [\s\S]*echo inner/);
  });

  /** The owner says yes, after something has happened. */
  const afterwards = (door: Door, work: () => Promise<unknown>) => async (event: ApprovalEvent) => {
    if (event.type !== 'approval-asked') return;
    await work();
    const by = { who: 'test:owner', isOwner: true };
    await door.desk.answer(event.question.id, by, { kind: 'approve', scope: 'once' });
  };

  /** A `date` that can be set forward, so that no test has to wait. */
  async function fakeDate(home: string): Promise<{ PATH: string; later: () => Promise<void> }> {
    await mkdir(join(home, 'bin'));
    const later = join(home, 'later');
    const date = `#!/bin/bash\nreal=$(/bin/date "$@")\n[[ -e ${later} ]] && echo $((real + 600)) || echo "$real"\n`;
    await writeFile(join(home, 'bin/date'), date, { mode: 0o755 });
    const PATH = `${home}/bin:${process.env['PATH']}`;
    return { PATH, later: () => writeFile(later, '') };
  }

  it('runs once approved, however late the answer: an approval is bound to content, not to times', async () => {
    const home = await realpath(await newHome());
    const { PATH, later } = await fakeDate(home);
    await using door = await opened({ owner: () => 'silent' }, { PATH }, home);
    const path = join(door.work, 'x.py');
    await door.call('write_file', { path: 'x.py', content: 'print(6 * 7)' });
    const onApproval = afterwards(door, async () => {
      await later();
      await writeFile(path, 'print(6 * 7)');
    });
    const answer = await door.call('terminal', { command: 'python3 x.py' }, { onApproval });
    expect(door.asked).toHaveLength(1);
    expect(plain(answer)).toBe('42\nExit code 0.');
  });

  it('does not run when it was changed after the part that is shown, with its size and time as before', async () => {
    await using door = await opened({ owner: () => 'silent' });
    const path = join(door.work, 'long.sh');
    const long = (end: string) => `${'# a line\n'.repeat(8000)}echo ${end}`;
    await writeFile(path, long('first'));
    await utimes(path, 1, 1);
    const onApproval = afterwards(door, async () => {
      await writeFile(path, long('other'));
      await utimes(path, 1, 1);
    });
    const refused = await door.call('terminal', { command: 'bash long.sh' }, { onApproval });
    expect(refused.text).toContain('Not run: what was asked about has changed');
    const ran = await door.call(
      'terminal',
      { command: 'bash long.sh' },
      { onApproval: afterwards(door, async () => {}) },
    );
    expect(plain(ran)).toBe('other\nExit code 0.');
  });

  it('is looked at again also when a model has cleared the command', async () => {
    const home = await realpath(await newHome());
    await mkdir(join(home, 'work'));
    const path = join(home, 'work/old.sh');
    await writeFile(path, 'echo old');
    const environment = { TERMINAL_ENV: 'local', TERMINAL_CWD: join(home, 'work'), HOME: home };
    const gateway = await started({ home, environment });
    gateway.age(HOUR);
    await gateway.session('tools');
    gateway.age(-HOUR);
    let between = async (): Promise<void> => {};
    const askModel = async () => {
      await between();
      return '{"verdict":"safe"}';
    };
    await using door = await openDoor(gateway, { owner: no, askModel });
    const run = { command: 'some-unknown-program; bash old.sh' };
    expect((await door.call('terminal', run)).text).toContain('old');
    between = () => writeFile(path, 'rm -rf ~');
    const answer = await door.call('terminal', run);
    expect(answer.text).toContain('Not run: what was asked about has changed');
    expect(door.asked).toEqual([]);
  });

  it('is run without a question when it was there before and shows nothing', async () => {
    const home = await realpath(await newHome());
    const work = join(home, 'work');
    await mkdir(work);
    await writeFile(join(work, 'old.py'), 'print("old")\n');
    await writeFile(join(work, 'bad.py'), 'import shutil\nshutil.rmtree("/home")\n');
    const environment = { TERMINAL_ENV: 'local', TERMINAL_CWD: work, HOME: home };
    const gateway = await started({ home, environment });
    // The conversation begins an hour from now, so that the files are older than it.
    gateway.age(HOUR);
    await gateway.session('tools');
    gateway.age(-HOUR);
    await using door = Object.assign(await openDoor(gateway, { owner: no }), { gateway, home, work });
    expect(plain(await door.call('terminal', { command: 'python3 old.py' }))).toBe('old\nExit code 0.');
    expect(door.asked).toEqual([]);
    expect((await askedFor(door, 'terminal', { command: 'python3 bad.py' }))[0]).toMatch(
      /^python3 bad\.py\n\n--- bad\.py \(python\) ---\nimport shutil\n/,
    );
  });

  it('for the session means this very text, and what is changed meanwhile does not run', async () => {
    await using door = await opened({ owner: () => 'session' });
    await door.call('write_file', { path: 'x.py', content: 'print("one")' });
    const run = { command: 'python3 x.py' };
    expect(await askedFor(door, 'terminal', run)).toHaveLength(1);
    expect(await askedFor(door, 'terminal', run)).toHaveLength(0);
    await door.call('write_file', { path: 'x.py', content: 'print("two")' });
    expect(await askedFor(door, 'terminal', run)).toHaveLength(1);
    await using slow = await opened({ owner: () => 'silent' });
    await slow.call('write_file', { path: 'x.sh', content: 'echo shown' });
    const onApproval = afterwards(slow, () => writeFile(join(slow.work, 'x.sh'), 'echo other'));
    const answer = await slow.call('terminal', { command: 'bash x.sh' }, { onApproval });
    expect(answer.text).toContain('Not run: what was asked about has changed');
  });

  it('is named and not shown where it is no text, or not there', async () => {
    await using door = await opened({ owner: no });
    await writeFile(join(door.work, 'bin'), Buffer.from([0x7f, 0x45, 0, 1]));
    await chmod(join(door.work, 'bin'), 0o755);
    await utimes(join(door.work, 'bin'), 1, 1);
    expect((await askedFor(door, 'terminal', { command: './bin' }))[0]).toContain('(binary)');
    await door.call('terminal', { command: './nothing' });
    expect(door.asked.at(-1)?.findings[0]).toMatchObject({
      rule: 'unresolved.script-file',
      reason: expect.stringContaining('not there yet'),
    });
  });
});
