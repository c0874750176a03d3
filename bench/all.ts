// Every benchmark by name, in the order of the page. Loaded one at a time: what one imports does not weigh on another.
import type { Bench } from './bench.ts';

const loaders: Readonly<Record<string, () => Promise<Bench>>> = {
  start: async () => (await import('./start.ts')).start,
  'gateway-ready': async () => (await import('./start.ts')).gatewayReady,
  exec: async () => (await import('./exec.ts')).exec,
  'exec-bulk': async () => (await import('./exec.ts')).execBulk,
  bubblewrap: async () => (await import('./bubblewrap.ts')).bubblewrap,
  'bubblewrap-create': async () => (await import('./bubblewrap.ts')).bubblewrapCreate,
  ssh: async () => (await import('./ssh.ts')).ssh,
  'ssh-create': async () => (await import('./ssh.ts')).sshCreate,
  singularity: async () => (await import('./singularity.ts')).singularity,
  modal: async () => (await import('./clouds.ts')).modal,
  daytona: async () => (await import('./clouds.ts')).daytona,
  docker: async () => (await import('./docker.ts')).dockerExec,
  'docker-create': async () => (await import('./docker.ts')).dockerCreate,
  'docker-many': async () => (await import('./docker.ts')).dockerMany,
  risk: async () => (await import('./risk.ts')).risk,
  'risk-hostile': async () => (await import('./risk.ts')).riskHostile,
  redact: async () => (await import('./redact.ts')).redact,
  sessions: async () => (await import('./sessions.ts')).sessions,
  'sessions-start': async () => (await import('./sessions.ts')).sessionsStart,
  'sessions-resume': async () => (await import('./sessions.ts')).sessionsResume,
  door: async () => (await import('./door.ts')).door,
  'execute-code': async () => (await import('./execute-code.ts')).executeCode,
  'execute-code-docker': async () => (await import('./execute-code.ts')).executeCodeDocker,
  agent: async () => (await import('./agent.ts')).agent,
  gateway: async () => (await import('./gateway.ts')).gateway,
  dashboard: async () => (await import('./dashboard.ts')).dashboard,
  memory: async () => (await import('./memory.ts')).memory,
  'memory-sandboxes': async () => (await import('./memory.ts')).memorySandboxes,
};

export const benchNames: readonly string[] = Object.keys(loaders);

export async function loadBench(name: string): Promise<Bench> {
  const load = loaders[name];
  if (!load) throw new Error(`There is no benchmark ${name}. Known: ${benchNames.join(', ')}.`);
  return load();
}

export async function loadBenches(): Promise<ReadonlyMap<string, Bench>> {
  const benches = new Map<string, Bench>();
  for (const name of benchNames) benches.set(name, await loadBench(name));
  return benches;
}
