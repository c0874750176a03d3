import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { manualClock } from '../../../test/fixtures/manual-clock.ts';
import { loadConfig } from '../../config/load.ts';
import { openGatewayLog } from './gateway-log.ts';
import { section } from './settings.ts';

it('goes to standard error where its file cannot be opened, says why, and to the file as soon as that can be', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-log-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  // A file where the folder of the log belongs.
  writeFileSync(join(home, 'logs'), '');
  const lines: string[] = [];
  const clock = manualClock();
  const { log, problem, path, close } = openGatewayLog({
    ...{ home, clock, platforms: [] },
    config: await loadConfig({ sections: [section], environment: { HOME: home, HERMES_HOME: home } }),
    redact: line => line.replaceAll('hunter2', '***'),
    instead: line => lines.push(line),
  });
  expect(problem).toMatch(/cannot be opened: .* standard error/);
  log.info('one hunter2');
  rmSync(join(home, 'logs'));
  log.info('two');
  clock.advance(30_000);
  log.info('three');
  close();
  expect(lines.map(line => JSON.parse(line).msg)).toEqual(['one ***', 'two']);
  expect(JSON.parse(readFileSync(path, 'utf8')).msg).toBe('three');
});
