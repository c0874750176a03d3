// Every file parses. Without this the other rules would pass over a broken file in silence.
import { type Project, type Violation, violationAt } from '../project.ts';

export function syntax(project: Project): Violation[] {
  return project.files.flatMap(file =>
    file.errors.map(({ message, labels }) =>
      violationAt('syntax', file, { start: labels[0]?.start ?? 0 }, `${message}; correct the syntax`),
    ),
  );
}
