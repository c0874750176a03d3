// The program that a throwaway namespace runs: verifies one backend and writes the report to a file. Whatever it takes
// for "this machine" is the namespace.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { systemClock } from '../../src/base/clock.ts';
import { createBackend, loadHermesConfig } from '../../src/compose.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { allProbes } from '../../src/containment/all-probes.ts';
import { verifyContainment } from '../../src/containment/verify.ts';
import type { Backend, SandboxSpec } from '../../src/index.ts';
import { bareBackend } from './bare-backend.ts';
import { naivePlace } from './naive-place.ts';
import { LAN, METADATA, type VerifyRequest } from './throwaway.ts';

const request = JSON.parse(process.argv[2] ?? '') as VerifyRequest; // written by throwaway.ts
const environment = readEnvironment();

async function makeBackend(planted: { name: string; value: string }): Promise<Backend> {
  const seen = { ...environment, [planted.name]: planted.value };
  if (request.backend === 'bare' || request.backend === 'blind') {
    return bareBackend({ environment: seen, isBlind: request.backend === 'blind' });
  }
  const config = await loadHermesConfig({ ...environment, HERMES_HOME: request.home, ...request.variables });
  return createBackend(request.backend, config, { environment: { ...seen, ...request.variables } });
}

// What stands on the metadata address of a cloud, and the socket of a container engine.
const doubles = await Promise.all(
  [{ host: METADATA, port: 80 }, ...(request.controlSocket ? [{ path: request.controlSocket }] : [])].map(
    async options => {
      const server = createServer(socket => {
        socket.on('error', () => socket.destroy());
        socket.end();
      });
      await new Promise<void>(resolve => server.listen(options, resolve));
      return server;
    },
  ),
);
const report = await verifyContainment({
  makeBackend,
  spec: (): Partial<SandboxSpec> => request.spec,
  probes: allProbes.filter(({ id }) => request.probes?.includes(id) ?? true),
  addresses: { lan: LAN, metadata: METADATA },
  clock: systemClock,
  ...(request.isNaive ? { enter: naivePlace } : {}),
});
for (const server of doubles) server.close();
await writeFile(request.report, JSON.stringify(report));
