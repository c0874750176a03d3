// Words that lead a program to files which others may have put there: settings, plugins, rules. What is loaded is run.
import { zoneOf } from '../paths.ts';
import type { Judged } from '../rules/rule.ts';
import type { Shape } from './shape.ts';

/** Where results may go. */
const OUTPUT =
  /^-{0,2}(?:o|out\w*|output[\w-]*|DESTDIR|PREFIX|target-dir|junit\w*|cov-report|log[\w-]*|cache[\w-]*|basetemp|report\w*|coverage\w*|DCMAKE_INSTALL_PREFIX\w*|out-dir|dist-dir|dest\w*|pack-destination|d|site-dir|GOBIN|tmpdir|user-data-dir|bindir|DataDir)$/;
/** Of clients: what a copy is called, a key to log in with, what is written along. */
const CLIENT_FILE = /^-{1,2}(?:write-out|w|i|f|key|cert|dump-header|c|cookie-jar|b|cookie|O|P)$/;
const FOREIGN = /^(?:temp|device|unknown)$/;

/** For some the folder they install to, for npm the one it works in. */
const isOutput = (flag: string, program: string): boolean =>
  OUTPUT.test(flag) || (flag === '--prefix' && program !== 'npm');

/** Most words cannot lead there, whatever folder they start from. */
const mayBeForeign = (arg: string): boolean => /tmp|\/dev\/|folders|\.\.\/|\uE000/.test(arg);

/** No word at all leads there. */
export const staysInProject: Shape = (args, command) =>
  !args.some(mayBeForeign) ||
  args.every((_, at) => {
    const path = pathAt(args, at, command);
    return path === undefined || !FOREIGN.test(zoneOf(command.locate(path)));
  });

const CLIENT = /^(?:curl|wget2?|http|https|xh|aria2c|ssh|scp|sftp|ssh-keygen|tcpdump|tshark|openssl|gpg2?)$/;

/** No flag leads there; other words may, and are judged by what the program does with them. */
export const loadsNothingForeign: Shape = (args, command) =>
  !args.some(mayBeForeign) ||
  args.every((arg, at) => {
    const isOfFlag = arg.startsWith('-') || /^-/.test(args[at - 1] ?? '');
    const isFile = CLIENT_FILE.test(arg.split('=', 1)[0] ?? '') || CLIENT_FILE.test(args[at - 1] ?? '');
    const path =
      isOfFlag && !(isFile && CLIENT.test(command.program)) ? pathAt(args, at, command) : undefined;
    return path === undefined || zoneOf(command.locate(path)) !== 'temp';
  });

/** The path that a word is or brings; undefined where there is none, or where it is a result. */
function pathAt(args: readonly string[], at: number, { program }: Judged): string | undefined {
  const arg = args[at] ?? '';
  const [name = '', ...value] = arg.split('=');
  const path =
    value.length > 0 && !/^[~/.]/.test(name)
      ? value.join('=')
      : arg.replace(/^(?:-[A-Za-z]|(?:file|link|portal):(?:\/\/)?)(?=[~/])/, '');
  const isResult =
    isOutput(value.length > 0 ? name : (args[at - 1] ?? ''), program) || /^-(?:o|d)[~/]/.test(arg);
  return /^(?:~|\/|\.\.\/)/.test(path) && !isResult ? path : undefined;
}
