// `npm run bench -- NAME [--json]`: runs one benchmark and exits 1 when a promised limit is missed.
import { parseArgs } from 'node:util';
import { type Bench, measure } from './bench.ts';
import type { MemoryFigure } from './memory.ts';
import { report } from './report.ts';

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  start: async () => (await import('./start.ts')).start,
  exec: async () => (await import('./exec.ts')).exec,
  'exec-bulk': async () => (await import('./exec.ts')).execBulk,
  bubblewrap: async () => (await import('./bubblewrap.ts')).bubblewrap,
  docker: async () => (await import('./docker.ts')).dockerExec,
  'docker-create': async () => (await import('./docker.ts')).dockerCreate,
  'docker-many': async () => (await import('./docker.ts')).dockerMany,
  gateway: async () => (await import('./gateway.ts')).gateway,
  daytona: async () => (await import('./daytona.ts')).daytona,
  modal: async () => (await import('./modal.ts')).modal,
  risk: async () => (await import('./risk.ts')).risk,
  singularity: async () => (await import('./singularity.ts')).singularity,
  ssh: async () => (await import('./ssh.ts')).ssh,
  sessions: async () => (await import('./sessions.ts')).sessions,
  'sessions-start': async () => (await import('./sessions.ts')).sessionsStart,
  'sessions-resume': async () => (await import('./sessions.ts')).sessionsResume,
  agent: async () => (await import('./agent.ts')).agent,
  door: async () => (await import('./door.ts')).door,
  redact: async () => (await import('./redact.ts')).redact,
  'execute-code': async () => (await import('./execute-code.ts')).executeCode,
  'execute-code-docker': async () => (await import('./execute-code.ts')).executeCodeDocker,
  'ssh-create': async () => (await import('./ssh.ts')).sshCreate,
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const names = positionals.length > 0 ? positionals : [...Object.keys(benches), 'memory'];
let missed = false;
for (const name of names) {
  if (name === 'memory') {
    const { measureMemory } = await import('./memory.ts');
    const figures = await measureMemory();
    missed ||= figures.some(({ mebibytes, limit }) => mebibytes > limit);
    if (values.json) console.log(JSON.stringify({ bench: name, figures }, null, 2));
    else console.log(figuresText(figures));
    continue;
  }
  const load = benches[name];
  if (!load) {
    console.error(`There is no benchmark ${name}. Known: ${[...Object.keys(benches), 'memory'].join(', ')}.`);
    process.exit(2);
  }
  const bench = await load();
  const opened = await bench.open();
  try {
    const figures = (await opened.figures?.()) ?? [];
    const measurements = await measure(opened.cases, bench);
    missed ||= measurements.some(one => one.withinLimit === false);
    missed ||= figures.some(({ mebibytes, limit }) => mebibytes > limit);
    if (values.json) console.log(JSON.stringify({ bench: name, measurements, figures }, null, 2));
    else {
      console.log(`${name}: ${bench.doc}\n${report(measurements, process.stdout.columns ?? 80)}`);
      console.log(figuresText(figures));
    }
  } finally {
    await opened.close();
  }
}
process.exitCode = missed ? 1 : 0;

function figuresText(figures: readonly MemoryFigure[]): string {
  return figures.map(({ name, mebibytes, limit }) => `${name}: ${mebibytes} MiB, limit ${limit}\n`).join('');
}
