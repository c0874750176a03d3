// The help of every command fits a terminal of 80 columns.
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { entries } from '../../src/cli/commands/index.ts';
import { runCli } from '../../src/cli/run-cli.ts';

const COLUMNS = 80;

async function helpOf(path: readonly string[]): Promise<string> {
  let shown = '';
  const output = { isTTY: true, columns: COLUMNS, write: (text: string) => (shown += text) };
  await runCli({
    argv: [...path, '--help'],
    environment: {},
    stdin: Readable.from([]),
    ...{ stdout: output, stderr: output },
  });
  return stripVTControlCharacters(shown);
}

it.each([[], ...entries.map(({ path }) => path)].map(path => [path.join(' ')]))(
  'hermes %s --help',
  { timeout: 60_000 },
  async words => {
    const help = await helpOf(words.split(' ').filter(word => word !== ''));
    expect(help).toContain('Usage: hermes');
    expect(help.split('\n').filter(line => line.length > COLUMNS)).toEqual([]);
  },
);
