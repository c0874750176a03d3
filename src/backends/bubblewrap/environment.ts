// What every process of a sandbox is: its user, its home, its basic environment, and the files of /etc that say so.
import type { Network } from '../backend.ts';
import { NAME_SERVER } from './network.ts';

/** Inside; on the host it is another (see host-user.ts). */
export const USER_ID = 1000;
const USER = 'hermes';
export const HOME = `/home/${USER}`;
export const WORKSPACE = '/workspace';

export const basicEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME,
  USER,
  LOGNAME: USER,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
};

/** Files of /etc that are made for each sandbox, by name. */
export function etcFiles(hostname: string, network: Network): Readonly<Record<string, string>> {
  const isOpen = network === 'open';
  return {
    ...(isOpen ? { 'resolv.conf': `nameserver ${NAME_SERVER}\n` } : {}),
    passwd: `root:x:0:0:root:/:/usr/sbin/nologin\n${USER}:x:${USER_ID}:${USER_ID}:${USER}:${HOME}:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`,
    group: `root:x:0:\n${USER}:x:${USER_ID}:\nnogroup:x:65534:\n`,
    hosts: `127.0.0.1 localhost ${hostname}\n::1 localhost\n`,
    'nsswitch.conf': `passwd: files\ngroup: files\nhosts: files${isOpen ? ' dns' : ''}\n`,
  };
}
