// The door to risk/: what a command could harm, whoever runs it wherever. Never throws; the work is bounded by the limits.
import { type SimpleCommand, UNKNOWN } from './command.ts';
import { undisguised } from './disguise.ts';
import { deletedBy } from './effects/deletes.ts';
import { madeBy } from './effects/makes.ts';
import { readBy } from './effects/reads.ts';
import { writtenBy } from './effects/writes.ts';
import type { Analysis, Finding } from './finding.ts';
import { tooMuch } from './limits.ts';
import { locate } from './paths.ts';
import { isTelling } from './places.ts';
import { allRules } from './rules/all-rules.ts';
import type { Judged, Rule } from './rules/rule.ts';
import { UNFAMILIAR } from './rules/unfamiliar.ts';
import { gapRules, UNPARSED } from './rules/unresolved.ts';
import { newScope, newWalk, type Walk } from './shell/scope.ts';
import { walkText } from './shell/walk.ts';

const everywhere = allRules.filter(({ programs }) => programs === undefined);
const byProgram: ReadonlyMap<string, readonly Rule[]> = new Map(
  [...new Set(allRules.flatMap(({ programs }) => programs ?? []))].map(program => [
    program,
    [...allRules.filter(({ programs }) => programs?.includes(program)), ...everywhere],
  ]),
);

export interface AnalysisOptions {
  /** Where Hermes keeps its own files besides `~/.hermes`; below the working folder also as `./…`. */
  readonly homes?: readonly string[];
  /** Where the gateway itself listens on this machine. */
  readonly ports?: readonly number[];
  /** The full name of the working folder, so that its files are known by both names. */
  readonly workdir?: string;
}

export function analyse(command: string, options: AnalysisOptions = {}): Analysis {
  const text = command.replaceAll(UNKNOWN, '?');
  const reason = tooMuch(text);
  if (reason !== undefined) return unparsed(text, reason);
  try {
    return analyseParsed(text, options);
  } catch (error) {
    // Whatever went wrong in here, the answer must be to ask.
    return unparsed(
      text,
      `It could not be taken apart: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function analyseParsed(text: string, options: AnalysisOptions): Analysis {
  const plain = undisguised(text);
  const walks = [text, ...(plain === undefined ? [] : [plain])].map(walkWhole);
  const findings = distinct(walks.flatMap(walk => findingsOf(walk, options)));
  const strange = new Set(findings.flatMap(({ rule, part }) => (rule === UNFAMILIAR ? [part] : [])));
  const commands = walks.flatMap(walk =>
    walk.commands.flatMap(command => asWords(command, { isStrange: strange.has(command.text) })),
  );
  return { findings, commands: [...new Set(commands)] };
}

/** Words that an unknown program may run in turn. */
const MAX_TAILS = 8;

/** As words with single spaces. A program that nobody knows may run the rest of its words, from any of them on. */
function asWords({ program, args }: SimpleCommand, { isStrange }: { isStrange: boolean }): string[] {
  const tails = isStrange ? args.slice(0, MAX_TAILS).map((_, at) => args.slice(at).join(' ')) : [];
  return [[program, ...args].join(' '), ...tails];
}

function walkWhole(text: string): Walk {
  const walk = newWalk();
  walkText(text, { walk, scope: newScope(), source: text, via: [], depth: 0, run: walkText });
  return walk;
}

function unparsed(text: string, reason: string): Analysis {
  const finding: Finding = {
    rule: UNPARSED.id,
    threatens: 'unresolved',
    severity: UNPARSED.severity,
    reason,
    part: `${text.slice(0, 200)}…`,
  };
  return { findings: [finding], commands: [] };
}

/** Files and folders made by one text that are remembered; of more, nothing is known. */
const MAX_MADE = 200;

function findingsOf(walk: Walk, options: AnalysisOptions): Finding[] {
  const made: string[] = [];
  return [
    ...walk.commands.flatMap(command => {
      const whole = withPlaces(command, made, options);
      const found = judged(whole);
      if (made.length < MAX_MADE) made.push(...madeBy(whole));
      return found;
    }),
    ...walk.gaps.flatMap(({ rule, part }) => gapFinding(rule, part)),
  ];
}

function withPlaces(command: SimpleCommand, made: readonly string[], options: AnalysisOptions): Judged {
  const { homes = [], ports = [], workdir } = options;
  const at = (path: string): string => asInside(asOurs(locate(path, command.cwd), homes), workdir);
  return {
    ...command,
    reads: readBy(command).map(at),
    writes: (command.written ?? writtenBy(command)).map(at),
    locate: at,
    homes,
    ports,
    made,
    deletes: deletedBy(command).map(deletion => ({ ...deletion, path: at(deletion.path) })),
  };
}

function judged(command: Judged): Finding[] {
  const found: Finding[] = [];
  // Nearly always nothing is found: no list is made for that.
  for (const rule of byProgram.get(command.program) ?? everywhere) {
    const finding = applied(rule, command);
    if (finding) found.push(finding);
  }
  return found;
}

/** Below the working folder by its full name, unless a bare name there means something to more than the work. */
function asInside(located: string, workdir: string | undefined): string {
  const work = workdir === undefined ? undefined : locate(workdir, '/');
  if (work === undefined || isTelling(work)) return located;
  if (located === work) return '.';
  return located.startsWith(`${work}/`) ? `.${located.slice(work.length)}` : located;
}

/** The rules know the folder of Hermes by its usual name. */
function asOurs(located: string, homes: readonly string[]): string {
  const home = homes.find(each => located === each || located.startsWith(`${each}/`));
  return home === undefined ? located : `~/.hermes${located.slice(home.length)}`;
}

function applied(rule: Rule, command: Judged): Finding | undefined {
  const match = rule.matches(command);
  if (match === false || (Array.isArray(match) && match.length === 0)) return undefined;
  const { id, threatens, severity, reason } = rule;
  const shape = rule.shape?.(command);
  const finding: Finding = {
    ...{ rule: id, threatens, severity, reason, part: command.text },
    ...(shape === undefined ? {} : { shape }),
    ...(rule.onlyWith === undefined ? {} : { onlyWith: rule.onlyWith, variables: command.variables }),
  };
  return typeof match === 'boolean' ? finding : { ...finding, paths: [...new Set(match)] };
}

function gapFinding(id: string, part: string): Finding[] {
  const rule = allRules.find(each => each.id === id);
  const gap = gapRules.find(each => each.id === id);
  if (rule)
    return [{ rule: id, threatens: rule.threatens, severity: rule.severity, reason: rule.reason, part }];
  return gap ? [{ rule: id, threatens: 'unresolved', severity: gap.severity, reason: gap.reason, part }] : [];
}

/** The same thing said of the same part is said once. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Map(
    findings.map(finding => [[finding.rule, finding.part, ...(finding.paths ?? [])].join('\0'), finding]),
  );
  return [...seen.values()];
}
