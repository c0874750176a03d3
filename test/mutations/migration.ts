// P2 and P7 where a home of the original Hermes is taken over: nothing opens by itself, no key goes elsewhere, nothing is lost.
import type { Mutation } from './mutation.ts';

const MIGRATE = { promise: 'P2', testFile: 'src/cli/commands/migrate/migrate.test.ts' } as const;

export const migration: readonly Mutation[] = [
  {
    ...MIGRATE,
    file: 'src/config/original/translate.ts',
    name: 'what restricted somebody in the original is not warned about',
    old: 'if (fact.restricts(raw)) draft.warnings.push(remark);',
    new: 'if (fact.restricts(raw)) draft.notes.push(remark);',
    tests: ['names what restricts nobody here at every start, in config check and in its own check'],
  },
  {
    ...MIGRATE,
    file: 'src/cli/commands/migrate/apply.ts',
    name: 'migrate apply writes although something would stop a start',
    old: 'if (plan.problems.length > 0) throw configInvalid(plan.problems);',
    new: '',
    tests: ['writes nothing while something would stop a start, and asks before it writes'],
  },
  {
    ...MIGRATE,
    promise: 'P7',
    file: 'src/cli/commands/migrate/diff.ts',
    name: 'the diff of migrate apply shows values of .env',
    old: "isSecret ? text.replace(/=.*$/s, '=***') : text.replace(SECRET, '$1***')",
    new: 'text',
    tests: ['backs up, shows the changed lines without secrets, keeps comments and touches nothing else'],
  },
  {
    promise: 'P7',
    testFile: 'src/config/original/facts.test.ts',
    file: 'src/config/original/model.ts',
    name: 'the key of one model server goes to another whose name looks alike',
    old: "URL.parse(address)?.hostname === 'openrouter.ai'",
    new: "address.includes('openrouter.ai')",
    tests: ['with an address is read as ours, and a key goes only to the server that it belongs to'],
  },
];
