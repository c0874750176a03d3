// Versions with known holes: of Node, and of the programs behind the backends that were tried.
import type { Program } from '../../../backends/backend.ts';
import type { Examination } from '../../../containment/examine.ts';
import { HOLE_FIX, holesIn, holeText } from '../../../security/known-holes.ts';
import { type AreaReport, warning } from './area.ts';

export function checkVersions(backends: readonly Examination[]): AreaReport {
  const programs: readonly Program[] = [
    { name: 'node', version: process.versions.node },
    ...backends.flatMap(each => each.programs ?? []),
  ];
  return {
    area: 'versions',
    said: programs.map(({ name, version }) => `${name} ${version}`).join(', '),
    found: holesIn(programs).map(hole => warning(hole.program, holeText(hole), HOLE_FIX)),
  };
}
