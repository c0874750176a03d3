// What runs in a sandbox and what it costs, as its own /proc says: the same on every backend that has one of its own.
import type { SandboxHandle } from '../sandboxes/handle.ts';
import type { SandboxLife } from './life.ts';

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly memoryBytes: number;
  /** Of processor time since it began. */
  readonly ticks: number;
  readonly command: string;
}

const TIMEOUT_MS = 5000;
const KEEP_BYTES = 256 * 1024;
/** The scripts of the channel begin so. */
const OURS = / -c # shellcheck shell=/;
/** In bash alone, so that nothing has to be installed there. */
const SCRIPT = String.raw`
for d in /proc/[0-9]*; do
  { IFS= read -r s < "$d/stat"; } 2>/dev/null || continue
  r=0
  while read -r k v _; do [[ $k == VmRSS: ]] && r=$v && break; done 2>/dev/null < "$d/status"
  c=''
  while IFS= read -r -d '' w; do c+="$w "; done 2>/dev/null < "$d/cmdline"
  [[ -n $c ]] || { c=\${s#*\(}; c="[\${c%%)*}]"; }
  set -f; f=(\${s##*) }); set +f
  c=\${c//[$'\n\t']/ }
  printf '%s\t%s\t%s\t%s\t%s\n' "\${d#/proc/}" "\${f[1]}" "$r" "$((\${f[11]} + \${f[12]}))" "\${c:0:400}"
done`.replaceAll('\\$', '$');

/** Without a lease, so that looking keeps no sandbox from being idle. Undefined when nothing is connected to it. */
export async function seenProcesses(
  life: Pick<SandboxLife, 'handle'>,
  sandboxId: string,
): Promise<readonly SeenProcess[] | undefined> {
  const handle = life.handle(sandboxId);
  return handle && (await processesIn(handle));
}

async function processesIn(handle: SandboxHandle): Promise<readonly SeenProcess[]> {
  const result = await handle.exec(SCRIPT, { timeoutMs: TIMEOUT_MS, keepBytes: KEEP_BYTES });
  return result.stdout.split('\n').flatMap(line => processOf(line));
}

function processOf(line: string): readonly SeenProcess[] {
  const [pid, parent, kilobytes, ticks, ...words] = line.split('\t');
  if (words.length === 0) return [];
  const numbers = {
    pid: Number(pid),
    parent: Number(parent),
    memoryBytes: Number(kilobytes) * 1024,
    ticks: Number(ticks),
  };
  if (Object.values(numbers).some(value => !Number.isFinite(value))) return [];
  const command = words.join(' ').trim();
  return [{ ...numbers, command: OURS.test(command) ? 'bash (a shell of Hermes)' : command }];
}
