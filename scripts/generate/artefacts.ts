// Everything in the repository that is made from something else in it.
import { auditPage } from './audit-page.ts';
import { configurationPage } from './configuration-page.ts';
import { containmentPage } from './containment-page.ts';
import { driverIndexes } from './driver-index.ts';
import { errorPage } from './error-page.ts';
import { migrationPage } from './migration-page.ts';
import { rulesPage } from './rules-page.ts';
import { troubleshootingPage } from './troubleshooting-page.ts';

export interface Artefact {
  /** Path below the project's root. */
  readonly file: string;
  readonly content: string;
}

export function artefacts(root: string): Artefact[] {
  return [
    ...driverIndexes(root),
    { file: 'docs/errors.md', content: errorPage() },
    { file: 'docs/troubleshooting.md', content: troubleshootingPage() },
    { file: 'docs/configuration.md', content: configurationPage() },
    { file: 'docs/migration.md', content: migrationPage() },
    { file: 'docs/security/containment.md', content: containmentPage() },
    { file: 'docs/security/rules.md', content: rulesPage() },
    { file: 'docs/security/audit.md', content: auditPage() },
  ];
}
