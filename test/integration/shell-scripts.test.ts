// The bash part of the channel is checked as it is sent: put together, by shellcheck, and as plain ASCII.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readShellScripts } from '../../src/sandboxes/channel/shell-scripts.ts';
import { describeWith } from '../services/use-service.ts';

const scripts = Object.entries(readShellScripts());

describe('the shell scripts', () => {
  it.each(scripts)('%s is plain ASCII, because its length is counted in characters', (_name, text) => {
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describeWith('shellcheck', address => {
  it.each(scripts)('%s is clean', (_name, text) => {
    execFileSync(address().program, ['--shell=bash', '-'], { input: text, encoding: 'utf8' });
  });
});
