// What can be told of a program by its text: of execute_code, of input for a process, of a file that a command runs. Pure.
import { createHash } from 'node:crypto';
import { analyse } from '../risk/analyse.ts';
import type { Analysis, Finding } from '../risk/finding.ts';
import type { ScriptFile } from './look-at-scripts.ts';

export interface ProgramText {
  readonly language: string;
  readonly text: string;
}

/** What the text itself shows. */
export function analyseProgram({ language, text }: ProgramText): Analysis {
  // Nothing in the text may end it.
  let end = 'END';
  while (text.includes(end)) end += '_';
  return analyse(`${interpreterOf(language)} <<'${end}'\n${text}\n${end}`);
}

/**
 * What a program does can be told in part only. Where nothing is contained a person sees all of it; "for this session"
 * then means this very program.
 */
export function programFinding({ language, text }: ProgramText, more = ''): Finding {
  return {
    ...PROGRAM,
    reason: 'Runs a program that nothing contains here; what it does shows only when it runs.',
    part: `${language.replace(/\s+/g, '-')}:${shortHash(text + more)}`,
  };
}

export interface JudgedScripts extends Analysis {
  /** Those that the person has to see, whole. */
  readonly shown: string;
}

/**
 * Of the files that a command runs. One that was made or changed since the conversation began is a program of the agent: where
 * nothing is contained it is asked about, elsewhere it is judged like code in a command. Of others only what their text shows.
 */
export function judgeScripts(
  files: readonly ScriptFile[],
  command: string,
  { isWhole }: { readonly isWhole: boolean },
): JudgedScripts {
  const judged = files.map(file => {
    if (file.kind === 'unseen') return isWhole ? unseen(file, command) : NOTHING;
    return seen(file, isWhole);
  });
  return {
    findings: judged.flatMap(({ findings }) => findings),
    commands: judged.flatMap(({ commands }) => commands),
    shown: judged.map(({ shown }) => shown).join(''),
  };
}

const NOTHING: JudgedScripts = { findings: [], commands: [], shown: '' };

function seen(file: Extract<ScriptFile, { kind: 'text' }>, isUncontained: boolean): JudgedScripts {
  const { path, realPath, text, language, size, digest, isNew } = file;
  const isBinary = text.includes('\0');
  const isReadable = !isBinary && language !== 'rules';
  const known = isReadable ? analyseProgram(file) : { findings: [], commands: [] };
  const isWhole = Buffer.byteLength(text) === size && !isBinary;
  const whole =
    isUncontained || !isReadable || !isWhole
      ? [programFinding(file, isWhole ? realPath : `${realPath} ${digest}`)]
      : [];
  const findings = isNew
    ? [...known.findings, ...whole]
    : known.findings.filter(({ threatens }) => threatens !== 'unresolved');
  const about = `${language}${isNew ? ', made or changed in this conversation' : ''}`;
  const body = isBinary ? '(binary)' : text;
  const rest = isWhole ? '' : `\n(${size} bytes; the rest is not shown)`;
  const shown = `\n\n--- ${path} (${about}) ---\n${body}${rest}`;
  return { findings, commands: known.commands, shown: findings.length === 0 ? '' : shown };
}

function unseen({ path, why }: Extract<ScriptFile, { kind: 'unseen' }>, command: string): JudgedScripts {
  const part = `${path} in ${shortHash(command)}`;
  const reason = `Runs a file that nobody can look at before: ${why}.`;
  return {
    findings: [{ ...PROGRAM, rule: 'unresolved.script-file', reason, part }],
    commands: [],
    shown: '',
  };
}

const PROGRAM = { rule: 'unresolved.program', threatens: 'unresolved', severity: 'high' } as const;

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function interpreterOf(language: string): string {
  if (/^python/i.test(language)) return 'python3 -';
  if (/^(?:javascript|js|node)/i.test(language)) return 'node -';
  return /^(?:perl|ruby|php|lua)$/.test(language) ? `${language} -` : 'bash';
}
