// The environment is read in `src/config/` alone; everything else is told what it needs.
import { type Project, sourcesOf, type Violation, violationAt } from '../project.ts';

export function processEnv(project: Project): Violation[] {
  const message = 'reads process.env; declare a config section and take the value as a parameter';
  return sourcesOf(project)
    .filter(file => !file.path.startsWith('src/config/'))
    .flatMap(file =>
      file.mentions
        .filter(({ origin }) => origin === 'process.env')
        .map(({ node }) => violationAt('process-env', file, node, message)),
    );
}
