// What a command prints, where its words alone tell: `echo`, `printf`, decoders of what they print, and a few that ask the machine.
import { flagValues, hasFlag, isUnknown, operands, type SimpleCommand, UNKNOWN } from '../command.ts';
import { unescaped } from '../unescape.ts';

type Printer = (command: SimpleCommand) => string | undefined;

const MAX_TEXT = 64 * 1024;

/** Undefined when nobody knows; parts that are not known are UNKNOWN. */
export function outputOf(command: SimpleCommand): string | undefined {
  const printer = PRINTERS.get(command.program);
  const text = printer?.(command);
  return text !== undefined && text.length <= MAX_TEXT ? text : undefined;
}

/** Programs that turn unreadable text into what was hidden in it. */
export function isDecoder({ program, args }: SimpleCommand): boolean {
  if (['base64', 'base32', 'basenc', 'gbase64'].includes(program))
    return hasFlag({ args }, 'd', 'D', 'decode');
  if (program === 'xxd') return hasFlag({ args }, 'r');
  if (program === 'openssl') return args.includes('-d');
  if (['gzip', 'xz', 'bzip2', 'zstd', 'lz4'].includes(program)) return hasFlag({ args }, 'd', 'decompress');
  return ['rev', 'gunzip', 'zcat', 'bunzip2', 'bzcat', 'xzcat', 'unxz', 'uudecode', 'tr', 'gpg'].includes(
    program,
  );
}

function echoed({ args }: SimpleCommand): string {
  const rest = [...args];
  let isEscaped = false;
  while (/^-[neE]+$/.test(rest[0] ?? '')) isEscaped = (rest.shift() ?? '').includes('e') || isEscaped;
  const text = rest.join(' ');
  return isEscaped ? unescaped(text) : text;
}

function printed({ args }: SimpleCommand): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  if (args[0] === '-v') return '';
  const once = (): string =>
    unescaped(format).replace(/%(?:%|-?\d*([sbcdqx]))/g, (all, kind) =>
      kind ? (kind === 'b' ? unescaped(values.shift() ?? '') : (values.shift() ?? '')) : all.slice(1),
    );
  let text = once();
  // The format is used again as long as there are values left.
  for (let rounds = 0; values.length > 0 && /%[^%]/.test(format) && rounds < 64; rounds++) text += once();
  return text;
}

function passedOn(command: SimpleCommand): string | undefined {
  return command.input?.text;
}

function printedFile(command: SimpleCommand): string | undefined {
  const paths = operands(command).filter(path => path !== '-');
  return paths.length === 0 ? passedOn(command) : paths.length === 1 ? command.opened?.text : undefined;
}

function decoded(encoding: 'base64' | 'hex'): Printer {
  return command => {
    const text = command.opened?.text ?? command.input?.text;
    if (text === undefined || !isDecoder(command)) return undefined;
    return isUnknown(text) ? UNKNOWN : Buffer.from(text.replace(/\s/g, ''), encoding).toString('utf8');
  };
}

function translated({ args, input }: SimpleCommand): string | undefined {
  if (input?.text === undefined) return undefined;
  const [from = '', to] = operands({ args }).map(unfolded);
  if (hasFlag({ args }, 'd', 'delete')) return [...input.text].filter(char => !from.includes(char)).join('');
  if (to === undefined) return input.text;
  return [...input.text]
    .map(char => (from.includes(char) ? (to[Math.min(from.indexOf(char), to.length - 1)] ?? '') : char))
    .join('');
}

function unfolded(set: string): string {
  const classes = set
    .replace('[:upper:]', 'A-Z')
    .replace('[:lower:]', 'a-z')
    .replace(/\[:space:\]/, ' \n\t');
  return unescaped(classes).replace(/([A-Za-z0-9])-([A-Za-z0-9])/g, (_, a: string, b: string) => {
    const [start, end] = [a.charCodeAt(0), b.charCodeAt(0)];
    return Array.from({ length: Math.max(0, end - start + 1) }, (_item, at) =>
      String.fromCharCode(start + at),
    ).join('');
  });
}

/** The names that a search prints all begin with where it starts. */
function listed({ program, args }: SimpleCommand): string {
  const paths =
    program === 'find'
      ? args.slice(
          0,
          Math.max(
            0,
            args.findIndex(arg => /^[-(!]/.test(arg)),
          ),
        )
      : operands({ args });
  const starts = paths.length > 0 ? paths : ['.'];
  const [name] = program === 'find' ? flagValues({ args }, 'name', 'iname', 'wholename', 'path') : [];
  const found = name === undefined ? UNKNOWN : `${UNKNOWN}/${name.replace(/^(?:\*?\/)+/, '')}`;
  return starts.map(path => `${path.replace(/\/+$/, '')}/${found}`).join('\n');
}

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['echo', echoed],
  ['printf', printed],
  ['cat', printedFile],
  ['tee', passedOn],
  ['base64', decoded('base64')],
  ['gbase64', decoded('base64')],
  ['openssl', decoded('base64')],
  ['xxd', decoded('hex')],
  [
    'rev',
    ({ input }) =>
      input?.text
        ?.split('\n')
        .map(line => [...line].reverse().join(''))
        .join('\n'),
  ],
  ['tac', passedOn],
  ['tr', translated],
  ['pwd', ({ cwd }) => cwd],
  ['which', ({ args }) => args[0]],
  ['type', ({ args }) => args.at(-1)],
  ['command', ({ args }) => (/^-[vV]/.test(args[0] ?? '') ? args[1] : undefined)],
  ['mktemp', () => '/tmp/mktemp'],
  ['whoami', () => 'user'],
  ['id', () => '1000'],
  // Its format is text that comes out as it stands.
  [
    'date',
    ({ args }) => (args.find(arg => arg.startsWith('+'))?.slice(1) ?? '2000').replace(/%[-_0^#]?\w/g, '20'),
  ],
  ['nproc', () => '4'],
  ['uname', () => 'Linux'],
  ['hostname', () => 'host'],
  ['basename', ({ args }) => args[0]?.replace(/\/+$/, '').split('/').at(-1)],
  ['dirname', ({ args }) => args[0]?.replace(/\/+[^/]*\/*$/, '') || '.'],
  ['realpath', ({ args }) => operands({ args })[0]],
  ['readlink', ({ args }) => operands({ args })[0]],
  ['find', listed],
  ['fd', () => `./${UNKNOWN}`],
  ['ls', listed],
  [
    'git',
    ({ args }) =>
      args.includes('--show-toplevel') ? '.' : args[0] === 'ls-files' ? `./${UNKNOWN}` : undefined,
  ],
]);
