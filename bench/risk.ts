// How long a command is looked at before it runs: the labelled commands of the tests, one after the other.
import { analyse } from '../src/risk/analyse.ts';
import { decide } from '../src/risk/decide.ts';
import { NO_EXPOSURE } from '../src/risk/exposure.ts';
import { harmful, harmless } from '../test/fixtures/commands/corpus.ts';
import type { Bench } from './bench.ts';

const commands = [...harmful(), ...harmless()].map(({ command }) => command);
const WHOLE = { ...NO_EXPOSURE, isWhole: true };
const POLICY = { mode: 'manual', deny: [], allowlist: [] } as const;

export const risk: Bench = {
  doc: `${commands.length} commands analysed and decided, each round another one`,
  rounds: commands.length * 5,
  warmUp: commands.length,
  async open() {
    let at = 0;
    return {
      cases: [
        { name: 'nothing', run: async () => undefined },
        {
          name: 'analyse and decide',
          run: async () => {
            const command = commands[at++ % commands.length] ?? '';
            return decide(command, analyse(command), WHOLE, POLICY);
          },
          against: 'nothing',
          limit: { extraMs: 0.3, p99Ms: 3 },
        },
      ],
      async close() {},
    };
  },
};
