// Which mutations the words of the command line mean. Pure.
import type { Mutation } from '../../test/mutations/mutation.ts';

export interface Chosen {
  readonly kind: 'list' | 'check';
  readonly mutations: readonly Mutation[];
}

/** Throws when a word means no mutation: nothing that was asked for is left out without notice. */
export function chooseMutations(all: readonly Mutation[], words: readonly string[]): Chosen {
  const kind = words.includes('--list') ? 'list' : 'check';
  const rest = words.filter(word => word !== '--list');
  if (rest.length === 0) return { kind, mutations: all };
  const only = rest[0] === '--only';
  const wanted = only ? rest.slice(1) : rest;
  if (wanted.length === 0) throw new Error('--only needs a word.');
  const fits = (mutation: Mutation, word: string): boolean =>
    only
      ? `${mutation.promise} ${mutation.name} ${mutation.file} ${mutation.testFile}`.includes(word)
      : mutation.name === word;
  for (const word of wanted)
    if (!all.some(mutation => fits(mutation, word))) throw new Error(`No mutation fits "${word}".`);
  return { kind, mutations: all.filter(mutation => wanted.some(word => fits(mutation, word))) };
}
