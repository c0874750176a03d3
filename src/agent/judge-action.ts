// What a call would do, as the command that does the same is analysed and compared with the owner's lists; and how it is
// shown to whoever is asked: the tool, and all of what it does. Pure.
import { resolve } from 'node:path/posix';
import type { Judgement } from '../approvals/gate.ts';
import { shellQuote } from '../base/shell-quote.ts';
import { analyse } from '../risk/analyse.ts';
import { decide } from '../risk/decide.ts';
import type { Analysis, Finding } from '../risk/finding.ts';
import type { Action } from '../tools/tool.ts';
import type { ScriptFile } from './look-at-scripts.ts';
import { analysePath, type PathAction, placeOf, type Whereabouts } from './path-findings.ts';
import { analyseProgram, judgeScripts, programFinding } from './program-findings.ts';

export interface Circumstances extends Whereabouts {
  /** Where the session's shell stands, as far as that matters. */
  readonly folder?: string;
  /** The path is a link, or leads through one. */
  readonly isLink?: boolean;
  /** The files that the command runs, as far as that matters. */
  readonly scripts?: readonly ScriptFile[];
}

export interface JudgedAction {
  /** Whole, as it is shown. */
  readonly command: string;
  readonly judgement: Judgement;
}

export function judgeAction(tool: string, action: Action, circumstances: Circumstances): JudgedAction {
  switch (action.kind) {
    case 'command':
      return judgeCommand(tool, action, circumstances);
    case 'script':
      return judged(
        { shown: `${tool} (${action.language})\n${action.text}` },
        { findings: scriptFindings(action, circumstances), commands: [] },
        circumstances,
      );
    default:
      return judged(
        { shown: shownPath(tool, action, circumstances) },
        analysePath(action, circumstances),
        circumstances,
      );
  }
}

/** `as`: what the owner's lists may have instead. */
function judged(
  { shown, as = shown }: { readonly shown: string; readonly as?: string },
  analysis: Analysis,
  { exposure, policy }: Circumstances,
): JudgedAction {
  const judgement = decide(shown, analysis, exposure, policy);
  if (as === shown || judgement.verdict !== 'ask') return { command: shown, judgement };
  const other = decide(as, analysis, exposure, policy);
  return { command: shown, judgement: other.verdict === 'ask' ? judgement : other };
}

function judgeCommand(
  tool: string,
  action: Extract<Action, { kind: 'command' }>,
  circumstances: Circumstances,
): JudgedAction {
  const { workdir, scripts = [], homes = [], policy, exposure } = circumstances;
  const { ports = [] } = policy;
  const folder = action.folder ?? circumstances.folder ?? '.';
  const command = goingTo(workdir, folder) + action.command;
  const own = analyse(command, { homes, ports, workdir });
  const files = judgeScripts(scripts, command, exposure);
  const shown = `${action.inBackground ? `${tool} in the background: ` : ''}${command}${files.shown}`;
  const analysis = {
    findings: [...own.findings, ...files.findings],
    commands: [...own.commands, ...files.commands],
  };
  return judged({ shown, as: command }, analysis, circumstances);
}

/** Makes relative paths mean what they mean there. */
function goingTo(workdir: string, folder: string): string {
  const path = placeOf(workdir, resolve(workdir, folder));
  return path === '.' ? '' : `cd ${shellQuote(path)}\n`;
}

function shownPath(tool: string, action: PathAction, { realPath, isLink }: Circumstances): string {
  const path = `${action.path}${isLink && realPath !== undefined ? ` (leads to ${realPath})` : ''}`;
  switch (action.kind) {
    case 'send':
      return `${tool} ${path} (to the chat)`;
    case 'search':
      return `${tool} ${shellQuote(action.pattern)} in ${path}${action.target === 'names' ? ' (names)' : ''}`;
    case 'write':
      return `${tool} ${path}\n${action.text}`;
    default:
      return `${tool} ${path}`;
  }
}

function scriptFindings(
  action: Extract<Action, { kind: 'script' }>,
  { exposure }: Circumstances,
): readonly Finding[] {
  const known = analyseProgram(action).findings;
  if (exposure.isWhole)
    return [...known.filter(({ rule }) => rule !== 'unresolved.inline-code'), programFinding(action)];
  // What could hurt a folder of the host, or give away what is in it or a credential, is asked about unless it is proved to be
  // harmless. A network alone gives away only what the sandbox was given.
  const isReached = exposure.credentials.length > 0 || exposure.mounts.length > 0;
  return isReached ? known : known.filter(({ threatens }) => threatens !== 'unresolved');
}
