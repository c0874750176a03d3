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
 * Where it is about files, the places they are in, and where something is sent, the addresses too; code from an address is
 * granted by that address; everything else word for word.
 */
function targetOf({ threatens, paths = [], part }: Finding): string {
  const hosts = hostsOf(part);
  const isSent = threatens === 'network';
  if (isSent && hosts.length === 0) return wordsOf(part);
  const places = [...new Set(paths.map(placeOf))].toSorted();
  if (places.length === 0 && !isSent) return wordsOf(part);
  return [...(isSent ? [wordsOf(part).split(' ', 1)[0]] : []), ...places, ...(isSent ? hosts : [])].join(' ');
}

function wordsOf(part: string): string {
  return part.trim().replace(/\s+/g, ' ');
}

/** Of addresses, and of `host:path` as scp and rsync have it. */
function hostsOf(text: string): readonly string[] {
  const addresses = text.matchAll(/\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:'"]+)/gi);
  const remote = text.matchAll(/(?:^|\s)(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/g);
  return [...new Set([...addresses, ...remote].map(([, host = '']) => host.toLowerCase()))].toSorted();
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
