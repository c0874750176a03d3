// How long commands are analysed before they run, beside parsing them, which is the least that an analysis must do.
import { parse } from 'unbash';
import { analyse } from '../src/risk/analyse.ts';
import { decide } from '../src/risk/decide.ts';
import { NO_EXPOSURE } from '../src/risk/exposure.ts';
import { harmful, harmless } from '../test/fixtures/commands/corpus.ts';
import { hostileCommands } from '../test/fixtures/commands/hostile.ts';
import { defineBench } from './bench.ts';

const WHOLE = { ...NO_EXPOSURE, isWhole: true };
const POLICY = { mode: 'manual', deny: [], allowlist: [] } as const;
const commands = [...harmful(), ...harmless()].map(({ command }) => command);

export const risk = defineBench({
  title: 'Commands analysed before they run',
  about: `All ${commands.length} labelled commands of the tests, one after the other.`,
  clock: 'cpu',
  rounds: 15,
  warmUp: 3,
  cases: {
    parse: { name: 'parse only' },
    decide: { name: 'analyse and decide', against: 'parse', limit: 65, isShort: true },
  },
  async open() {
    return {
      runs: {
        parse: {
          run: () => {
            for (const command of commands) parse(command);
          },
        },
        decide: {
          run: () => {
            for (const command of commands) decide(command, analyse(command), WHOLE, POLICY);
          },
        },
      },
      async close() {},
    };
  },
});

/** About what a letter of a hostile command may cost: a pass with a regular expression over a long text. */
const WORD = /[\w-]+|[^\w\s]/g;
const text = 'rm -rf "$HOME/build"; '.repeat(2800);

export const riskHostile = defineBench({
  title: 'Hostile commands',
  about:
    'Analysing each of the commands that the tests know to take longest, beside splitting 60 KB of shell into words with a regular\nexpression. What is over 64 KiB or 100 levels deep is not parsed.',
  clock: 'cpu',
  rounds: 15,
  warmUp: 2,
  cases: {
    split: { name: 'split 60 KB into words' },
    worst: { name: 'the slowest hostile command', against: 'split', limit: 20 },
  },
  async open() {
    const slowest = await slowestCommand();
    return {
      runs: { split: { run: () => text.match(WORD) }, worst: { run: () => analyse(slowest) } },
      async close() {},
    };
  },
});

/** By the second of two analyses: the first compiles. */
async function slowestCommand(): Promise<string> {
  const timed = hostileCommands.map(([, command]) => {
    analyse(command);
    const start = performance.now();
    analyse(command);
    return { command, took: performance.now() - start };
  });
  return timed.toSorted((a, b) => b.took - a.took)[0]?.command ?? '';
}
