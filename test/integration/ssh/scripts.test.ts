// The scripts that are sent to the machine: plain ASCII, and clean for shellcheck.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';

const folder = join(import.meta.dirname, '../../../src/backends/ssh/shell');
const begin = readFileSync(join(folder, 'begin.sh'), 'utf8');
const scripts = readdirSync(folder)
  .filter(name => name !== 'begin.sh')
  .map(name => [name, readFileSync(join(folder, name), 'utf8')] as const);

describe('the scripts of the ssh backend', () => {
  it.each(scripts)('%s is plain ASCII', (_name, text) => {
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describeWith('shellcheck', address => {
  it.each(scripts)('%s is clean', (_name, text) => {
    const bash = text.startsWith('# shellcheck shell=bash');
    const input = bash ? text : begin + text;
    const argv = [`--shell=${bash ? 'bash' : 'sh'}`, '-'];
    expect(execFileSync(address().program, argv, { input, encoding: 'utf8' })).toBe('');
  });
});
