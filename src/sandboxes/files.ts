// Files of a sandbox, as bytes, over its shell channel: alike on every backend, and never through a path of the host.
import { readFile } from 'node:fs/promises';
import { HermesError } from '../base/errors.ts';
import { writePrivateFile } from '../base/private-files.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { Channel } from './channel/channel.ts';
import type { ExecResult } from './result.ts';

export interface FileInfo {
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly modifiedMs: number;
}

export interface ListedFile extends FileInfo {
  readonly name: string;
}

/** Larger files are refused rather than half read. */
const LARGEST_FILE = 512 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

// The scripts end with these, so that the reason need not be read from a message.
const MISSING = 90;
const FOLDER = 91;
const DENIED = 92;
const SPECIAL = 93;

/** Tells a folder on the way that may not be entered from one that is not there. */
const REACH = `d=$p
while [[ $d == */* && \${d%/*} ]]; do d=\${d%/*}; [[ -d $d ]] && { [[ -x $d ]] || exit ${DENIED}; break; }; done`;

const TYPES: Readonly<Record<number, FileInfo['type']>> = { 8: 'file', 4: 'folder', 10: 'link' };

export class Files {
  readonly #channel: Channel;
  readonly #absolute: (path: string) => string;

  constructor(channel: Channel, absolute: (path: string) => string) {
    this.#channel = channel;
    this.#absolute = absolute;
  }

  /** It may grow while it is read, and never more of it is taken than this. */
  async read(path: string, most = LARGEST_FILE): Promise<Uint8Array> {
    const script = `p=${this.#quoted(path)}
${REACH}
[[ -e $p ]] || exit ${MISSING}
[[ -d $p ]] && exit ${FOLDER}
[[ -f $p ]] || exit ${SPECIAL}
[[ -r $p ]] || exit ${DENIED}
exec head -c ${most + 1} -- "$p"`;
    const result = await this.#run(script, path);
    if (result.stdoutTotal > most) throw refused(path, `it is larger than ${most} bytes`);
    return result.stdoutBytes;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const script = `p=${this.#quoted(path)}
[[ -d $p ]] && exit ${FOLDER}
[[ -e $p && ! -f $p ]] && exit ${SPECIAL}
mkdir -p -- "\${p%/*}/" || exit 1
[[ -w $p || ( ! -e $p && -w \${p%/*}/ ) ]] || exit ${DENIED}
exec cat >"$p"`;
    await this.#run(script, path, bytes);
  }

  async stat(path: string): Promise<FileInfo> {
    const script = `p=${this.#quoted(path)}
[[ -e $p || -L $p ]] || exit ${MISSING}
stat -c '%f %s %Y' -- "$p" 2>/dev/null || stat -f '%Xp %z %m' -- "$p"`;
    return parseInfo((await this.#run(script, path)).stdout.trim());
  }

  async list(path: string): Promise<readonly ListedFile[]> {
    const script = `p=${this.#quoted(path)}
[[ -e $p ]] || exit ${MISSING}
[[ -d $p ]] || exit ${FOLDER}
cd -- "$p" 2>/dev/null && [[ -r . ]] || exit ${DENIED}
shopt -s dotglob nullglob
names=(*)
((\${#names[@]})) || exit 0
for ((at = 0; at < \${#names[@]}; at += 500)); do
  some=("\${names[@]:at:500}")
  stat -c '%f %s %Y' -- "\${some[@]}" 2>/dev/null || stat -f '%Xp %z %m' -- "\${some[@]}" || exit 1
done
printf '%s\\0' "\${names[@]}"`;
    const { stdout } = await this.#run(script, path);
    // The names may contain anything but NUL, newlines included, so they come last; one line for each stands before.
    const count = stdout.split('\0').length - 1;
    const lines = stdout.split('\n', count);
    const names = stdout.slice(lines.reduce((length, line) => length + line.length + 1, 0)).split('\0');
    return lines.map((line, at) => ({ name: names[at] ?? '', ...parseInfo(line) }));
  }

  async upload(hostPath: string, path: string): Promise<void> {
    await this.write(path, await readHostFile(hostPath));
  }

  async download(path: string, hostPath: string): Promise<void> {
    const bytes = await this.read(path);
    try {
      await writePrivateFile(hostPath, bytes);
    } catch (error) {
      throw hostFailure(hostPath, error);
    }
  }

  #quoted(path: string): string {
    if (path.includes('\0'))
      throw new HermesError('USAGE_BAD_ARGUMENTS', 'A path cannot contain a NUL byte.');
    return shellQuote(this.#absolute(path));
  }

  async #run(script: string, path: string, stdin?: Uint8Array): Promise<ExecResult> {
    const result = await this.#channel.run(script, {
      mode: 'once',
      keepBytes: LARGEST_FILE,
      timeoutMs: TIMEOUT_MS,
      ...(stdin === undefined ? {} : { stdin }),
    });
    if (result.outcome === 'exited' && result.exitCode === 0) return result;
    throw failure(path, result);
  }
}

async function readHostFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw hostFailure(path, error);
  }
}

function hostFailure(path: string, error: unknown): HermesError {
  const reason = error instanceof Error ? error.message : String(error);
  return new HermesError('USAGE_HOST_FILE', `The file ${path} of this machine: ${reason}.`, {
    details: { path },
    cause: error,
  });
}

function failure(path: string, result: ExecResult): HermesError {
  if (result.outcome === 'sandbox-lost') {
    return new HermesError('SANDBOX_GONE', `The sandbox was lost while ${path} was in use.`, {
      details: { path },
    });
  }
  switch (result.exitCode) {
    case MISSING:
      return new HermesError('SANDBOX_FILE_MISSING', `There is no ${path} in the sandbox.`, {
        details: { path },
      });
    case FOLDER:
      return refused(path, 'it is a folder, or is none where one is needed');
    case DENIED:
      return refused(path, 'permission denied');
    case SPECIAL:
      return refused(path, 'it is a pipe, a socket or a device');
    default:
      return refused(path, result.stderr.trim() || `the transfer ${result.outcome}`);
  }
}

function refused(path: string, reason: string): HermesError {
  return new HermesError('SANDBOX_FILE_REFUSED', `${path} in the sandbox: ${reason}.`, {
    details: { path, reason },
  });
}

/** `81a4 12 1700000000`: mode in hexadecimal with the type in its upper bits, size, seconds. */
function parseInfo(line: string): FileInfo {
  const [mode = '0', size = '0', seconds = '0'] = line.split(' ');
  const bits = Number.parseInt(mode, 16);
  return {
    type: TYPES[bits >> 12] ?? 'other',
    size: Number(size),
    mode: bits & 0o7777,
    modifiedMs: Number(seconds) * 1000,
  };
}
