// Where test runs keep what is worth keeping for the next one. The folder can be deleted at any time.
import { homedir } from 'node:os';
import { join } from 'node:path';

export function cacheDir(): string {
  return (
    process.env['HERMES_TEST_CACHE'] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hermes-test')
  );
}
