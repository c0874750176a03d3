// Several real processes on one store: nothing is lost, nobody sees a lock, and a killed one leaves it whole.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { holdAlone } from '../../../src/store/sole-holder.ts';
import type { Store } from '../../../src/store/store.ts';
import { useDraws } from '../../seed.ts';
import { within } from '../../wait.ts';
import { runProgram } from '../run-program.ts';

const program = fileURLToPath(new URL('./writer.ts', import.meta.url));

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-store-'));
});
afterEach(() => rm(home, { recursive: true }));

interface Writer {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly ended: Promise<unknown>;
  /** All that it has said so far. */
  lines(): string[];
}

/** Started, with the store open, and waiting for a line before it writes. */
async function startWriter(task: string, name: string, times: number): Promise<Writer> {
  const args = [program, home, task, name, String(times)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data;
  });
  await within(once(child.stdout, 'data'), 'it has the store open');
  // A line that a kill cut off was not said.
  return { child, ended, lines: () => text.split('\n').slice(0, -1) };
}

async function auditOf(store: Store, actor: string, action: string): Promise<string[]> {
  const entries = await store.audit.list({ limit: 1_000_000 });
  return entries.filter(each => each.actor === actor && each.action === action).map(each => each.subject);
}

describe('many writers', () => {
  it('make the store together, lose no update and never see a lock', async () => {
    const [writers, times] = [6, 60];
    const started = await Promise.all(
      Array.from({ length: writers }, (_, at) => startWriter('count', `writer ${at}`, times)),
    );
    for (const { child } of started) child.stdin.write('go\n');
    const codes = await Promise.all(started.map(({ ended }) => ended));
    expect(codes).toEqual(Array.from({ length: writers }, () => [0, null]));
    const store = await openStore(home);
    expect((await store.people.list())[0]?.name).toBe(String(writers * times));
    await store.close();
    expect(await readdir(home)).toEqual(['state.db']);
  });

  it('do not keep this process from reading and writing', async () => {
    const store = await openStore(home);
    const writer = await startWriter('pairs', 'gateway', 150);
    writer.child.stdin.write('go\n');
    let isWriting = true;
    void writer.ended.then(() => {
      isWriting = false;
    });
    let written = 0;
    while (isWriting) {
      await store.audit.append({ actor: 'cli', action: 'command', subject: String(written), outcome: '' });
      written += 1;
      expect(await auditOf(store, 'cli', 'command')).toHaveLength(written);
    }
    expect(await auditOf(store, 'gateway', 'get')).toHaveLength(150);
    expect(written).toBeGreaterThan(10);
    await store.close();
  });
});

describe('a writer that is killed at any moment', () => {
  const kills = 15;

  it('loses nothing that was acknowledged, leaves nothing half done, and does not damage the file', async () => {
    const draws = useDraws();
    const acknowledged: number[] = [];
    for (let round = 0; round < kills; round += 1) {
      const name = `writer ${round}`;
      const writer = await startWriter('pairs', name, 1_000_000);
      writer.child.stdin.write('go\n');
      await killAfterLines(writer, { lines: 1 + draws.below(40), turns: draws.below(200) });
      const said = writer.lines().slice(1).map(Number);

      // Opening examines every page.
      const store = await openStore(home);
      const [pairs, singles] = [await auditOf(store, name, 'put'), await auditOf(store, name, 'get')];
      expect(singles.slice(0, said.length).map(Number)).toEqual(said);
      expect(pairs.slice(0, said.length).map(Number)).toEqual(said);
      const sessions = await store.sessions.list({ which: 'all', limit: 1_000_000 });
      expect(sessions.filter(({ chat }) => chat === name)).toHaveLength(pairs.length);
      acknowledged.push(said.length);
      await store.close();
    }
    expect(Math.max(...acknowledged)).toBeGreaterThan(0);
    const database = new DatabaseSync(join(home, 'state.db'));
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    database.close();
    expect(await readdir(home)).toEqual(['state.db']);
  });
});

describe('a maker of the store', () => {
  /** Stopped by the signal after so many changes in the folder: files come, grow and go while it works. */
  async function interruptMaker(folder: string, changesSeen: number, signal: 'SIGKILL' | 'SIGSTOP') {
    const changes = watch(folder);
    const args = [program, folder, 'count', 'maker', '0'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
    const ended = once(child, 'close');
    for (let seen = 0; seen < changesSeen; seen += 1)
      await within(once(changes, 'change'), 'the folder changes');
    child.kill(signal);
    changes.close();
    return { child, ended };
  }

  it('leaves no store or a whole one when it is killed', async () => {
    for (let round = 0; round < 8; round += 1) {
      const folder = join(home, String(round));
      await mkdir(folder);
      await (await interruptMaker(folder, 1 + round * 2, 'SIGKILL')).ended;
      const store = await openStore(folder);
      expect((await store.installation.read()).id).toHaveLength(16);
      await store.close();
    }
  });

  it('that comes second does not replace the store of the first', async () => {
    const { child, ended } = await interruptMaker(home, 1, 'SIGSTOP');
    const store = await openStore(home);
    const { id } = await store.installation.read();
    await store.close();
    child.kill('SIGCONT');
    child.stdin.end('go\n');
    expect(await ended).toEqual([0, null]);
    const again = await openStore(home);
    expect((await again.installation.read()).id).toBe(id);
    await again.close();
    expect(await readdir(home)).toEqual(['state.db']);
  });
});

/** Kills it in the middle of whatever it does once it has said so many lines. */
async function killAfterLines(
  { child, ended, lines }: Writer,
  moment: { lines: number; turns: number },
): Promise<void> {
  while (lines().length <= moment.lines) await within(once(child.stdout, 'data'), 'it writes');
  // Somewhere between two lines, which are a few milliseconds apart.
  for (let turn = 0; turn < moment.turns; turn += 1) {
    await new Promise(resolve => setImmediate(resolve));
  }
  child.kill('SIGKILL');
  await within(ended, 'the killed writer ends');
}

describe('the hold of one gateway', () => {
  it('keeps a second process out, and ends with the first, however it ends', async () => {
    const path = join(home, 'gateway.lock');
    const module = new URL('../../../src/store/sole-holder.ts', import.meta.url).href;
    const script = `const { holdAlone } = await import(${JSON.stringify(module)});
      console.log(holdAlone(${JSON.stringify(path)}) ? 'held' : 'refused'); setInterval(() => {}, 1000);`;
    const first = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(first, 'close');
    expect(String(await within(once(first.stdout, 'data'), 'the first one holds the lock'))).toBe('held\n');
    expect(holdAlone(path)).toBeUndefined();
    first.kill('SIGKILL');
    await ended;
    const hold = holdAlone(path);
    expect(hold).toBeDefined();
    hold?.release();
  });
});

describe('a full disk', () => {
  it('is said, keeps what was there, and is over when there is room again', async context => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      return context.skip('not run: only root on Linux can mount a small disk');
    }
    const module = new URL('../../../src/store/open.ts', import.meta.url).href;
    // The disk is the namespace's own and goes with it.
    const script = `import { execFileSync } from 'node:child_process';
      import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
      try { execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', ${JSON.stringify(home)}]); }
      catch (error) { console.error(String(error)); process.exit(99); }
      const { openStore } = await import(${JSON.stringify(module)});
      const entry = { actor: 'a', action: 'b', subject: 'x'.repeat(4000), outcome: '' };
      let store = await openStore(${JSON.stringify(home)});
      await store.audit.append(entry);
      const fill = ${JSON.stringify(join(home, 'fill'))};
      const file = openSync(fill, 'w');
      try { for (;;) writeSync(file, Buffer.alloc(1024)); } catch {}
      closeSync(file);
      const failed = [];
      let written = 1;
      while (failed.length < 3) {
        try {
          await store.transaction(async inside => { await inside.audit.append(entry); await inside.audit.append(entry); });
          written += 2;
        } catch (error) { failed.push([error.code, error.message]); }
      }
      const kept = (await store.audit.list({ limit: 1000 })).length;
      await store.close();
      rmSync(fill);
      store = await openStore(${JSON.stringify(home)});
      await store.audit.append(entry);
      const after = (await store.audit.list({ limit: 1000 })).length;
      await store.close();
      console.log(JSON.stringify({ failed, written, kept, after }));`;
    const { code, stdout, stderr } = await runProgram([
      ...(['unshare', '--mount', process.execPath] as const),
      ...['--input-type=module', '-e', script],
    ]);
    if (code === 99) return context.skip(`not run: ${stderr.trim()}`);
    expect(stderr).toBe('');
    const { failed, written, kept, after } = JSON.parse(stdout);
    expect(new Set(failed.map(([name]: string[]) => name))).toEqual(new Set(['UNAVAILABLE_STORE_DISK']));
    expect(failed[0][1]).toContain('the disk is full');
    expect(kept).toBe(written);
    expect(after).toBe(written + 1);
  });
});
