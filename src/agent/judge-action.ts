// What a call would do, as the command that does the same: that is what is analysed, shown to whoever is asked, and
// compared with the owner's lists. Pure.
import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve } from 'node:path/posix';
import type { Judgement } from '../approvals/gate.ts';
import { shellQuote } from '../base/shell-quote.ts';
import { analyse } from '../risk/analyse.ts';
import { decide, type Policy } from '../risk/decide.ts';
import type { Exposure } from '../risk/exposure.ts';
import type { Finding } from '../risk/finding.ts';
import { locate, zoneOf } from '../risk/paths.ts';
import { holdsKeys } from '../risk/places.ts';
import type { Action } from '../tools/tool.ts';

export interface Circumstances {
  readonly exposure: Exposure;
  readonly policy: Policy;
  /** Of the sandbox. */
  readonly workdir: string;
  /** Where the session's shell stands, as far as that matters. */
  readonly folder?: string;
  /** Where the path of a read or write really leads, as far as that matters. */
  readonly realPath?: string;
}

export interface JudgedAction {
  /** Whole, as it is shown. */
  readonly command: string;
  readonly judgement: Judgement;
}

export function judgeAction(tool: string, action: Action, circumstances: Circumstances): JudgedAction {
  const { exposure, policy } = circumstances;
  const judged = (command: string, findings: readonly Finding[], commands: readonly string[] = []) => ({
    command,
    judgement: decide(command, { findings, commands }, exposure, policy),
  });
  switch (action.kind) {
    case 'command': {
      const folder = action.folder ?? circumstances.folder ?? '.';
      const command = goingTo(circumstances.workdir, folder) + action.command;
      const { findings, commands } = analyse(command);
      return judged(command, findings, commands);
    }
    case 'read': {
      const paths = pathsOf(action.path, circumstances);
      return judged(
        `cat ${word(action.path)}`,
        found(paths, path => analyse(`cat -- ${word(path)}`).findings),
      );
    }
    case 'write': {
      const paths = pathsOf(action.path, circumstances);
      const findings = found(paths, path => [...analyse(`cat >${word(path)}`).findings, ...keyFinding(path)]);
      return judged(`${tool} ${action.path}\n${action.text}`, findings);
    }
    case 'script':
      return judged(`${tool} (${action.language})\n${action.text}`, scriptFindings(action, exposure));
  }
}

/** Folders in which a bare name means something to more than the work: a home folder itself, and what is hidden in it. */
const TELLING = /^(?:\/|~|\/etc(?:\/.*)?|~\/\.(?:ssh|config|hermes|gnupg|aws|kube|docker)(?:\/.*)?)$/;

/** Makes relative paths mean what they mean there; a folder below the workspace stays a part of it. */
function goingTo(workdir: string, folder: string): string {
  const path = placeOf(workdir, resolve(workdir, folder));
  return path === '.' ? '' : `cd ${shellQuote(path)}\n`;
}

function placeOf(workdir: string, path: string): string {
  const inside = relative(workdir, path) || '.';
  const isOutside = inside === '..' || inside.startsWith('../') || isAbsolute(inside);
  return isOutside || TELLING.test(locate(workdir, '/')) ? path : inside;
}

/** As it is written, and where it leads. */
function pathsOf(path: string, { workdir, realPath }: Circumstances): readonly string[] {
  const isHome = path === '~' || path.startsWith('~/');
  const own = isHome ? path : placeOf(workdir, resolve(workdir, path));
  return [...new Set([own, ...(realPath === undefined ? [] : [placeOf(workdir, realPath)])])];
}

function found(paths: readonly string[], find: (path: string) => readonly Finding[]): readonly Finding[] {
  return paths.flatMap(find);
}

/** A quoted ~ would be a folder of that name. */
function word(path: string): string {
  return path.startsWith('~/') ? `~/${shellQuote(path.slice(2))}` : shellQuote(path);
}

function keyFinding(path: string): readonly Finding[] {
  const located = locate(path, '.');
  if (!holdsKeys(located) || zoneOf(located) === 'inside') return [];
  const reason = 'Changes a file that holds keys, tokens or passwords.';
  return [
    {
      rule: 'credentials.key-file-write',
      threatens: 'credentials',
      severity: 'high',
      reason,
      part: path,
      paths: [located],
    },
  ];
}

/**
 * What a program does can be told in part only. Where nothing is contained a person sees all of it; "for this session"
 * then means this very program.
 */
function scriptFindings(
  { language, text }: Extract<Action, { kind: 'script' }>,
  { isWhole }: Exposure,
): readonly Finding[] {
  // Nothing in the text may end it.
  let end = 'END';
  while (text.includes(end)) end += '_';
  const known = analyse(`${interpreterOf(language)} <<'${end}'\n${text}\n${end}`).findings;
  if (!isWhole) return known.filter(({ threatens }) => threatens !== 'unresolved');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const part = `${language.replace(/\s+/g, '-')}:${hash}`;
  const reason = 'Runs a program that nothing contains here; what it does shows only when it runs.';
  return [...known, { rule: 'unresolved.program', threatens: 'unresolved', severity: 'high', reason, part }];
}

function interpreterOf(language: string): string {
  if (/^python/i.test(language)) return 'python3 -';
  return /^(?:javascript|js|node)/i.test(language) ? 'node -' : 'bash';
}
