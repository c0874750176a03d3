// What decoding a word needs of the walk it happens in.
import type { ParsedScript, WordPart } from 'unbash';
import type { Scope } from './scope.ts';

export interface WordContext {
  readonly scope: Scope;
  /** Walks the script; the text is what it prints, where that is known. */
  readonly substitute: (script: ParsedScript) => string | undefined;
  /** Walks the script; the word is a path that stands for its output or input. */
  readonly processFile: (script: ParsedScript, operator: string) => string;
  /** Walks every script inside a part whose own value is not worked out. */
  readonly nested: (part: WordPart) => void;
  /** Hears of a variable whose value nobody knows. */
  readonly unknownVariable: (name: string) => void;
}
