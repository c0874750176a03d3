// Passwords that well-known programs take behind a short flag. Long flags with a telling name are assignments.
import { pipedPasswords } from './piped-passwords.ts';
import { isPlaceholder } from './placeholder.ts';
import { isWordStart, RANK, type Shape, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

const WORD = '(?:"([^"\\r\\n]{1,500})"|\'([^\'\\r\\n]{1,500})\'|([^\\s"\'|;&<>]{1,500}))';
const LOGIN = '["\']?[^\\s:"\'|;&/]{1,200}:()()([^\\s"\'|;&]{1,500})';

interface Program {
  readonly names: readonly string[];
  /** What follows the name directly. */
  readonly lead?: string;
  /** A flag with its value, behind a space somewhere in the same command. Absent = `lead` has the value. */
  readonly flag?: string;
  /** The names are flags themselves, of any program. */
  readonly isFlag?: true;
}

const PROGRAMS: readonly Program[] = [
  // `-p` alone asks; only what is written without a space is a password.
  { names: ['mysql', 'mariadb'], lead: '(?:dump|admin|import|show|check)?', flag: `-p${WORD}` },
  { names: ['sshpass'], lead: `[ \\t]{1,8}-p[ \\t]{0,8}${WORD}` },
  {
    names: ['curl', 'wget'],
    flag: `(?:-[a-zA-Z]{0,5}u|--user|--proxy-user|-U)[ \\t=]{0,8}${LOGIN}`,
  },
  { names: ['http', 'https'], flag: `(?:-a|--auth)[ \\t=]{0,8}${LOGIN}` },
  { names: ['az login'], flag: `-p[ \\t=]{1,8}${WORD}` },
  { names: ['zip', 'unzip'], flag: `-P[ \\t]{0,8}${WORD}` },
  {
    names: ['7z a', '7z x', '7z e', '7z l', '7z t', '7za', '7zr', 'unrar', 'rar a', 'rar x'],
    flag: `-p${WORD}`,
  },
  { names: ['ssh-keygen'], flag: `-[NP][ \\t]{1,8}${WORD}` },
  {
    names: ['htpasswd'],
    lead: `[ \\t]{1,8}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \\t]{1,8}[^\\s]{1,200}[ \\t]{1,8}[^\\s]{1,200}[ \\t]{1,8}${WORD}`,
  },
  {
    names: ['machine', 'default'],
    lead: `[ \\t](?:[^\\s]{1,200}[ \\t]{1,8})?login[ \\t]{1,8}[^\\s]{1,200}[ \\t]{1,8}password[ \\t]{1,8}${WORD}`,
  },
  { names: ['redis-cli'], flag: `-a[ \\t]{1,8}${WORD}` },
  {
    names: ['docker', 'podman', 'helm', 'buildah', 'skopeo'],
    lead: '(?:[ \\t]registry)?[ \\t]login',
    flag: `-p[ \\t=]{1,8}${WORD}`,
  },
  { names: ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapwhoami'], flag: `-w[ \\t]{0,8}${WORD}` },
  {
    names: ['smbclient', 'rpcclient'],
    flag: `-U[ \\t]{0,8}["']?[^\\s%"']{1,100}%()()([^\\s"'|;&]{1,500})`,
  },
  { names: ['mongosh', 'mongodump', 'mongorestore', 'sqlcmd'], flag: `-[pP][ \\t]{1,8}${WORD}` },
  {
    names: ['openssl'],
    lead: '[ \\t]{1,4}(?:enc|aes|aria|bf|camellia|cast|chacha20|des|rc[245]|seed|sm4)[\\w-]{0,20}',
    flag: `-[kK][ \\t]{1,8}${WORD}`,
  },
  { names: ['openssl'], flag: `-hmac[ \\t]{1,8}${WORD}` },
  {
    names: ['storepass', 'keypass', 'srcstorepass', 'deststorepass', 'srckeypass', 'destkeypass'],
    lead: `[ \\t]{1,8}${WORD}`,
    isFlag: true,
  },
  { names: ['openssl'], flag: `-pass(?:in|out)?[ \\t]{1,8}["']?pass:()()([^\\s"'|;&]{1,500})` },
];
/** A flag may stand so far behind its program, */
const LONGEST_COMMAND = 300;
/** in the same command. */
const COMMAND_END = /[\r\n|;&]/g;

/** A line of `.pgpass`: host, port, database, user and password. In files of users numbers stand there. */
const PGPASS =
  /^[^\s:#"'=/]{1,253}:(?:\d{2,5}|\*):[^\s:"'/]{1,128}:(?!-?\d+:)[^\s:"'/]{1,128}:((?:[^\s:"'\\]|\\.){4,500})[ \t]*$/;
const LINE = /[^\r\n]{0,1200}/y;
/** Of a look at one, in steps. */
const PRICE = 500;
const LONGEST_HOST = 254;

const pgpass: Shape = {
  anchors: [':5432:', ':5433:', ':6432:', ':*:'],
  letters: 'exact',
  find(text, at, scan) {
    let start = at;
    while (start > 0 && at - start < LONGEST_HOST && !/[\s:]/.test(text.charAt(start - 1))) start--;
    if (start === at || at - start === LONGEST_HOST || !/[\r\n]|^$/.test(text.charAt(start - 1))) return [];
    const line = matchAt(LINE, text, start)?.[0] ?? '';
    scan.spend(PRICE + 2 * line.length);
    const value = PGPASS.exec(line)?.[1];
    if (value === undefined || isPlaceholder(value)) return [];
    const end = start + line.trimEnd().length;
    return [{ start: end - value.length, end, kind: 'password', rank: RANK.named }];
  },
};

export const commandLines: readonly Shape[] = [...PROGRAMS.map(shapeOf), pgpass, pipedPasswords];

function shapeOf({ names, lead = '', flag, isFlag }: Program): Shape {
  const head = new RegExp(`(?:${names.join('|')})${lead}${flag ? '(?=[ \\t])' : ''}`, 'y');
  const search = flag && new RegExp(`[ \\t]${flag}`, 'g');
  return {
    anchors: names,
    letters: 'exact',
    find(text, at, scan) {
      if (isFlag ? text.charAt(at - 1) !== '-' : !isWordStart(scan, at)) return [];
      const found = matchAt(head, text, at);
      if (!found) return [];
      if (!search) return valueIn(found, at);
      const from = at + found[0].length;
      const near = scan.nextMatch(search, from, LONGEST_COMMAND);
      const end = near && scan.nextMatch(COMMAND_END, from, LONGEST_COMMAND);
      return near && !(end && end.at < near.at) ? valueIn(near.match, near.at) : [];
    },
  };
}

/** The value is the last thing in what was found, but for its quote. */
function valueIn([whole, double, single, bare]: RegExpExecArray, at: number): readonly Span[] {
  const value = bare || double || single;
  if (value === undefined || isPlaceholder(value)) return [];
  const end = at + whole.length - (bare ? 0 : 1);
  return [{ start: end - value.length, end, kind: 'password', rank: RANK.named }];
}
