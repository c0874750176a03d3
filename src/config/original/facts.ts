// The tables of the original together, and how a name is looked up in them.
import { agentKeys, modelKeys } from './agent-keys.ts';
import { chatKeys } from './chat-keys.ts';
import type { Fact } from './fact.ts';
import { sectionFacts } from './sections.ts';
import { terminalKeys } from './terminal-keys.ts';
import { variableFacts } from './variables.ts';

export const keyFacts: readonly Fact[] = [
  ...terminalKeys,
  ...chatKeys,
  ...agentKeys,
  ...modelKeys,
  ...sectionFacts,
];

export { variableFacts };

const byKey = new Map(keyFacts.map(fact => [fact.name, fact]));
const byVariable = new Map(variableFacts.map(fact => [fact.name, fact]));
const beginnings = variableFacts.filter(({ name }) => name.endsWith('*'));

/** The line about a key of config.yaml, else about the nearest section above it. */
export function factOfKey(path: readonly string[]): Fact | undefined {
  for (let length = path.length; length > 0; length--) {
    const fact = byKey.get(path.slice(0, length).join('.'));
    if (fact && (length === path.length || fact.fate !== 'same')) return fact;
  }
  return undefined;
}

export function factOfVariable(name: string): Fact | undefined {
  return byVariable.get(name) ?? beginnings.find(each => name.startsWith(each.name.slice(0, -1)));
}
