// What every tool does, whatever sandbox it works in.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type OpenDoor, plain, SECRET } from './door-world.ts';

export interface Place {
  /** A door with a sandbox of its own; an owner says yes to everything. */
  open(chat?: string): Promise<OpenDoor>;
}

/** Lines of its middle have nothing about them that says what they are. */
const BODY = Array.from({ length: 30 }, (_, at) =>
  createHash('sha512').update(`${at}`).digest('base64').slice(0, 70),
);
const PEM = ['-----BEGIN OPENSSH PRIVATE KEY-----', ...BODY, '-----END OPENSSH PRIVATE KEY-----'].join('\n');

export function everyTool(place: Place): void {
  terminal(place);
  processes(place);
  reading(place);
  writing(place);
  editing(place);
  searching(place);
  others(place);
}

function terminal({ open }: Place): void {
  it('terminal: gives output, errors and exit code, and takes folder and input', async () => {
    await using door = await open();
    const failed = await door.call('terminal', { command: 'echo out; echo err >&2; (exit 3)' });
    expect(plain(failed)).toBe('out\n[stderr]\nerr\nExit code 3.');
    expect(failed.isError).toBe(true);
    await door.call('terminal', { command: 'mkdir -p sub' });
    const there = await door.call('terminal', {
      command: 'basename "$PWD"; cat',
      workdir: 'sub',
      stdin: 'typed',
    });
    expect(plain(there)).toMatch(/^sub\ntyped\nExit code 0\./);
    expect(there.isError).toBe(false);
    expect(door.live.join('')).toContain('out\n');
  });

  it('terminal: P9 says that it timed out, and in which folder nothing was run', async () => {
    await using door = await open();
    const late = await door.call('terminal', { command: 'echo begun; sleep 60', timeout: 0.3 });
    expect(plain(late)).toMatch(/^begun\nTimed out after [\d.]+ s: it was ended with all its processes\./);
    expect(late.isError).toBe(true);
    const nowhere = await door.call('terminal', { command: 'touch made', workdir: 'no/such' });
    expect(nowhere.text).toContain('The working directory does not exist; nothing was run.');
    expect(plain(await door.call('terminal', { command: 'ls' }))).toBe('Exit code 0.');
  });

  it('terminal: P9 names what a command left running', async () => {
    await using door = await open();
    const left = await door.call('terminal', { command: 'sleep 300 >/dev/null 2>&1 & echo started' });
    expect(plain(left)).toMatch(
      /^started\nExit code 0\.\nStill running in the background: (?:sleep|busybox|bash) \(\d+\)\./,
    );
    const listed = plain(await door.call('process', { action: 'list' }));
    const id = /^(\w+) {2}running {2}sleep 300/.exec(listed)?.[1];
    expect(plain(await door.call('process', { action: 'kill', id }))).toContain('was ended');
    expect(plain(await door.call('process', { action: 'list' }))).toBe('Nothing runs in the background.');
  });

  it('terminal: shows what a terminal would show, without its colours', async () => {
    await using door = await open();
    const command = String.raw`printf '\033[31mred\033[0m\n 10%%\r 50%%\r100%%\nend\r\n'`;
    expect(plain(await door.call('terminal', { command }))).toBe('red\n100%\nend\nExit code 0.');
  });
}

function processes({ open }: Place): void {
  it('process: starts, feeds, reads, waits for and ends what runs in the background', async () => {
    await using door = await open();
    const started = await door.call('terminal', {
      command:
        'while read -r line; do echo "got $line"; [ "$line" != end ] || break; done; until [ -e go ]; do sleep 0.05; done; exit 7',
      background: true,
    });
    const id = /with the id (\w+)\./.exec(started.text)?.[1] ?? '';
    expect(plain(await door.call('process', { action: 'poll', id }))).toBe(`${id} is running.`);
    expect(plain(await door.call('process', { action: 'write', id, data: 'one\nend\n' }))).toBe(
      `Sent 8 bytes to ${id}.`,
    );
    await door.call('write_file', { path: 'go', content: '' });
    expect(plain(await door.call('process', { action: 'wait', id }))).toBe(
      `got one\ngot end\n${id} is over: it ended with exit code 7.`,
    );
    expect(plain(await door.call('process', { action: 'log', id }))).toContain('got one');
    expect(plain(await door.call('process', { action: 'kill', id }))).toBe(
      `${id} had already ended: it ended with exit code 7.`,
    );
    expect((await door.call('process', { action: 'write', id, data: 'x' })).text).toContain('takes no input');
    const unused = await door.call('terminal', { command: 'true', check_interval: 60 });
    expect(unused.text).toContain('check_interval needs background or pty.');
    const waited = await door.call('terminal', {
      ...{ command: 'sleep 300', background: true, check_interval: 60 },
    });
    const other = /with the id (\w+)\./.exec(waited.text)?.[1];
    expect(plain(await door.call('process', { action: 'wait', id: other, timeout: 0.2 }))).toContain(
      `${other} has not ended within 0.2 s.\n${other} is running.`,
    );
    await door.call('process', { action: 'kill', id: other });
    expect(plain(await door.call('process', { action: 'poll', id: other }))).toContain('ended by signal 9');
  });

  it('process: knows nothing of the processes of another session', async () => {
    await using mine = await open('mine');
    await using theirs = await open('theirs');
    const started = await mine.call('terminal', { command: 'sleep 300', background: true });
    const id = /with the id (\w+)\./.exec(started.text)?.[1];
    for (const action of ['poll', 'log', 'kill', 'wait']) {
      const answer = await theirs.call('process', { action, id });
      expect(answer).toMatchObject({
        isError: true,
        text: expect.stringContaining('There is no such background process.'),
      });
    }
    expect(plain(await theirs.call('process', { action: 'list' }))).toBe('Nothing runs in the background.');
    expect(plain(await mine.call('process', { action: 'kill', id }))).toContain('was ended');
  });
}

function reading({ open }: Place): void {
  it('read_file: numbers the lines, and takes a range of them', async () => {
    await using door = await open();
    const content = Array.from({ length: 3000 }, (_, at) => `line ${at + 1}`).join('\n');
    await door.call('write_file', { path: 'deep/er/a.txt', content });
    const head = plain(await door.call('read_file', { path: 'deep/er/a.txt', limit: 2 }));
    expect(head).toBe('    1\tline 1\n    2\tline 2\nLines 1 to 2 of 3000. Go on with offset 3.');
    const tail = plain(await door.call('read_file', { path: 'deep/er/a.txt', offset: 2999 }));
    expect(tail).toBe(' 2999\tline 2999\n 3000\tline 3000\nLines 2999 to 3000 of 3000.');
    const beyond = await door.call('read_file', { path: 'deep/er/a.txt', offset: 3001 });
    expect(beyond).toMatchObject({ isError: true, text: expect.stringContaining('has 3000 lines') });
  });

  it('read_file: says what it does not show', async () => {
    await using door = await open();
    await door.call('terminal', {
      command: "printf 'a\\0b' >bin; : >empty; mkdir -p folder; printf 'x\\r\\ny\\r\\n' >dos; mkfifo pipe",
    });
    expect(plain(await door.call('read_file', { path: 'bin' }))).toBe(
      'bin is a binary file of 3 bytes; it is not shown.',
    );
    expect(plain(await door.call('read_file', { path: 'empty' }))).toBe('empty is empty.');
    expect(plain(await door.call('read_file', { path: 'dos' }))).toBe(
      '    1\tx\n    2\ty\nIts lines end with CR LF.',
    );
    expect((await door.call('read_file', { path: 'folder' })).text).toContain('it is a folder');
    expect((await door.call('read_file', { path: 'pipe' })).text).toContain('it is a pipe');
    expect((await door.call('read_file', { path: 'nothing' })).text).toContain('There is no such file.');
  });

  it('read_file: P7 hides a key also from a range in its middle, and keeps the numbers that follow', async () => {
    await using door = await open();
    await door.call('write_file', { path: 'notes', content: `first\n${PEM}\nlast ${SECRET}\nend\n` });
    const middle = await door.call('read_file', { path: 'notes', offset: 10, limit: 3 });
    for (const line of BODY) expect(middle.text).not.toContain(line);
    const whole = plain(await door.call('read_file', { path: 'notes' }));
    expect(whole).toBe(
      '    1\tfirst\n    2\t[redacted:private-key]\n   34\tlast [redacted:known]\n   35\tend',
    );
  });

  it('read_file: a file of a gigabyte costs what is looked at', async () => {
    await using door = await open();
    await door.call('terminal', {
      command:
        "{ echo first; truncate -s 200M /dev/stdout 2>/dev/null || :; } >big; dd if=/dev/zero bs=1M count=1 2>/dev/null | tr '\\0' x >line",
    });
    expect((await door.call('read_file', { path: 'line' })).text.length).toBeLessThanOrEqual(50_000);
    const big = await door.call('read_file', { path: 'big', limit: 1 });
    expect(big.text).toMatch(/binary file of 209715200 bytes|first/);
  });
}

function writing({ open }: Place): void {
  it('write_file: writes what it was given, byte for byte', async () => {
    await using door = await open();
    const content = 'ä€😀\n$HOME `x` \\ \'"\n\n';
    const written = await door.call('write_file', { path: 'a b/ü.txt', content });
    expect(plain(written)).toBe(`Wrote ${Buffer.byteLength(content)} bytes, 3 lines, to a b/ü.txt.`);
    expect(Buffer.from(await door.lease.handle.readFile('a b/ü.txt')).toString()).toBe(content);
    expect((await door.call('write_file', { path: 'a b', content })).text).toContain('it is a folder');
  });

  it('P7: a mark of redaction is not written over the secret that it stands for', async () => {
    await using door = await open();
    await door.call('terminal', { command: `echo KEY=${SECRET} >conf` });
    for (const [tool, input] of [
      ['write_file', { path: 'conf', content: 'KEY=[redacted:known]\nmore\n' }],
      ['edit_file', { path: 'conf', old_text: 'KEY=', new_text: 'KEY=[redacted:known]' }],
    ] as const) {
      const answer = await door.call(tool, input);
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('Nothing was written') });
    }
    expect(Buffer.from(await door.lease.handle.readFile('conf')).toString()).toBe(`KEY=${SECRET}\n`);
  });
}

function editing({ open }: Place): void {
  it('edit_file: replaces exact text, once or everywhere, and leaves all other bytes', async () => {
    await using door = await open();
    const before = Buffer.concat([
      Buffer.from('one two\r\nthree two\r\n'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('\r\nend'),
    ]);
    await door.lease.handle.writeFile('f', before);
    const twice = await door.call('edit_file', { path: 'f', old_text: 'two', new_text: '2' });
    expect(twice.isError).toBe(true);
    expect(plain(twice)).toBe(
      'line 1: one two\nline 2: three two\nNothing was changed: old_text occurs 2 times in f. Include more of the lines around the one you mean, or set replace_all.',
    );
    const edited = await door.call('edit_file', {
      path: 'f',
      old_text: 'one two\nthree',
      new_text: 'one\ntwo\nthree',
    });
    expect(plain(edited)).toBe('Replaced one place in f, at line 1.');
    await door.call('edit_file', { path: 'f', old_text: 'two', new_text: '2', replace_all: true });
    expect(Buffer.from(await door.lease.handle.readFile('f')).toString('latin1')).toBe(
      'one\r\n2\r\nthree 2\r\n\xff\xfe\r\nend',
    );
  });

  it('edit_file: shows near misses and changes nothing', async () => {
    await using door = await open();
    const content = 'def add(a, b):\n    return a + b\n\ndef sub(a, b):\n\treturn a - b\n';
    await door.call('write_file', { path: 'm.py', content });
    const spaced = plain(
      await door.call('edit_file', {
        path: 'm.py',
        old_text: 'def sub(a, b):\n    return a - b',
        new_text: 'x',
      }),
    );
    expect(spaced).toContain('line 4 (other white space):\ndef sub(a, b):\n\treturn a - b\n');
    const similar = plain(
      await door.call('edit_file', { path: 'm.py', old_text: '    return a + bb', new_text: 'x' }),
    );
    expect(similar).toContain('line 2 (similar):\n    return a + b\n');
    const none = plain(
      await door.call('edit_file', { path: 'm.py', old_text: 'nothing of it', new_text: 'x' }),
    );
    expect(none).toContain('Nothing in it looks like it.');
    expect(Buffer.from(await door.lease.handle.readFile('m.py')).toString()).toBe(content);
  });

  it('edit_file: leaves what is too large, and what is no file, as it is', async () => {
    await using door = await open();
    await door.call('terminal', { command: 'head -c 10485761 /dev/zero >large; mkdir folder' });
    const edit = (path: string) => door.call('edit_file', { path, old_text: 'a', new_text: 'b' });
    expect((await edit('large')).text).toContain('larger than 10485760 bytes');
    expect((await edit('folder')).text).toContain('it is a folder');
    expect((await edit('none')).text).toContain('There is no such file.');
  });

  it('edit_file: two edits of one file at the same time both count', async () => {
    await using door = await open();
    await door.call('write_file', { path: 'f', content: 'a\nb\nc\nd\n' });
    const edits = ['a', 'b', 'c', 'd'].map(letter =>
      door.call('edit_file', { path: 'f', old_text: letter, new_text: letter.toUpperCase() }),
    );
    await Promise.all(edits);
    expect(Buffer.from(await door.lease.handle.readFile('f')).toString()).toBe('A\nB\nC\nD\n');
  });
}

function searching({ open }: Place): void {
  const files = `mkdir -p src/deep node_modules/x .git 'with space'
echo 'const port = 8080;' >src/a.ts; printf 'one\\nport: 42\\nthree\\n' >src/deep/b.yaml
echo 'port 1' >node_modules/x/c.ts; echo 'port 2' >.git/config; echo 'Port 3' >'with space/d.ts'
printf 'port\\0binary' >src/blob`;

  it('search_files: finds lines by a regular expression as models write them', async () => {
    await using door = await open();
    await door.call('terminal', { command: files });
    const digits = plain(await door.call('search_files', { pattern: String.raw`port\W*(?:=|:)\s*\d+` }));
    expect(digits.split('\n').toSorted()).toEqual([
      'src/a.ts:1:const port = 8080;',
      'src/deep/b.yaml:2:port: 42',
    ]);
    const typed = await door.call('search_files', {
      pattern: 'port',
      ignore_case: true,
      glob: '*.ts',
      path: '.',
    });
    expect(plain(typed).split('\n').toSorted()).toEqual([
      'src/a.ts:1:const port = 8080;',
      'with space/d.ts:1:Port 3',
    ]);
    const around = plain(await door.call('search_files', { pattern: '^port', path: 'src/deep', context: 1 }));
    expect(around).toContain('src/deep/b.yaml-1-one\nsrc/deep/b.yaml:2:port: 42\nsrc/deep/b.yaml-3-three');
    expect(plain(await door.call('search_files', { pattern: 'port', path: 'node_modules' }))).toBe(
      'node_modules/x/c.ts:1:port 1',
    );
  });

  it('search_files: finds names, by part, by pattern and by path', async () => {
    await using door = await open();
    await door.call('terminal', { command: files });
    const found = async (pattern: string, more = {}) =>
      plain(await door.call('search_files', { pattern, target: 'names', ...more }));
    expect(await found('*.ts')).toBe('src/a.ts\nwith space/d.ts');
    expect(await found('space')).toBe('with space');
    expect(await found('deep/b')).toBe('src/deep/b.yaml');
    expect(await found('src/*.ts')).toBe('src/a.ts');
    expect(await found('D.TS', { ignore_case: true })).toBe('with space/d.ts');
    expect(await found('nothing')).toBe('Nothing was found in the workspace.');
  });

  it('search_files: bounds what it gives, hides secrets before it shortens, and explains what it cannot', async () => {
    await using door = await open();
    await door.call('terminal', {
      command: `i=0; while [ $i -lt 300 ]; do echo "hit $i"; i=$((i + 1)); done >many; printf '%0395d%s hit\\n' 0 ${SECRET} >long`,
    });
    const many = plain(await door.call('search_files', { pattern: 'hit', path: 'many', limit: 5 }));
    expect(many.split('\n')).toHaveLength(6);
    expect(many).toContain('There are more than 5 lines; narrow the search, or raise limit.');
    const long = await door.call('search_files', { pattern: 'hit', path: 'long' });
    expect(long.text).toContain('[red');
    expect(long.text).not.toContain('correct');
    for (const pattern of ['(?=x)', '[', '(']) {
      expect(await door.call('search_files', { pattern })).toMatchObject({ isError: true });
    }
    expect((await door.call('search_files', { pattern: 'x', path: 'no' })).text).toContain(
      'There is no such file.',
    );
  });
}

function others({ open }: Place): void {
  it('list_files: shows a folder, and names that try to look like several', async () => {
    await using door = await open();
    await door.call('terminal', {
      command: "mkdir -p d/sub; echo 12345 >d/.hidden; ln -s sub d/link; : >$'d/two\\nlines'",
    });
    const lines = plain(await door.call('list_files', { path: 'd' })).split('\n');
    expect(lines.map(line => line.slice(30))).toEqual(['.hidden', 'link (link)', 'sub/', '"two\\nlines"']);
    expect(lines[0]).toMatch(/^ {9}6 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}/);
    expect(plain(await door.call('list_files', { path: 'd/sub' }))).toBe('d/sub is empty.');
  });

  it('send_file: sends bytes and gives the receipt; what is too large or elsewhere is not sent', async () => {
    await using door = await open();
    await door.call('terminal', {
      command: "printf '\\0\\377x' >out.bin; head -c 1001 /dev/zero >large; ln -s /etc/passwd link",
    });
    const answer = await door.call('send_file', { path: 'out.bin', caption: 'there' });
    expect(answer).toMatchObject({ text: 'Delivered out.bin, 3 bytes.', isError: false });
    expect(door.sent[0]).toMatchObject({ name: 'out.bin', caption: 'there' });
    expect([...(door.sent[0]?.bytes ?? [])]).toEqual([0, 255, 120]);
    expect((await door.call('send_file', { path: 'large' })).text).toContain('1000 are allowed');
    expect((await door.call('send_file', { path: 'link' })).text).toContain('outside the workspace');
    expect(door.sent).toHaveLength(1);
  });

  it('ask_user: gives the answer as the person’s own word', async () => {
    await using door = await open();
    const answer = await door.call('ask_user', { question: 'blue?', options: ['yes', 'no'] });
    expect(answer).toMatchObject({ text: 'The person answered: you asked blue?', isError: false });
  });
}
