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

export const commandLines: readonly Shape[] = PROGRAMS.map(shapeOf);

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
