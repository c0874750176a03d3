// Types are not switched off: no `any` anywhere, and in `src/` no comment that silences the checkers.
import { nodesOf } from '../ast.ts';
import { type Project, type Violation, violationAt } from '../project.ts';

const SILENCER = /^[\s*]*(@ts-ignore|@ts-nocheck|biome-ignore)/;

export function noAny(project: Project): Violation[] {
  return project.files.flatMap(file => {
    const types = nodesOf(file.nodes, 'TSAnyKeyword').map(node =>
      violationAt(
        'no-any',
        file,
        node,
        '`any` switches the checker off; name the type, or parse an `unknown`',
      ),
    );
    if (!file.path.startsWith('src/')) return types;
    const comments = file.comments.flatMap(comment => {
      const silencer = SILENCER.exec(comment.value)?.[1];
      if (silencer === undefined) return [];
      return [
        violationAt(
          'no-any',
          file,
          comment,
          `${silencer} hides a finding; write it so that the checker agrees`,
        ),
      ];
    });
    return [...types, ...comments];
  });
}
