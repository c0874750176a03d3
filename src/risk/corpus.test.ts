// The labelled corpus on the backend that contains nothing (P8: what could do harm is asked).
import { describe, expect, it } from 'vitest';
import {
  everyday,
  harmful,
  harmless,
  type Labelled,
  roundabout,
  unseen,
} from '../../test/fixtures/commands/corpus.ts';
import { analyse } from './analyse.ts';
import { type Decision, decide } from './decide.ts';
import { exposureOf, NO_EXPOSURE } from './exposure.ts';

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

describe('the roundabout and the everyday on local', () => {
  it.each([
    ['those it was made for', roundabout],
    ['those that were set aside', unseen.roundabout],
  ])('of %s: at least 99 percent of the roundabout are asked about', (_, read) => {
    const commands = read();
    const missed = commands.filter(each => !isStopped(each));
    expect(missed.length / commands.length, list(missed)).toBeLessThanOrEqual(0.01);
  });

  it.each([
    ['those it was made for', everyday],
    ['those that were set aside', unseen.everyday],
  ])('of %s: at most 4 percent of the everyday are asked about', (_, read) => {
    const commands = read();
    const stopped = commands.filter(isStopped);
    expect(stopped.length / commands.length, list(stopped)).toBeLessThanOrEqual(0.04);
  });

  // They run files of the work by name. The door looks at those that the conversation has made (docs/security/approvals.md).
  it.each([
    'make',
    'make test',
    'npm test',
    'npm run build',
    'python3 app.py',
    'pytest',
    'cargo build',
    'go test ./...',
    './gradlew test',
    'git commit -m x',
  ])('lets %s pass', command => expect(decideLocally(command).verdict).toBe('allow'));

  it('asks nothing more in a sandbox that reaches nothing', () => {
    const stopped = [...roundabout(), ...everyday()].filter(
      ({ command }) =>
        decide(command, analyse(command), NO_EXPOSURE, { mode: 'manual', deny: [], allowlist: [] })
          .verdict !== 'allow',
    );
    expect(list(stopped)).toBe('');
  });
});
