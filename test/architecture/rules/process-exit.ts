// The program ends in `src/cli/main.ts` alone, so that everything else can be closed before.
import { type Project, sourcesOf, type Violation, violationAt } from '../project.ts';

const ENDINGS = ['process.exit', 'process.exitCode'];

export function processExit(project: Project): Violation[] {
  return sourcesOf(project)
    .filter(file => file.path !== 'src/cli/main.ts')
    .flatMap(file =>
      file.mentions
        .filter(({ origin }) => ENDINGS.includes(origin))
        .map(({ node, origin }) => {
          const message = `uses ${origin}; throw a HermesError or return, and let src/cli/main.ts end the program`;
          return violationAt('process-exit', file, node, message);
        }),
    );
}
