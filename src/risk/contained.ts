// What runs inside of a container, a cluster or a virtual machine acts in there; what leads out of it has rules of its own.
import type { SimpleCommand } from './command.ts';

const CONTAINERS =
  /^(?:docker|podman|nerdctl|kubectl|oc|docker-compose|podman-compose|ctr|crictl|lxc|incus|multipass|vagrant)(?:\s|$)/;

export function isContained({ via }: Pick<SimpleCommand, 'via'>): boolean {
  return via.some(each => CONTAINERS.test(each));
}
