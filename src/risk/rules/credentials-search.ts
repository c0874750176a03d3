// Searching the machine for keys, by their names or by what stands in them.
import { flagValues, hasFlag, operands } from '../command.ts';
import type { Judged, Rule } from './rule.ts';
import { SECRET_WORD } from './secret-word.ts';

const KEY_NAME =
  /(?:id_(?:rsa|dsa|ed25519|\*)|\.pem|\.key\b|\.env\b|credentials|\.kdbx|wallet|\.ppk|shadow|\.p12|\.pfx|password|secret|history|\.npmrc|authorized_keys)/i;
/** They go into folders without being told to. */
const DESCENDS = new Set(['rg', 'ag', 'ack']);

/** A home, the whole machine, or where its settings and processes are. */
function isWide(path: string): boolean {
  const bare = path.replace(/(.)\/$/, '$1');
  return (
    /^(?:\/|~|\$HOME|\/home|\/etc|\/root|\/var|\/Users|~\/.*)$/.test(bare) ||
    /^\/(?:etc|home|root|var\/www|proc)(?:\/|$)/.test(path)
  );
}

function looksForNames({ program, args }: Judged): boolean {
  const isFar =
    program === 'locate' ||
    args.some(arg => /^(?:\/|~|\/home|\/root|\/etc|\/Users)\/?/.test(arg) && !/^\/(?:tmp|usr)/.test(arg));
  return isFar && args.some(arg => KEY_NAME.test(arg) && !arg.startsWith('-'));
}

/** A pattern that asks for secrets, or one that nearly every line answers to, so that key files are printed too. */
function looksForContent(command: Judged): boolean {
  const { program, args } = command;
  if (!DESCENDS.has(program) && !hasFlag(command, 'r', 'R', 'recursive')) return false;
  const given = flagValues(command, 'e', 'regexp');
  const words = operands(command, ['e', 'A', 'B', 'C', 'm', 'include', 'exclude']);
  const patterns = given.length > 0 ? given : words.slice(0, 1);
  const places = given.length > 0 ? words : words.slice(1);
  const isOpen = patterns.some(pattern => pattern.replace(/\\\w|[^\p{L}\p{N}]/gu, '').length < 2);
  return (isOpen || SECRET_WORD.test(args.join(' '))) && places.some(isWide);
}

export const searchRule: Rule = {
  id: 'credentials.search',
  threatens: 'credentials',
  severity: 'medium',
  reason: 'Searches the machine for keys and passwords.',
  programs: ['find', 'fd', 'locate', 'grep', 'egrep', 'rg', 'ag', 'ack', 'trufflehog', 'gitleaks'],
  matches: command =>
    ['find', 'fd', 'locate'].includes(command.program) ? looksForNames(command) : looksForContent(command),
  positive: [
    'find / -name id_rsa',
    'find /home -name "*.pem" 2>/dev/null',
    'grep -ri password /etc',
    'grep -rE "api_key|secret" ~',
    'grep -r . ~',
    'grep -rh "" /root',
    'rg token ~',
    'rg -e . /etc',
    'locate wallet.dat',
  ],
  negative: [
    'find . -name "*.pem"',
    'grep -r password src',
    'grep -rn token .',
    'grep -r . src',
    'grep -r TODO ~/project',
    'rg listen /etc/nginx',
    'find / -name "*.conf"',
    'rg secret docs',
  ],
};
