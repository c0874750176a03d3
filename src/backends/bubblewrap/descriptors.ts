// The descriptors over which a sandbox and its gateway talk: what each is for, and how it is written and read.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Descriptors after the usual three: system call filter, process ids, leave to go on; then pipes for processes. */
export const SECCOMP_FD = 3;
export const INFO_FD = 4;
export const BLOCK_FD = 5;
export const SPARE_FDS = [6, 9];
const FDS = 12;
/** Only while it starts: process ids and leave to go on of the network around it; bwrap's flags; then control groups. */
export const NETWORK_INFO_FD = 12;
export const NETWORK_BLOCK_FD = 13;
export const FLAGS_FD = 14;
export const FIRST_GROUP_FD = 15;

const KEPT_STDERR = 4_096;

export type StreamOf = (fd: number) => Socket;

/** The command of the starter inside. */
export function starterCommand(ioDir: string, limits: readonly string[], groups: number): string[] {
  const script = readFileSync(new URL('./starter.sh', import.meta.url), 'utf8');
  const fds = Array.from({ length: groups }, (_, at) => String(FIRST_GROUP_FD + at));
  return [
    'bash',
    '--norc',
    '--noprofile',
    '-c',
    script,
    'hermes-starter',
    ioDir,
    String(FDS),
    ...limits,
    ...fds,
  ];
}

/** Writes it and closes: nothing else goes through this descriptor. */
export function sendLast(stream: Socket, data: string | Uint8Array): void {
  stream.end(data, () => stream.destroy());
}

/** The end of what a program says. */
export function lastWords(stream: Socket) {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    text = (text + piece).slice(-KEPT_STDERR);
  });
  const closed = new Promise<void>(resolve => stream.once('close', () => resolve()));
  return { closed, text: () => text };
}

/** `{"child-pid": 123, …}`, as bubblewrap tells it before it starts the command; undefined when it fails before. */
export function childPid(info: Socket): Promise<number | undefined> {
  let text = '';
  info.setEncoding('utf8');
  return new Promise(resolve => {
    info.on('data', (piece: string) => {
      text += piece;
      if (text.includes('}')) info.destroy();
    });
    info.on('error', () => info.destroy()); // shows as an early end
    info.once('close', () => resolve(Number(/"child-pid": (\d+)/.exec(text)?.[1]) || undefined));
    if (info.destroyed) resolve(undefined);
  });
}
