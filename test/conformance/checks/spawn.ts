// Proofs of the driver's own contract, without the channel: a process, its streams, its end.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { ProcessExit, Sandbox, SandboxProcess } from '../../../src/index.ts';
import { newMarker, spelled, type Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

const TEN_MEGABYTES = 10_000_000;

interface Listened {
  readonly process: SandboxProcess;
  readonly heard: { stdout: Buffer[]; stderr: Buffer[] };
  stdout(): string;
  stderr(): string;
  exit(): Promise<ProcessExit>;
}

async function start(
  trial: Trial,
  sandbox: Sandbox,
  argv: readonly [string, ...string[]],
): Promise<Listened> {
  const process = await sandbox.spawn(argv);
  const heard: Listened['heard'] = { stdout: [], stderr: [] };
  process.onOutput((stream, data) => heard[stream].push(Buffer.from(data)));
  return {
    process,
    heard,
    stdout: () => Buffer.concat(heard.stdout).toString(),
    stderr: () => Buffer.concat(heard.stderr).toString(),
    exit: () => trial.within(process.exit, 'the process ends'),
  };
}

export const spawnProofs = proofs(verifies => {
  verifies('spawn.exit', async trial => {
    const sandbox = await trial.create();
    for (const code of [0, 1, 3, 124, 255]) {
      const { exit } = await start(trial, sandbox, ['bash', '-c', `exit ${code}`]);
      expect(await exit()).toEqual({ code });
    }
  });

  verifies('spawn.signal', async trial => {
    const { exit } = await start(trial, await trial.create(), ['bash', '-c', 'kill -KILL $$']);
    expect([{ signal: 'SIGKILL' }, { code: 137 }]).toContainEqual(await exit());
  });

  verifies('spawn.apart', async trial => {
    const script = 'for i in 1 2 3; do echo "out $i"; echo "err $i" >&2; done';
    const it = await start(trial, await trial.create(), ['bash', '-c', script]);
    await it.exit();
    expect(it.stdout()).toBe('out 1\nout 2\nout 3\n');
    expect(it.stderr()).toBe('err 1\nerr 2\nerr 3\n');
  });

  verifies('spawn.streams', async trial => {
    const it = await start(trial, await trial.create(), [
      'bash',
      '-c',
      'echo one; read -r line; echo "$line"',
    ]);
    await trial.until(async () => it.stdout() === 'one\n', 'the first line arrives while it runs');
    await it.process.write(Buffer.from('two\n'));
    await it.exit();
    expect(it.stdout()).toBe('one\ntwo\n');
  });

  verifies('spawn.eof', async trial => {
    const it = await start(trial, await trial.create(), ['bash', '-c', 'cat; echo end']);
    await it.process.write(Buffer.from('text'));
    it.process.end();
    expect(await it.exit()).toEqual({ code: 0 });
    expect(it.stdout()).toBe('textend\n');
  });
});

export const spawnEdgeProofs = proofs(verifies => {
  verifies('spawn.bytes', async trial => {
    const it = await start(trial, await trial.create(), ['bash', '-c', 'exec cat']);
    const bytes = randomBytes(TEN_MEGABYTES);
    await trial.within(it.process.write(bytes), 'the bytes are taken');
    it.process.end();
    await it.exit();
    const back = Buffer.concat(it.heard.stdout);
    expect(back.length).toBe(TEN_MEGABYTES);
    const [got, given] = [back, bytes].map(each => createHash('sha256').update(each).digest('hex'));
    expect(got).toBe(given);
  });

  verifies('spawn.arguments', async trial => {
    const odd = [
      '',
      ' ',
      `it's`,
      '"x"',
      'line\nbreak',
      '$HOME',
      '`x`',
      '*',
      '-n',
      '--',
      'ünï',
      'back\\slash',
      ';',
      '%s',
    ];
    const argv = ['bash', '-c', 'printf "[%s]" "$@"', 'name', ...odd] as const;
    const it = await start(trial, await trial.create(), argv);
    await it.exit();
    expect(it.stdout()).toBe(odd.map(each => `[${each}]`).join(''));
  });

  verifies('spawn.kill', async trial => {
    const marker = newMarker();
    const it = await start(trial, await trial.create(), [
      'bash',
      '-c',
      `trap '' TERM INT; exec sleep ${spelled(marker)}`,
    ]);
    await trial.running(marker);
    it.process.kill();
    await it.exit();
    await trial.gone(marker);
  });

  verifies('spawn.no-program', async trial => {
    const sandbox = await trial.create();
    await expect(sandbox.spawn(['hermes-no-such-program'])).rejects.toMatchObject({
      code: 'SANDBOX_PROGRAM_MISSING',
    });
  });

  verifies('spawn.gone', async trial => {
    const sandbox = await trial.create();
    await sandbox.destroy();
    await expect(sandbox.spawn(['bash', '-c', 'echo ran'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  verifies('spawn.start', async trial => {
    const sandbox = await trial.create();
    const script = 'pwd; : >writable && echo written; cat /dev/null && echo found';
    const it = await start(trial, sandbox, ['bash', '-c', script]);
    await it.exit();
    expect(it.stdout()).toBe(`${sandbox.workdir}\nwritten\nfound\n`);
  });
});
