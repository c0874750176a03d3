// A file is short enough to be read at one sitting. Generated files are exempt.
import type { Project, Violation } from '../project.ts';

const MAX_LINES = 400;
const MAX_TEST_LINES = 600;

export function fileSize(project: Project): Violation[] {
  return project.files.flatMap(file => {
    const limit = file.kind === 'test' ? MAX_TEST_LINES : MAX_LINES;
    if (file.isGenerated || file.lineCount <= limit) return [];
    const message = `${file.lineCount} lines, ${limit} are allowed; split the file by what its parts are for`;
    return [{ rule: 'file-size', file: file.path, line: limit + 1, message }];
  });
}
