// Ends a process of this machine with everything that it has started and that has not left it since.
import { readdirSync, readFileSync } from 'node:fs';

/** SIGKILL, leaves first. A process that was handed over to another parent is not part of the tree any more. */
export function killTree(pid: number): void {
  const children = childrenByParent();
  const end = (each: number): void => {
    for (const child of children.get(each) ?? []) end(child);
    kill(each);
  };
  end(pid);
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

/** Undefined for one that has ended meanwhile. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it may contain anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code));
}
