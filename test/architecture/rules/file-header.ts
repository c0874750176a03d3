// A source file opens with a comment that says what it is for.
import { type Project, type SourceFile, sourcesOf, type Violation } from '../project.ts';

const MIN_CHARACTERS = 20;

export function fileHeader(project: Project): Violation[] {
  return sourcesOf(project)
    .filter(file => headerOf(file).length < MIN_CHARACTERS)
    .map(({ path }) => {
      const message = `does not open with a comment of at least ${MIN_CHARACTERS} characters; say in a sentence what the file is for`;
      return { rule: 'file-header', file: path, line: 1, message };
    });
}

/** The words of the comments above the first statement. */
function headerOf(file: SourceFile): string {
  const first = file.program.body[0]?.start ?? Number.POSITIVE_INFINITY;
  return file.comments
    .filter(comment => comment.end <= first)
    .map(comment => comment.value.replace(/[\s*]+/g, ' ').trim())
    .join(' ');
}
