// Containers and virtual machines: what removes them, and what lets them reach the host.
import { flagValues, hasFlag } from '../command.ts';
import { holdsKeys } from '../places.ts';
import { isTrial, type Rule, VALUED_FLAGS, verbsOf } from './rule.ts';

const DISK = /^\/dev\/(?:[hsv]d[a-z]|xvd|nvme|mmcblk|mapper|md\d|dm-|r?disk|mem|kmem|port)/;
const CONTAINERS = ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose'];

export const containerRules: readonly Rule[] = [
  {
    id: 'cloud.container-remove',
    threatens: 'cloud',
    severity: 'medium',
    reason: 'Removes containers, images, volumes or networks.',
    programs: CONTAINERS,
    matches: command => {
      if (isTrial(command)) return false;
      const text = verbsOf(command, [...VALUED_FLAGS, '-c'])
        .join(' ')
        .replace(/^compose /, '');
      const [verb = '', second = ''] = text.split(' ');
      if (
        /^(?:system|container|image|volume|network|builder|buildx)$/.test(verb) &&
        /^(?:prune|rm|remove|reset)$/.test(second)
      )
        return true;
      if (verb === 'rm')
        return (
          hasFlag(command, 'f', 'force', 'v', 'volumes', 'a', 'all', 's', 'stop') ||
          command.substituted.length > 0 ||
          command.via.includes('xargs')
        );
      if (verb === 'rmi')
        return (
          hasFlag(command, 'f', 'force') || command.substituted.length > 0 || command.via.includes('xargs')
        );
      if (
        verb === 'kill' ||
        (verb === 'stop' && (command.substituted.length > 0 || command.via.includes('xargs')))
      )
        return true;
      if (verb === 'down') return hasFlag(command, 'v', 'volumes') || command.args.includes('--rmi');
      if (verb === 'swarm' || verb === 'stack' || verb === 'service' || verb === 'secret' || verb === 'node')
        return /^(?:leave|rm|remove|down)$/.test(second);
      return verb === 'machine' && second === 'rm';
    },
    positive: [
      'docker system prune -af --volumes',
      'docker rm -f $(docker ps -aq)',
      'docker volume rm data',
      'docker compose down -v',
      'docker-compose down --volumes',
      'docker image prune -a',
      'podman system prune',
      'docker kill x',
      'docker swarm leave --force',
      'docker ps -q | xargs docker stop',
    ],
    negative: [
      'docker ps -a',
      'docker images',
      'docker compose down',
      'docker run --rm alpine true',
      'docker logs x',
      'docker build -t x .',
      'docker compose up -d',
      'docker volume ls',
      'docker stop web',
    ],
  },
  {
    id: 'cloud.container-escape',
    threatens: 'privileges',
    severity: 'high',
    reason:
      'Starts a container that can reach the host: privileged, with its folders, its processes or the engine’s socket.',
    programs: [...CONTAINERS, 'ctr', 'crictl'],
    matches: command => {
      if (!command.args.some(arg => arg === 'run' || arg === 'create' || arg === 'exec')) return false;
      if (
        command.args.some(arg =>
          /^--(?:privileged(?:=true)?|pid=host|uts=host|userns=host|ipc=host|cap-add=?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|NET_ADMIN)?|device=\/dev\/[a-z]+d[a-z]|security-opt=?.*unconfined.*)$/i.test(
            arg,
          ),
        )
      )
        return true;
      const namespaces = flagValues(
        command,
        'pid',
        'ipc',
        'userns',
        'uts',
        'security-opt',
        'network',
        'net',
      ).filter(value => value === 'host' || /unconfined|disabled/.test(value));
      if (
        namespaces.some(value => value !== 'host') ||
        flagValues(command, 'pid', 'ipc', 'userns', 'uts').includes('host')
      )
        return true;
      const sources = [
        ...flagValues(command, 'v', 'volume').map(volume => volume.split(':', 1)[0] ?? ''),
        ...flagValues(command, 'mount').flatMap(mount => /(?:source|src)=([^,]+)/.exec(mount)?.[1] ?? []),
      ];
      if (flagValues(command, 'device').some(device => DISK.test(device))) return true;
      return (
        sources.some(source => holdsKeys(source) || /^~\/\./.test(source)) ||
        sources.some(
          source =>
            /^(?:\/|\/(?:etc|root|home|usr|var|boot|bin|lib|proc|sys|dev)(?:\/.*)?|~|.*docker\.sock|\/Users(?:\/[^/]+)?)\/?$/.test(
              source,
            ) &&
            !/^\/(?:etc\/(?:localtime|timezone)|dev\/shm|dev\/null|home\/[^/]+\/[^/.].*|var\/lib\/[^/]+\/.+)$/.test(
              source,
            ),
        )
      );
    },
    positive: [
      'docker run --privileged alpine',
      'docker run -v /:/host alpine chroot /host',
      'docker run --pid=host -it x sh',
      'docker run -v /var/run/docker.sock:/var/run/docker.sock x',
      'docker run --mount type=bind,source=/,target=/h x',
      'podman run --cap-add SYS_ADMIN x',
      'docker run -v ~/:/x y',
      'docker run --device /dev/sda alpine',
      'ctr run --privileged docker.io/library/alpine x',
    ],
    negative: [
      'docker run -v "$PWD:/app" node npm test',
      'docker run -v ./data:/data x',
      'docker run --rm -it alpine sh',
      'docker run -v cache:/root/.cache x',
      'docker run -p 80:80 nginx',
      'docker run -v /home/me/app:/app x',
      'docker run --device /dev/dri x',
      'ctr run docker.io/library/alpine x ls',
    ],
  },
  {
    id: 'cloud.machines',
    threatens: 'cloud',
    severity: 'high',
    reason: 'Destroys a virtual machine or a system container.',
    programs: [
      'virsh',
      'lxc',
      'incus',
      'lxc-destroy',
      'multipass',
      'VBoxManage',
      'vboxmanage',
      'qm',
      'pct',
      'xe',
      'machinectl',
      'limactl',
      'colima',
      'wsl',
      'prlctl',
      'vmrun',
    ],
    matches: command => {
      const text = verbsOf(command, VALUED_FLAGS).join(' ');
      return (
        command.program === 'lxc-destroy' ||
        /^(?:destroy|undefine|delete|purge|unregistervm|remove|shutdown|stop|deleteVM|vol-delete|pool-destroy|snapshot-delete|vm-destroy|vm-uninstall|--unregister|poweroff|terminate|controlvm \S+ (?:poweroff|reset|acpipowerbutton))\b/.test(
          text,
        ) ||
        command.args.includes('--unregister')
      );
    },
    positive: [
      'virsh destroy vm1',
      'virsh undefine vm1 --remove-all-storage',
      'lxc delete -f box',
      'multipass delete --purge x',
      'VBoxManage unregistervm x --delete',
      'qm destroy 100',
    ],
    negative: ['virsh list', 'lxc list', 'multipass info x', 'VBoxManage list vms', 'virsh dominfo x'],
  },
];
