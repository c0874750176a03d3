// `hermes sandbox verify` as an operator starts it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allProbes } from '../../src/containment/all-probes.ts';
import { type Ended, runProgram } from '../integration/run-program.ts';
import { enter, whyNoThrowaway } from './throwaway.ts';

const program = join(import.meta.dirname, '../../bin/hermes.js');
const notRun = whyNoThrowaway();
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterAll(() => rm(home, { recursive: true }));

function hermes(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runProgram([process.execPath, program, ...args], { env: { ...env, HERMES_HOME: home } });
}

describe('hermes sandbox verify', () => {
  it('says loudly that local contains nothing, and exits 0 because nobody promised more', async ({
    skip,
  }) => {
    if (notRun !== undefined) return skip(notRun);
    const argv = [process.execPath, program, 'sandbox', 'verify', '--backend', 'local'];
    const { code, stdout } = await runProgram(enter('everything', argv), { env: { HERMES_HOME: home } });
    expect(stdout).toMatch(/^THIS BACKEND CONTAINS NOTHING/);
    for (const { id } of allProbes) expect(stdout).toContain(id);
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toContain('Nothing is worse than expected.');
    expect(code).toBe(0);
  });

  it('refuses a backend that does not exist', async () => {
    const { code, stderr } = await hermes(['sandbox', 'verify', '--backend', 'docer']);
    expect(code).toBe(78);
    expect(stderr).toContain('did you mean docker?');
  });
});
