// Every service that tests can ask for, by name.
import { apptainer } from './apptainer.ts';
import { bareMachine } from './bare-machine.ts';
import { bubblewrap } from './bubblewrap.ts';
import { busybox } from './busybox.ts';
import { chromium } from './chromium.ts';
import { docker } from './docker.ts';
import { dockerLoopback } from './docker-loopback.ts';
import { faketime } from './faketime.ts';
import { freshMachine } from './fresh-machine.ts';
import { gatewayImage } from './gateway-image.ts';
import { bookwormImage, busyboxImage, nobashImage } from './image.ts';
import { model } from './model.ts';
import { podman } from './podman.ts';
import { postgres } from './postgres.ts';
import { runsc } from './runsc.ts';
import type { Service } from './service.ts';
import { shellcheck } from './shellcheck.ts';
import { ssh } from './ssh.ts';
import { sudoer } from './sudoer.ts';
import { telegram } from './telegram.ts';

export const services = {
  docker,
  'docker-loopback': dockerLoopback,
  'image-bookworm': bookwormImage,
  'image-busybox': busyboxImage,
  'image-nobash': nobashImage,
  'gateway-image': gatewayImage,
  bubblewrap,
  busybox,
  faketime,
  ssh,
  sudoer,
  apptainer,
  'bare-machine': bareMachine,
  'fresh-machine': freshMachine,
  chromium,
  podman,
  postgres,
  runsc,
  shellcheck,
  model,
  telegram,
} as const;

export type ServiceName = keyof typeof services;

export type AddressOf<Name extends ServiceName> =
  (typeof services)[Name] extends Service<infer Address> ? Address : never;

export function isServiceName(name: string): name is ServiceName {
  return Object.hasOwn(services, name);
}
