// What a command runs besides itself, as plain data; the walk follows it.

export type Language =
  | 'python'
  | 'javascript'
  | 'perl'
  | 'ruby'
  | 'php'
  | 'lua'
  | 'r'
  | 'lisp'
  | 'awk'
  | 'applescript';

/** How a text or a file is run: by a shell, by another language, or, for a file, by whatever its first line says. */
export type Runner = 'shell' | Language;

/** `$0`, and `$1` and on, of a script. */
export interface Given {
  readonly zero: string;
  readonly positional: readonly string[];
}

export type Inner =
  | { readonly kind: 'argv'; readonly argv: readonly string[]; readonly via: string }
  | {
      readonly kind: 'script';
      readonly text: string;
      readonly via: string;
      readonly given?: Given;
    }
  | { readonly kind: 'code'; readonly language: Language; readonly text: string; readonly via: string }
  /** Runs what comes on standard input. */
  | { readonly kind: 'input'; readonly as: Runner; readonly via: string; readonly given?: Given }
  /** Runs a file. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly as: Runner;
      readonly via: string;
      readonly given?: Given;
    }
  /** Runs something that its words do not say. */
  | { readonly kind: 'gap'; readonly via: string };

/** What runs a program that is named in a flag or a variable, where few look for one. */
export function byFlag(program: string): string {
  return `${program}, by a flag`;
}

export function isByFlag(via: string | undefined): boolean {
  return via?.endsWith(', by a flag') === true;
}

export function scripts(via: string, texts: readonly (string | undefined)[]): Inner[] {
  return texts.flatMap(text =>
    text === undefined || text.trim() === '' ? [] : [{ kind: 'script', text, via }],
  );
}
