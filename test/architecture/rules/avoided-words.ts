// Names say what a thing is. Words that fit everything are not used for files, folders or exports; whole
// words count, so `commonPrefix` is caught and `utility` or `community` is not.
import type { Node } from 'oxc-parser';
import { nodesOf } from '../ast.ts';
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';

const AVOIDED = /^(?:managers?|helpers?|utils?|common|services?|executors?|v2)$/i;
const ENGINE = /^engines?$/i;
/** A driver may name the vendor's engine that it talks to. */
const DRIVER = /^src\/(?:backends|platforms|providers)\/[^/]+\//;
const WORD = /[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])\d*/g;

export function avoidedWords(project: Project): Violation[] {
  return sourcesOf(project).flatMap(file => [...inPath(file), ...inExports(file)]);
}

function inPath(file: SourceFile): Violation[] {
  const word = avoidedIn(file, file.path);
  if (word === undefined) return [];
  return [{ rule: 'avoided-words', file: file.path, line: 1, message: advice('the path', word) }];
}

function inExports(file: SourceFile): Violation[] {
  return exportedNames(file).flatMap(({ name, node }) => {
    const word = avoidedIn(file, name);
    return word === undefined ? [] : [violationAt('avoided-words', file, node, advice(name, word))];
  });
}

function avoidedIn(file: SourceFile, name: string): string | undefined {
  const words = name.match(WORD) ?? [];
  return words.find(word => AVOIDED.test(word) || (ENGINE.test(word) && !DRIVER.test(file.path)));
}

function advice(name: string, word: string): string {
  return `${name} uses the word "${word}"; name it after the one thing that it is or does`;
}

/** Names that the file gives; what it passes on under the same name was named elsewhere. */
function exportedNames(file: SourceFile): { name: string; node: Node }[] {
  return nodesOf(file.nodes, 'ExportNamedDeclaration').flatMap(({ declaration, specifiers, source }) => {
    const given = specifiers.flatMap(({ local, exported }) =>
      exported.type === 'Identifier' && !(source && 'name' in local && local.name === exported.name)
        ? [{ name: exported.name, node: exported }]
        : [],
    );
    if (!declaration) return given;
    const id = 'id' in declaration ? declaration.id : undefined;
    return id?.type === 'Identifier' ? [{ name: id.name, node: id }] : variablesIn(file, declaration);
  });
}

function variablesIn(file: SourceFile, declaration: Node): { name: string; node: Node }[] {
  const bindings = [...(file.scopes.get(file.program)?.values() ?? [])];
  return bindings.filter(({ node }) => node.start >= declaration.start && node.end <= declaration.end);
}
