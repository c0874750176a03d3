// What a tool that touches a file threatens: the same as the command that does the same, for the path as it is written and
// for where it leads. Pure.
import { isAbsolute, relative, resolve } from 'node:path/posix';
import { shellPath, shellQuote } from '../base/shell-quote.ts';
import { analyse } from '../risk/analyse.ts';
import type { Policy } from '../risk/decide.ts';
import { type Exposure, threatHere } from '../risk/exposure.ts';
import type { Analysis, Finding } from '../risk/finding.ts';
import { locate, zoneOf } from '../risk/paths.ts';
import { holdsKeys, isTelling } from '../risk/places.ts';
import type { Action } from '../tools/tool.ts';
import { shortHash } from './program-findings.ts';

export type PathAction = Extract<Action, { readonly path: string }>;

export interface Whereabouts {
  readonly exposure: Exposure;
  readonly policy: Policy;
  /** Of the sandbox. */
  readonly workdir: string;
  /** Where the path really leads, as far as that matters. */
  readonly realPath?: string;
  /** The folder of this installation, by its names. */
  readonly homes?: readonly string[];
}

/** The names of folders: one below the working folder has a second one. */
export function namesOf(folders: readonly string[], workdir: string): readonly string[] {
  const names = folders.flatMap(folder => {
    const inside = relative(workdir, folder);
    return inside === '' || inside.startsWith('..') ? [folder] : [folder, `./${inside}`];
  });
  return [...new Set(names)];
}

export function analysePath(action: PathAction, where: Whereabouts): Analysis {
  const each = pathsOf(action.path, where).map(path => of(action, path, where));
  const findings = each.flatMap(found => found.findings);
  return {
    findings: action.kind === 'write' ? boundToText(action, findings, where) : findings,
    commands: each.flatMap(found => found.commands),
  };
}

function of(action: PathAction, path: string, { homes = [], workdir }: Whereabouts): Analysis {
  const found = (command: string): Analysis => analyse(command, { homes, workdir });
  // No flag, and none is needed to say so: the owner's lists have none either.
  const word = shellPath(path.startsWith('-') ? `./${path}` : path);
  switch (action.kind) {
    case 'read':
      return found(`cat ${word}`);
    case 'list':
      return found(`ls ${word}`);
    case 'send': {
      const { findings, commands } = found(`cat ${word}`);
      return { findings: findings.map(toTheChat), commands };
    }
    case 'search': {
      const pattern = shellQuote(action.pattern);
      if (action.target === 'names') return found(`find ${word} -name ${pattern}`);
      const { findings, commands } = found(`grep -rE -- ${pattern} ${word}`);
      return { findings: [...findings, ...wideFinding(path)], commands };
    }
    case 'write': {
      const { findings, commands } = found(`cat >${word}`);
      return { findings: [...findings, ...keyFinding(path)], commands };
    }
  }
}

/** A folder below the workspace stays a part of it. */
export function placeOf(workdir: string, path: string): string {
  const inside = relative(workdir, path) || '.';
  const isOutside = inside === '..' || inside.startsWith('../') || isAbsolute(inside);
  return isOutside || isTelling(locate(workdir, '/')) ? path : inside;
}

/** As it is written, and where it leads. */
function pathsOf(path: string, { workdir, realPath }: Whereabouts): readonly string[] {
  const isHome = path === '~' || path.startsWith('~/');
  const own = isHome ? path : placeOf(workdir, resolve(workdir, path));
  return [...new Set([own, ...(realPath === undefined ? [] : [placeOf(workdir, realPath)])])];
}

/** "For this session" may mean that the file is read; that it leaves is another matter. */
function toTheChat(finding: Finding): Finding {
  const reason = 'Sends a file that holds keys, tokens or passwords to the chat.';
  const isKeys = finding.threatens === 'credentials';
  return { ...finding, rule: 'credentials.send-to-chat', ...(isKeys ? { reason } : {}) };
}

/** Folders that have everybody's keys somewhere below them. */
const WIDE = /^(?:\/|~|\/(?:home|Users|root|etc|proc|run|var|export)(?:\/home)?)$/;

function wideFinding(path: string): readonly Finding[] {
  const located = locate(path, '.');
  if (!WIDE.test(located)) return [];
  const reason = 'Shows lines of all files below a folder in which keys, tokens and passwords lie.';
  return [credentials('credentials.wide-search', reason, path, located)];
}

function keyFinding(path: string): readonly Finding[] {
  const located = locate(path, '.');
  if (!holdsKeys(located) || zoneOf(located) === 'inside') return [];
  const reason = 'Changes a file that holds keys, tokens or passwords.';
  return [credentials('credentials.key-file-write', reason, path, located)];
}

function credentials(rule: string, reason: string, part: string, located: string): Finding {
  return { rule, reason, part, threatens: 'credentials', severity: 'high', paths: [located] };
}

/**
 * Whoever agrees to a text in a file has not agreed to any other, by whatever way it would get there. So these findings are
 * the tool's own, and one more has the text's hash in it: "for this session" covers a call only when all that was found in
 * it is covered.
 */
function boundToText(
  { path, text }: Extract<PathAction, { kind: 'write' }>,
  findings: readonly Finding[],
  { exposure, policy }: Whereabouts,
): readonly Finding[] {
  // Where nobody is asked, nobody agrees to anything.
  if (policy.mode === 'off') return findings;
  const first = findings.find(finding => threatHere(finding, exposure) !== undefined);
  if (!first) return findings;
  const own = findings.map(finding => ({ ...finding, rule: `${finding.rule}.by-tool` }));
  const bound: Finding = {
    rule: 'exact-text',
    threatens: exposure.isWhole ? first.threatens : 'unresolved',
    severity: first.severity,
    reason: 'An answer for this session covers this very text in this very file.',
    part: `text:${shortHash(JSON.stringify([path, text]))}`,
  };
  return [...own, bound];
}
