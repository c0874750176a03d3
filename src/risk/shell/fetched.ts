// Folders that came from elsewhere: a cloned repository, an archive that was fetched and unpacked.
import { flagValues, type Input, operands, type SimpleCommand } from '../command.ts';
import { locate } from '../paths.ts';
import type { Scope } from './scope.ts';
import { isFetching } from './sources.ts';

const CLONE_VALUED = [
  ...'bocuj',
  'branch',
  'origin',
  'config',
  'depth',
  'reference',
  'template',
  'upload-pack',
  'jobs',
];
const ARCHIVE = /\.(?:tar(?:\.\w+)?|t[gbxz]z2?|zip|7z)$/i;

/** Keeps in mind what a command has fetched as a folder. */
export function rememberFolder(command: SimpleCommand, scope: Scope): void {
  const path = clonedTo(command) ?? unpackedTo(command);
  if (path === undefined) return;
  const sources = [...(command.opened?.sources ?? []), ...(command.input?.sources ?? []), command];
  scope.folders.set(locate(path, command.cwd), { sources });
}

function clonedTo({ program, args }: SimpleCommand): string | undefined {
  const at = args.indexOf('clone');
  if (at === -1 || (program !== 'git' && program !== 'gh' && program !== 'hg')) return undefined;
  const above = program === 'git' ? flagValues({ args: args.slice(0, at) }, 'C') : [];
  const [from, to] = operands({ args: args.slice(at + 1) }, CLONE_VALUED);
  const name = from
    ?.replace(/\/+$/, '')
    .split(/[/:]/)
    .at(-1)
    ?.replace(/\.git$/, '');
  const folder = to ?? name;
  return folder === undefined || folder.startsWith('/') ? folder : [...above, folder].join('/');
}

/** The folder that is named, or else one with the archive's name. */
function unpackedTo(command: SimpleCommand): string | undefined {
  const { program, args, input, opened } = command;
  const sources = [...(opened?.sources ?? []), ...(input?.sources ?? [])];
  if (!['tar', 'bsdtar', 'unzip', '7z'].includes(program) || !sources.some(isFetching)) return undefined;
  const [named] = flagValues(command, 'C', 'directory', 'd');
  if (named !== undefined) return named;
  const words = [...args, ...sources.flatMap(source => source.args)];
  return words
    .find(word => ARCHIVE.test(word))
    ?.split(/[/=]/)
    .at(-1)
    ?.replace(ARCHIVE, '');
}

/** What the script itself has put at this path, or in a folder above it. */
export function contentOf(located: string, { files, folders }: Scope): Input | undefined {
  const own = files.get(located);
  if (own || folders.size === 0) return own;
  for (let at = located.lastIndexOf('/'); at > 0; at = located.lastIndexOf('/', at - 1)) {
    const whole = folders.get(located.slice(0, at));
    if (whole) return whole;
  }
  return undefined;
}
