// Proofs that output arrives as it was written: while it is written, all of it, and nothing else (P9).
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { shellQuote } from '../../../src/base/shell-quote.ts';
import { type Box, heard, type Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

const TEN_MEGABYTES = 10_000_000;
/** Twice what may be kept in memory, so that keeping it is noticed. */
const BULK = 300_000_000;
/** No promise of speed: over a terminal, on a busy machine, it takes more than a minute. */
const BULK_MS = 240_000;
const EXTRA_MEMORY = 150_000_000;
const EXTRA_DISK_KIB = 64 * 1024;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** How much the channel's folder holds at this moment. */
async function diskKiB({ handle, sandbox }: Box): Promise<number> {
  const { stdout } = await handle.exec(`du -sk ${shellQuote(sandbox.channelDir)}`);
  return Number(stdout.split('\t')[0]);
}

/** Memory and disk at their worst while it passes. */
async function passBulk(trial: Trial): Promise<void> {
  const { bulkBytes = BULK } = trial.ground;
  const box = await trial.open();
  const before = process.memoryUsage.rss();
  let [peak, pieces, passed] = [before, 0, 0];
  let disk: Promise<number> | undefined;
  const result = await box.run(`head -c ${bulkBytes} /dev/zero; exit 3`, {
    timeoutMs: BULK_MS,
    onOutput: ({ data }) => {
      passed += data.length;
      if (pieces++ % 100 === 0) peak = Math.max(peak, process.memoryUsage.rss());
      if (passed > bulkBytes / 2) disk ??= heard(diskKiB(box));
    },
  });
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, stdoutTotal: bulkBytes, truncated: true });
  expect(passed).toBe(bulkBytes);
  expect(result.stdoutBytes.length).toBeLessThan(EXTRA_MEMORY / 2);
  expect(peak - before).toBeLessThan(EXTRA_MEMORY);
  expect(await disk).toBeLessThan(EXTRA_DISK_KIB);
  expect(await diskKiB(box)).toBeLessThan(EXTRA_DISK_KIB);
}

export const outputProofs = proofs(verifies => {
  verifies('output.streams', async trial => {
    const { run, handle } = await trial.open();
    let arrived = '';
    const result = await run('echo one; until [ -e go ]; do sleep 0.02; done; echo two', {
      onOutput: ({ stream, data }) => {
        arrived += `${stream}: ${Buffer.from(data)}`;
        // The command ends only if this was heard while it ran.
        if (arrived === 'stdout: one\n') void heard(handle.writeFile('go', ''));
      },
    });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'one\ntwo\n' });
    expect(arrived).toBe('stdout: one\nstdout: two\n');
  });

  verifies('output.apart', async trial => {
    const { run } = await trial.open();
    const result = await run('for i in 1 2 3; do echo "out $i"; echo "err $i" >&2; done');
    expect(result).toMatchObject({ stdout: 'out 1\nout 2\nout 3\n', stderr: 'err 1\nerr 2\nerr 3\n' });
  });

  verifies('output.exact', async trial => {
    const { run } = await trial.open();
    expect(await run('printf a; printf b >&2')).toMatchObject({ stdout: 'a', stderr: 'b', stdoutTotal: 1 });
    expect(await run('true')).toMatchObject({ stdout: '', stderr: '', stdoutTotal: 0, stderrTotal: 0 });
    expect(await run("printf '\\n\\r\\n\\t \\n\\n'")).toMatchObject({
      stdout: '\n\r\n\t \n\n',
      truncated: false,
    });
  });

  verifies('output.megabytes', async trial => {
    const { run } = await trial.open();
    const result = await run(`head -c ${TEN_MEGABYTES} /dev/urandom | tee copy; sha256sum copy >&2`);
    expect(result).toMatchObject({ outcome: 'exited', stdoutTotal: TEN_MEGABYTES, truncated: false });
    expect(result.stdoutBytes.length).toBe(TEN_MEGABYTES);
    expect(sha256(result.stdoutBytes)).toBe(result.stderr.split(' ')[0]);
  });

  verifies('output.bulk', passBulk);
});

export const outputBytesProofs = proofs(verifies => {
  verifies('output.slow', async trial => {
    const { run } = await trial.open();
    let [waiting, most] = [0, 0];
    const result = await run(`head -c ${TEN_MEGABYTES} /dev/zero`, {
      onOutput: async ({ data }) => {
        waiting += data.length;
        most = Math.max(most, waiting);
        for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
        waiting -= data.length;
      },
    });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdoutTotal: TEN_MEGABYTES });
    // What a read or two have brought may wait; without a brake it would be nearly all of it.
    expect(most).toBeLessThan(TEN_MEGABYTES / 5);
  });

  verifies('output.truncated', async trial => {
    const { run } = await trial.open();
    const result = await run('printf A%.0s {1..5000}; printf Z%.0s {1..5000}', { keepBytes: 1000 });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, truncated: true, stdoutTotal: 10_000 });
    expect(Buffer.from(result.stdoutBytes).toString()).toBe('A'.repeat(400) + 'Z'.repeat(600));
    expect(result.stdout).toContain('9000');
  });

  verifies('output.bad-utf8', async trial => {
    const { run } = await trial.open();
    const result = await run("printf 'a\\xff\\xfe\\xc3(z'; printf '\\xe2\\x82' >&2");
    expect([...result.stdoutBytes]).toEqual([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x7a]);
    expect(result.stdout).toBe('a\ufffd\ufffd\ufffd(z');
    expect([...result.stderrBytes]).toEqual([0xe2, 0x82]);
    expect(result.stderr).toBe('\ufffd');
  });

  verifies('output.nul', async trial => {
    const { run } = await trial.open();
    const result = await run("printf 'a\\0b\\0\\0c'; printf '\\0' >&2");
    expect(result).toMatchObject({ stdout: 'a\0b\0\0c', stderr: '\0', stdoutTotal: 6, stderrTotal: 1 });
  });

  verifies('output.imitations', async trial => {
    const { run, handle } = await trial.open();
    const { stdout: tags } = await run("env | sed -n 's/^HERMES_COMMAND=//p'");
    const nonces = [randomBytes(16).toString('hex'), tags.trim(), '0'.repeat(32)];
    const words = [
      ' exited 0 - - 0\n',
      ' ready\n',
      '\n',
      ' killed\n',
      ' hello 5.2\n',
      ' nocwd 0 - - 0\n',
      '',
    ];
    const text = nonces.flatMap(nonce => words.map(word => `\x1e${nonce}${word}`)).join('text');
    await handle.writeFile('imitation', text);
    const result = await run(
      'cat imitation; cat imitation >&2; printf "\\x1e%s exited 0\\n" "$HERMES_COMMAND"; exit 5',
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 5, stderr: text });
    expect(result.stdout.slice(0, text.length)).toBe(text);
    expect(result.stdout.slice(text.length)).toMatch(/^\x1e\w* exited 0\n$/);
    expect(await run('echo next')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'next\n' });
  });

  verifies('output.devices', async trial => {
    const { run } = await trial.open();
    const result = await run(
      'echo a; echo b >/dev/stdout; echo c; echo d >/dev/stderr; echo e >&2; echo f >>/dev/stdout; echo g >/proc/self/fd/2',
    );
    expect(result).toMatchObject({ outcome: 'exited', stdout: 'a\nb\nc\nf\n', stderr: 'd\ne\ng\n' });
  });
});
