// The rules of ARCHITECTURE.md, held against the project itself.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allRules } from './all-rules.ts';
import { formatViolation, readProject } from './project.ts';

describe('architecture', () => {
  const project = readProject(fileURLToPath(new URL('../../', import.meta.url)));

  it.each(allRules)('$promise ($name)', rule => {
    const violations = rule.check(project).map(formatViolation);
    if (violations.length > 0) expect.fail(violations.join('\n'));
  });
});
