// The scripts that are typed into terminals of a sandbox: plain ASCII, and clean for shellcheck.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';

const folder = join(import.meta.dirname, '../../../src/backends/daytona/shell');
const begin = readFileSync(join(folder, 'begin.sh'), 'utf8');
const scripts = readdirSync(folder)
  .filter(name => name !== 'begin.sh')
  .map(name => [name, readFileSync(join(folder, name), 'utf8')] as const);

describe('the scripts of the daytona backend', () => {
  it.each(scripts)('%s is plain ASCII', (_name, text) => {
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describeWith('shellcheck', address => {
  it.each(scripts)('%s is clean', (_name, text) => {
    const input = begin + text;
    expect(execFileSync(address().program, ['--shell=sh', '-'], { input, encoding: 'utf8' })).toBe('');
  });
});
