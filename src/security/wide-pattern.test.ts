import { describe, expect, it } from 'vitest';
import { whyTooWide } from './wide-pattern.ts';

describe('an allowed command', () => {
  it.each([
    '*',
    '* status',
    'g*',
    'bash *',
    'bash -c *',
    'bash -lc *',
    '/bin/sh -c *',
    'python3.11 -c *',
    'sudo *',
    'env *',
    'ssh *',
    'rm *',
    'rm -rf *',
    'curl *',
    'docker *',
    'cat *',
    'cp x *',
    'tar xf x.tar -C *',
    'terraform *',
    'pip install *',
    'scp x *',
    'head -5 *',
    'python3 *',
  ])('is too wide: %s', entry => expect(whyTooWide(entry)).toBeTypeOf('string'));

  it.each([
    'rm -rf node_modules',
    'git status*',
    'npm run *',
    'docker compose logs *',
    'curl https://example.org/*',
    'ls *',
    'bash',
  ])('is narrow enough: %s', entry => expect(whyTooWide(entry)).toBeUndefined());
});
