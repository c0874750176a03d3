// What "for this session" covers: the same rule on the same kind of target, and nothing else of its family. Pure.
import type { Finding } from '../risk/finding.ts';

export interface Grant {
  readonly rule: string;
  readonly target: string;
}

export function grantOf(finding: Finding): Grant {
  return { rule: finding.rule, target: targetOf(finding) };
}

export function isGranted(finding: Finding, grants: readonly Grant[]): boolean {
  const { rule, target } = grantOf(finding);
  return grants.some(grant => grant.rule === rule && grant.target === target);
}

/**
 * Where it is about files, the places they are in; where something is sent or fetched, the addresses and all that leads there:
 * every flag but those that are known to change nothing, every variable, every other program. Everything else word for word.
 */
function targetOf({ threatens, paths = [], part }: Finding): string {
  const isSent = threatens === 'network';
  if (isSent && hostsOf(part).length === 0) return wordsOf(part);
  const places = [...new Set(paths.map(placeOf))].toSorted();
  if (places.length === 0 && !isSent) return wordsOf(part);
  return [...places, ...(isSent ? [...leadingWords(part), ...hostsOf(part)] : [])].join(' ');
}

function wordsOf(part: string): string {
  return part.trim().replace(/\s+/g, ' ');
}

/** With their ports: of addresses, and of `host:path` as scp and rsync have it. */
function hostsOf(text: string): readonly string[] {
  const addresses = text.matchAll(/\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([^\s/'"?#]+)/gi);
  const remote = text.matchAll(/(?:^|\s)(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/g);
  return [...new Set([...addresses, ...remote].map(([, host = '']) => host.toLowerCase()))].toSorted();
}

/** Of web clients: how much is said, how long is waited, what the copy is called. `wget -i` reads addresses. */
const QUIET =
  /^(?:-[sSfLvqI#46]+|--(?:silent|show-error|fail|location|verbose|quiet|compressed|progress-bar|no-progress-meter|include|no-verbose|show-progress|tlsv1\.[23]|proto-default))$/;
const QUIET_VALUED =
  /^(?:-[owm]|-[sSfLv]+o|--(?:output|write-out|max-time|retry|retry-delay|connect-timeout|output-document|timeout|tries))$/;
/** Their value is a file, which is known by its place, or names one behind an `@`. */
const SENDS_FILE = /^(?:-T|--(?:upload-file|post-file|body-file))$/;
const SENDS_DATA = /^(?:-[Fd]|--(?:form|data|data-binary|data-urlencode|json))$/;
const namesFile = (value: string): boolean => /^["']?(?:[\w-]+=)?@[\w./~-]+["']?$/.test(value);

/** All that is neither an address nor a file nor a flag that changes nothing. */
function leadingWords(part: string): readonly string[] {
  const words = part.trim().match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  const isWeb = /^(?:curl|wget)$/.test(words.find(word => !/^\w+=/.test(word)) ?? '');
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const isFlag = word.startsWith('-') && word !== '-';
    if (isFlag && isWeb && QUIET.test(word)) continue;
    if (isFlag && isWeb && QUIET_VALUED.test(word)) at++;
    else if (isFlag && isWeb && sendsFile(word, words[at + 1])) at++;
    else if (isFlag || isAssignment(word)) kept.push(word);
    // Behind a flag that is not known, the next word may be its value.
    else if (/^-/.test(words[at - 1] ?? '') && !isQuietFlag(words[at - 1] ?? '', isWeb)) kept.push(word);
    // Any word of theirs may be an address.
    else if (isWeb ? !isAddress(word) : !isTarget(word)) kept.push(word);
  }
  return kept;
}

function sendsFile(flag: string, value = ''): boolean {
  return SENDS_FILE.test(flag) || (SENDS_DATA.test(flag) && namesFile(value));
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}

function isQuietFlag(word: string, isWeb: boolean): boolean {
  return isWeb && (SENDS_FILE.test(word) || QUIET.test(word) || QUIET_VALUED.test(word));
}

const isAddress = (word: string): boolean => /^["']?[a-z][a-z0-9+.-]*:\/\//i.test(word);

/** An address, `host:path`, or a file. */
function isTarget(word: string): boolean {
  const plain = word.replace(/^["']|["']$/g, '');
  return isAddress(plain) || /^(?:[\w.-]+@)?[\w.-]+:/.test(plain) || /^[@~./]|[\w-]\.\w+$|\//.test(plain);
}

/** Folders whose children have nothing in common. */
const WIDE =
  /^(?:|~|\.{1,2}(?:\/\.{1,2})*|\/(?:root|home|Users|srv|opt|mnt|media|var|tmp)|\/(?:home|Users)\/[^/]+)$/;
const OF_THE_SYSTEM = /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|run|var)(?:\/|$)/;

/** The folder of an ordinary file far enough down; else the path itself, and nothing beside or above it. */
function placeOf(path: string): string {
  const folder = path.replace(/\/[^/]*$/, '');
  const isPlain = /^[\w./~@+-]+$/.test(path) && !/(?:^|\/)\.\.?(?:\/|$)/.test(path.slice(2));
  const isHidden = /(?:^|\/)\.[^./]/.test(path);
  if (!isPlain || isHidden || WIDE.test(folder) || OF_THE_SYSTEM.test(path)) return path;
  return `${folder}/`;
}
