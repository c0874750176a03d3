// Owners and modes of files.
import { hasFlag, operands } from '../command.ts';
import { zoneOf } from '../paths.ts';
import type { Judged, Rule } from './rule.ts';

const OPEN_MODE =
  /^0?[0-7]?[0-7][0-7][2367]$|^0?[0-7]?[0-7][2367][2367]$|(?:^|,)[ugoa]*[oa][ugoa]*[+=][rxXst]*w|^[+=][rx]*w|^a?[+=]rwx/;
const SET_ID = /^0?[2467][0-7]{3}$|(?:^|,)[ugoa]*[+=][rwxXt]*s/;

const modeOf = (command: Judged): string => operands(command)[0] ?? '';
const isRoomy = (path: string): boolean =>
  /^(?:\/|~|\.\.|\*|\/\*)\/?$/.test(path) ||
  ['system', 'above', 'home'].includes(
    zoneOf(path.startsWith('/') || path.startsWith('~') || path.startsWith('..') ? path : `./${path}`),
  );

export const permissionRules: readonly Rule[] = [
  {
    id: 'privileges.open-mode',
    threatens: 'privileges',
    severity: 'medium',
    reason: 'Lets everybody write.',
    programs: ['chmod'],
    matches: command =>
      OPEN_MODE.test(modeOf(command)) &&
      operands(command)
        .slice(1)
        .some(path => !/^\/tmp\/./.test(path)),
    positive: [
      'chmod 777 file',
      'chmod 0777 x',
      'chmod -R 777 /',
      'chmod a+rwx dir',
      'chmod o+w x',
      'chmod 666 secrets.txt',
      'chmod ugo+rwx x',
    ],
    negative: [
      'chmod +x script.sh',
      'chmod 755 bin/tool',
      'chmod 644 file',
      'chmod u+w file',
      'chmod 600 key',
      'chmod -R u+rwX,go+rX dist',
    ],
  },
  {
    id: 'privileges.mode-outside',
    threatens: 'privileges',
    severity: 'medium',
    reason: 'Changes who may use files outside the working folder.',
    programs: ['chmod', 'chown', 'chgrp'],
    matches: command =>
      /^(?:0?[4-7]00|\+x|[ua]\+x)$/.test(modeOf(command))
        ? []
        : operands(command)
            .slice(1)
            .map(command.locate)
            .filter(path => ['home', 'foreign', 'above'].includes(zoneOf(path))),
    positive: ['chmod 000 ~/project', 'chown nobody ~/file', 'chmod -R a-rwx ../other'],
    negative: ['chmod 600 ~/.ssh/id_ed25519', 'chmod +x ~/.local/bin/tool', 'chmod 644 file', 'chown me src'],
  },
  {
    id: 'credentials.key-mode',
    threatens: 'credentials',
    severity: 'medium',
    reason: 'Opens keys to others, or locks their owner out.',
    programs: ['chmod'],
    matches: command =>
      !/^(?:0?[4-7]00|u[+=][rwxX]+|(?:go|g|o|og|a)-[rwx]+|u[+=][rwxX]+,go[-=][rwx]*)$/.test(modeOf(command))
        ? operands(command)
            .slice(1)
            .filter(path => /(?:^|\/)\.(?:ssh|gnupg|aws|kube)(?:\/|$)/.test(path) && !path.endsWith('.pub'))
        : [],
    positive: ['chmod 000 ~/.ssh', 'chmod 644 ~/.ssh/id_rsa', 'chmod -R go+r /root/.gnupg'],
    negative: [
      'chmod 600 ~/.ssh/id_rsa',
      'chmod 700 ~/.ssh',
      'chmod 644 ~/.ssh/id_rsa.pub',
      'chmod go-rwx ~/.ssh',
    ],
  },
  {
    id: 'privileges.set-id',
    threatens: 'privileges',
    severity: 'high',
    reason: 'Lets a program run with the rights of its owner, or with special rights.',
    programs: ['chmod', 'setcap', 'setfacl', 'install', 'capsh'],
    matches: command => {
      if (command.program === 'setcap') return operands(command).length > 1 && !hasFlag(command, 'v');
      if (command.program === 'setfacl')
        return (
          command.args.some(arg => /^(?:-[a-zA-Z]*[mMxbk]|--modify|--set)/.test(arg)) &&
          (hasFlag(command, 'R') || command.args.some(arg => /o(?:ther)?:|w/.test(arg)))
        );
      if (command.program === 'install')
        return command.args.some(arg => /^(?:-m|--mode=)?0?[4-7][0-7]{3}$/.test(arg));
      if (command.program === 'capsh') return command.args.some(arg => /^--(?:caps|gid|uid|user)/.test(arg));
      return SET_ID.test(modeOf(command));
    },
    positive: [
      'chmod u+s /bin/bash',
      'chmod 4755 tool',
      'chmod 6777 x',
      'chmod g+s dir',
      'setcap cap_setuid+ep /usr/bin/python3',
      'chmod +s x',
    ],
    negative: ['chmod 755 x', 'chmod 0644 x', 'getcap /usr/bin/ping', 'chmod +x x', 'chmod 1777 /tmp/x'],
  },
  {
    id: 'privileges.whole-tree',
    threatens: 'privileges',
    severity: 'high',
    reason: 'Changes owner or mode of files outside the working folder, or of everything.',
    programs: ['chmod', 'chown', 'chgrp', 'chattr', 'chcon', 'restorecon', 'takeown', 'icacls'],
    matches: command => {
      if (command.program === 'chattr')
        return command.args.filter(
          arg => !/^[-+=]/.test(arg) && zoneOf(arg.startsWith('/') ? arg : `./${arg}`) === 'system',
        );
      const takesMode = !command.args.some(arg => arg.startsWith('--reference') || /^-[rwxXst]+$/.test(arg));
      const paths = operands(command, ['reference', 'from']).slice(takesMode ? 1 : 0);
      const isTree = hasFlag(command, 'R', 'recursive');
      if (command.program === 'icacls') return hasGrant(command);
      return paths.filter(path =>
        isTree ? isRoomy(path) : zoneOf(path.startsWith('/') ? path : `./${path}`) === 'system',
      );
    },
    positive: [
      'chown -R me /',
      'chmod -R 755 /usr',
      'chown -R nobody:nogroup ~',
      'chgrp -R users /etc',
      'chattr +i /etc/passwd',
      'chmod -x /bin/chmod',
      'chown root /usr/bin/x',
      'chmod -R 700 ../',
    ],
    negative: [
      'chown -R me:me ./data',
      'chmod -R 755 public',
      'chown me file',
      'ls -lR /',
      'chown -R node:node node_modules',
    ],
  },
  {
    id: 'privileges.chown-root',
    threatens: 'privileges',
    severity: 'medium',
    reason: 'Gives files to root.',
    programs: ['chown'],
    matches: command => /^(?:root|0)(?::|$)/.test(operands(command)[0] ?? ''),
    positive: ['chown root:root x', 'chown 0:0 tool', 'chown -R root .'],
    negative: ['chown me:me x', 'chown :staff x', 'ls -l | grep root'],
  },
];

function hasGrant({ args }: Judged): boolean {
  return args.some(arg => /^\/grant/i.test(arg));
}
