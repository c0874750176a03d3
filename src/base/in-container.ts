// Whether this process runs in a container: what Docker and Podman put there to be known by.
import { existsSync } from 'node:fs';

const MARKS = ['/.dockerenv', '/run/.containerenv'];

export function inContainer(): boolean {
  return MARKS.some(mark => existsSync(mark));
}
