// The parsed project: every TypeScript and JavaScript file with what the rules need to know about it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comment, type Node, type OxcError, type Program, parseSync } from 'oxc-parser';
import { indexNodes, type NodeIndex } from './ast.ts';
import { type Import, importsOf } from './imports.ts';
import { type Mention, mentionsOf } from './origin.ts';
import { type Scopes, scopesOf } from './scope.ts';

/**
 * - `source`: what the program is made of, `src/` without its tests
 * - `test`: everything in `test/`, and `*.test.ts` wherever it stands
 * - `script`: `scripts/`, `bench/` and `bin/`
 * - `browser`: JavaScript that the dashboard sends to a browser (`src/dashboard/**.js`); it has no clock, no
 *   process and no modules of ours, so only the size rules and the layers apply
 */
export type FileKind = 'source' | 'test' | 'script' | 'browser';

export interface SourceFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly kind: FileKind;
  /** Whether the first line is a comment that opens with `Generated` or `@generated`. */
  readonly isGenerated: boolean;
  readonly lineStarts: readonly number[];
  readonly lineCount: number;
  readonly program: Program;
  readonly nodes: NodeIndex;
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
  readonly scopes: Scopes;
  readonly mentions: readonly Mention[];
  readonly errors: readonly OxcError[];
}

export interface Project {
  readonly files: readonly SourceFile[];
}

export interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  /** What is wrong, and what to do instead. */
  readonly message: string;
}

const FOLDERS = ['src', 'test', 'scripts', 'bench', 'bin'];
const LEFT_OUT = ['test/fixtures/trees/'];
const EXTENSION = /\.(?:[cm]?ts|[cm]?js)$/;

/** Reads and parses the project in `root`. Folders that do not exist are empty. */
export function readProject(root: string): Project {
  const files: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules') visit(path);
      else if (entry.isFile() && EXTENSION.test(path)) files[path] = readFileSync(join(root, path), 'utf8');
    }
  };
  const present = new Set(readdirSync(root));
  for (const folder of FOLDERS.filter(name => present.has(name))) visit(folder);
  return parseProject(files);
}

/** Parses a project given as path → source text. */
export function parseProject(files: Readonly<Record<string, string>>): Project {
  const paths = Object.keys(files).filter(path => !LEFT_OUT.some(folder => path.startsWith(folder)));
  return { files: paths.sort().map(path => parseFile(path, files[path] ?? '')) };
}

export function lineOf(file: SourceFile, offset: number): number {
  const next = file.lineStarts.findIndex(start => start > offset);
  return next === -1 ? file.lineStarts.length : next;
}

export function violationAt(rule: string, file: SourceFile, node: Pick<Node, 'start'>, message: string) {
  return { rule, file: file.path, line: lineOf(file, node.start), message } satisfies Violation;
}

export function formatViolation({ rule, file, line, message }: Violation): string {
  return `${file}:${line} ${rule}: ${message}`;
}

export function sourcesOf(project: Project): SourceFile[] {
  return project.files.filter(file => file.kind === 'source');
}

function parseFile(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text, {
    astType: 'ts',
    preserveParens: false,
    sourceType: 'module',
  });
  const nodes = indexNodes(program);
  const scopes = scopesOf(nodes);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return {
    path,
    kind: kindOf(path),
    isGenerated: /^\s*(?:\/\/|\/\*+)\s*@?generated\b/i.test(text.split('\n', 1)[0] ?? ''),
    lineStarts,
    lineCount: text === '' || text.endsWith('\n') ? lineStarts.length - 1 : lineStarts.length,
    program,
    nodes,
    comments,
    imports: importsOf(path, nodes),
    scopes,
    mentions: mentionsOf(nodes, scopes),
    errors,
  };
}

function kindOf(path: string): FileKind {
  if (path.startsWith('test/') || /\.test\.ts$/.test(path)) return 'test';
  if (!path.startsWith('src/')) return 'script';
  return path.startsWith('src/dashboard/') && path.endsWith('.js') ? 'browser' : 'source';
}
