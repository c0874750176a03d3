// Passwords that well-known programs take behind a short flag. Long flags with a telling name are assignments.
import { isPlaceholder } from './placeholder.ts';
import { isWordStart, RANK, type Shape } from './shape.ts';
import { matchAt } from './sticky.ts';

/** What may stand between a program and its flag: the same command, on the same line. */
const WORDS = '[^\\r\\n|;&]{0,300}?[ \\t]';
const WORD = '(?:"([^"\\r\\n]{1,500})"|\'([^\'\\r\\n]{1,500})\'|([^\\s"\'|;&<>]{1,500}))';

const PROGRAMS: readonly (readonly [programs: readonly string[], flag: string])[] = [
  // `-p` alone asks; only what is written without a space is a password.
  [['mysql', 'mariadb'], `(?:dump|admin|import|show|check)?(?=[ \\t])${WORDS}-p${WORD}`],
  [['sshpass'], `[ \\t]+-p[ \\t]*${WORD}`],
  [
    ['curl', 'wget'],
    `(?=[ \\t])${WORDS}(?:-[a-zA-Z]{0,5}u|--user|--proxy-user|-U)[ \\t=]*["']?[^\\s:"'|;&/]{1,200}:()()([^\\s"'|;&]{1,500})`,
  ],
  [
    ['http', 'https'],
    `(?=[ \\t])${WORDS}(?:-a|--auth)[ \\t=]*["']?[^\\s:"'|;&/]{1,200}:()()([^\\s"'|;&]{1,500})`,
  ],
  [['az login'], `(?=[ \\t])${WORDS}-p[ \\t=]+${WORD}`],
  [['zip'], `(?=[ \\t])${WORDS}-P[ \\t]*${WORD}`],
  [['ssh-keygen'], `(?=[ \\t])${WORDS}-[NP][ \\t]+${WORD}`],
  [['htpasswd'], `[ \\t]+-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \\t]+[^\\s]{1,200}[ \\t]+[^\\s]{1,200}[ \\t]+${WORD}`],
  [
    ['machine', 'default'],
    `[ \\t](?:[^\\s]{1,200}[ \\t]+)?login[ \\t]+[^\\s]{1,200}[ \\t]+password[ \\t]+${WORD}`,
  ],
  [['redis-cli'], `(?=[ \\t])${WORDS}-a[ \\t]+${WORD}`],
  [
    ['docker', 'podman', 'helm', 'buildah', 'skopeo'],
    `(?:[ \\t]registry)?[ \\t]login(?=[ \\t])${WORDS}-p[ \\t=]+${WORD}`,
  ],
  [['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapwhoami'], `(?=[ \\t])${WORDS}-w[ \\t]*${WORD}`],
  [['smbclient', 'rpcclient'], `(?=[ \\t])${WORDS}-U[ \\t]*["']?[^\\s%"']{1,100}%()()([^\\s"'|;&]{1,500})`],
  [['mongosh', 'mongodump', 'mongorestore', 'sqlcmd'], `(?=[ \\t])${WORDS}-[pP][ \\t]+${WORD}`],
  [['openssl'], `(?=[ \\t])${WORDS}-pass(?:in|out)?[ \\t]+["']?pass:()()([^\\s"'|;&]{1,500})`],
];

/** A line of `.pgpass`: host, port, database, user and password. In files of users numbers stand there. */
const PGPASS =
  /^[^\s:#"'=/]{1,253}:(?:\d{2,5}|\*):[^\s:"'/]{1,128}:(?!-?\d+:)[^\s:"'/]{1,128}:((?:[^\s:"'\\]|\\.){4,500})[ \t]*$/;
const LONGEST_PGPASS = 1200;
const LONGEST_HOST = 254;

const pgpass: Shape = {
  anchors: [':5432:', ':5433:', ':6432:', ':*:'],
  letters: 'exact',
  find(text, at) {
    const before = /[^\r\n]*$/.exec(text.slice(Math.max(0, at - LONGEST_HOST), at))?.[0] ?? '';
    if (before.length === 0 || before.length === LONGEST_HOST) return [];
    const start = at - before.length;
    const [line = ''] = /^[^\r\n]*/.exec(text.slice(start, start + LONGEST_PGPASS)) ?? [];
    const value = PGPASS.exec(line)?.[1];
    if (value === undefined || isPlaceholder(value)) return [];
    const end = start + line.trimEnd().length;
    return [{ start: end - value.length, end, kind: 'password', rank: RANK.named }];
  },
};

export const commandLines: readonly Shape[] = [...PROGRAMS.map(shapeOf), pgpass];

function shapeOf([programs, flag]: (typeof PROGRAMS)[number]): Shape {
  const pattern = new RegExp(`(?:${programs.join('|')})${flag}`, 'y');
  return {
    anchors: programs,
    letters: 'exact',
    find(text, at) {
      if (!isWordStart(text, at)) return [];
      const [whole, double, single, bare] = matchAt(pattern, text, at) ?? [];
      const value = bare || double || single;
      if (whole === undefined || value === undefined || isPlaceholder(value)) return [];
      const end = at + whole.length - (bare ? 0 : 1);
      return [{ start: end - value.length, end, kind: 'password', rank: RANK.named }];
    },
  };
}
