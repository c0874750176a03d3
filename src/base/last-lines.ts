// The end of a program's output for people: as text without control characters, and short.
import { stripAnsi } from './strip-ansi.ts';

const LINES = 15;
const CHARACTERS = 1500;

/** What a terminal would leave to be read: no colours, no control characters, of a line that overwrites itself the last. */
export function plainOutput(output: string): string {
  return stripAnsi(output)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(line => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/[^\P{C}\t]/gu, ''))
    .join('\n');
}

/** The last lines; a cut at their beginning is marked. Redact before. */
export function lastLines(text: string): string {
  const whole = text.trimEnd();
  const lines = whole.split('\n').slice(-LINES).join('\n');
  const kept = lines.length > CHARACTERS ? lines.slice(-CHARACTERS).toWellFormed() : lines;
  return kept.length < whole.length ? `…\n${kept}` : kept;
}
