// Which components must run: in CI a test of one of these fails where it cannot run, instead of being skipped.
import type { ServiceName } from './registry.ts';

/** Everything but gVisor (`runsc`) and Podman, which need more of the kernel than every CI machine gives. */
const requiredServices: readonly ServiceName[] = [
  'docker',
  'docker-loopback',
  'image-bookworm',
  'image-busybox',
  'image-nobash',
  'gateway-image',
  'bubblewrap',
  'busybox',
  'shellcheck',
  'ssh',
  'apptainer',
  'bare-machine',
  'fresh-machine',
  'chromium',
  'postgres',
  'model',
  'telegram',
];

export function isCi(): boolean {
  return !['', '0', 'false', undefined].includes(process.env['CI']);
}

/** Whether a missing component is a failure in this run. */
export function isRequired(name: ServiceName): boolean {
  return isCi() && requiredServices.includes(name);
}
