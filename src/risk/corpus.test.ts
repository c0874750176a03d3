// The labelled corpus on the backend that contains nothing (P8: what could do harm is asked).
import { describe, expect, it } from 'vitest';
import { harmful, harmless, type Labelled } from '../../test/fixtures/commands/corpus.ts';
import { analyse } from './analyse.ts';
import { type Decision, decide } from './decide.ts';
import { exposureOf } from './exposure.ts';

const local = exposureOf(
  { isolation: 'none', network: { value: 'open' }, mounts: { value: [] }, env: { value: [] } },
  { isDisposable: false },
);
const decideLocally = (command: string): Decision =>
  decide(command, analyse(command), local, { mode: 'manual', deny: [], allowlist: [] });
const isStopped = ({ command }: Labelled): boolean => decideLocally(command).verdict !== 'allow';
const list = (missed: readonly Labelled[]): string =>
  missed
    .map(
      ({ family, command }) =>
        `${family}: ${command} → ${decideLocally(command)
          .findings.map(({ rule }) => rule)
          .join(', ')}`,
    )
    .join('\n');

describe('the corpus on local', () => {
  it('has at least 200 of each', () => {
    expect(harmful().length).toBeGreaterThanOrEqual(200);
    expect(harmless().length).toBeGreaterThanOrEqual(200);
  });

  it('asks about at least 99 % of what could do harm', () => {
    const missed = harmful().filter(each => !isStopped(each));
    expect(missed.length / harmful().length, list(missed)).toBeLessThanOrEqual(0.01);
  });

  it('asks about at most 2 % of what only looks like it', () => {
    const stopped = harmless().filter(isStopped);
    expect(stopped.length / harmless().length, list(stopped)).toBeLessThanOrEqual(0.02);
  });

  it('says what is threatened', () => {
    const wrong = harmful().filter(({ family, command }) => {
      const threats = analyse(command).findings.map(({ threatens }) => threatens as string);
      return threats.length > 0 && !threats.includes(family);
    });
    expect(wrong.length / harmful().length, list(wrong)).toBeLessThanOrEqual(0.05);
  });
});
