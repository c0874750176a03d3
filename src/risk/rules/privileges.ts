// Who may do what: root, users, the kernel.
import { hasFlag } from '../command.ts';
import { decidesRights } from '../places.ts';
import { type Rule, verbsOf } from './rule.ts';

/** What only looks may be done as root without asking. */
const LOOKS = new Set(
  'ls cat head tail less grep find stat file df du free top htop ps id whoami groups uptime uname hostname date lsblk lsof lscpu lspci lsusb dmesg ss netstat ip ifconfig journalctl true echo which test pwd wc sort vmstat iostat blkid getent printenv env nproc w who last dig nslookup ping traceroute tree md5sum sha256sum lsmod'.split(
    ' ',
  ),
);
const LOOKING_VERBS: Readonly<Record<string, RegExp>> = {
  systemctl: /^(?:status|show|cat|is-\w+|list-\w+|get-default)$/,
  service: /^status$/,
  docker: /^(?:ps|images|logs|info|version|inspect|stats|top|port|search)$/,
  apt: /^(?:list|show|search|policy|update)$/,
  'apt-get': /^(?:update|check)$/,
  'apt-cache': /^./,
  dpkg: /^$/,
  ufw: /^(?:status|show)$/,
  nginx: /^$/,
  journalctl: /^/,
};

function onlyLooks(args: readonly string[]): boolean {
  const at = args.findIndex(
    (arg, index) =>
      !arg.startsWith('-') && !/^-[ugpCrtTUDRh]$/.test(args[index - 1] ?? '') && !/^\w+=/.test(arg),
  );
  if (at === -1)
    return args.some(arg => /^(?:-l|-v|-k|-K|-V|-h|--version|--help|--list|-ll|-nv|-n)$/.test(arg));
  const program = (args[at] ?? '').split('/').at(-1) ?? '';
  const rest = args.slice(at + 1);
  const verbs = LOOKING_VERBS[program];
  if (verbs && Object.hasOwn(LOOKING_VERBS, program))
    return rest.some(arg => verbs.test(arg)) || (program === 'service' && rest[1] === 'status');
  return (
    LOOKS.has(program) &&
    !rest.some(arg => /^-(?:exec|delete|ok|fprint)/.test(arg)) &&
    !(program === 'ip' && rest.some(arg => /^(?:add|del|set|flush|change|replace)$/.test(arg)))
  );
}

export const privilegeRules: readonly Rule[] = [
  {
    id: 'privileges.root',
    threatens: 'privileges',
    severity: 'medium',
    reason: 'Runs a command with the rights of root or of another user.',
    programs: [
      'sudo',
      'doas',
      'su',
      'pkexec',
      'runuser',
      'gosu',
      'su-exec',
      'sudoedit',
      'visudo',
      'sg',
      'newgrp',
      'runas',
      'gksu',
      'kdesu',
      'machinectl',
    ],
    matches: ({ program, args }) => (program === 'machinectl' ? args[0] === 'shell' : !onlyLooks(args)),
    positive: [
      'sudo rm x',
      'sudo -i',
      'su - root',
      'sudo -u postgres psql',
      'doas sh',
      'visudo',
      "su -c 'id; touch /x'",
      'sudo su',
    ],
    negative: [
      'sudo -l',
      'sudo ls /root',
      'sudo systemctl status nginx',
      'echo sudo',
      'man sudo',
      'which sudo',
    ],
  },
  {
    id: 'privileges.account-files',
    threatens: 'privileges',
    severity: 'high',
    reason: 'Changes who may log in, who may become root, or a setting of the kernel.',
    matches: ({ writes, deletes, program }) =>
      program === 'touch' ? [] : [...writes, ...deletes.map(({ path }) => path)].filter(decidesRights),
    positive: [
      'echo "me ALL=(ALL) NOPASSWD:ALL" >> /etc/sudoers',
      'cp x /etc/passwd',
      'tee /etc/sudoers.d/me < x',
      'sed -i s/x/y/ /etc/shadow',
      'echo 1 > /proc/sys/net/ipv4/ip_forward',
      'echo b > /proc/sysrq-trigger',
    ],
    negative: [
      'cat /etc/passwd',
      'grep root /etc/group',
      'cut -d: -f1 /etc/passwd',
      'getent passwd',
      'cat /proc/sys/kernel/hostname',
    ],
  },
  {
    id: 'privileges.accounts',
    threatens: 'privileges',
    severity: 'high',
    reason: 'Makes, changes or removes a user, a group or a password.',
    programs: [
      'useradd',
      'adduser',
      'usermod',
      'userdel',
      'deluser',
      'groupadd',
      'groupmod',
      'groupdel',
      'addgroup',
      'delgroup',
      'gpasswd',
      'passwd',
      'chpasswd',
      'chage',
      'vipw',
      'vigr',
      'newusers',
      'chfn',
      'smbpasswd',
      'net',
      'dscl',
      'sysadminctl',
    ],
    matches: ({ program, args }) => {
      if (program === 'net') return /^(?:user|localgroup)$/i.test(args[0] ?? '') && args.length > 1;
      if (program === 'dscl') return args.some(arg => /^-?(?:create|append|passwd|delete)$/.test(arg));
      return !args.some(
        arg =>
          /^(?:-S|--status|-l|--list|--help|--version)$/.test(arg) &&
          program !== 'usermod' &&
          !(program === 'passwd' && arg === '-l'),
      );
    },
    positive: [
      'useradd -m evil',
      'usermod -aG sudo me',
      'passwd root',
      'echo root:x | chpasswd',
      'gpasswd -a me docker',
      'userdel -r bob',
      'adduser x sudo',
    ],
    negative: ['id bob', 'groups', 'getent passwd', 'passwd -S', 'chage -l me', 'net use'],
  },
  {
    id: 'privileges.kernel',
    threatens: 'privileges',
    severity: 'high',
    reason: 'Changes the kernel, its modules or its protection.',
    programs: [
      'insmod',
      'rmmod',
      'modprobe',
      'kexec',
      'sysctl',
      'setenforce',
      'setsebool',
      'aa-disable',
      'aa-complain',
      'aa-teardown',
      'apparmor_parser',
      'nsenter',
      'chroot',
      'unshare',
      'bpftool',
      'bpftrace',
      'efibootmgr',
      'grub-install',
      'update-grub',
      'csrutil',
      'spctl',
      'nvram',
      'mknod',
      'bcdedit',
    ],
    matches: command => {
      const { program, args } = command;
      if (program === 'sysctl')
        return hasFlag(command, 'w', 'write', 'p', 'load') || args.some(arg => /^[\w./-]+=/.test(arg));
      if (program === 'modprobe')
        return (
          args.some(arg => !arg.startsWith('-')) &&
          !hasFlag(command, 'n', 'dry-run', 'D', 'show-depends', 'c')
        );
      if (program === 'mknod') return args.some(arg => arg === 'b' || arg === 'c');
      if (program === 'csrutil' || program === 'spctl') return args.some(arg => /disable/.test(arg));
      if (program === 'efibootmgr') return args.length > 0 && !args.every(arg => arg === '-v');
      return args.length > 0 && !args.some(arg => arg === '--help' || arg === '--version');
    },
    positive: [
      'insmod evil.ko',
      'sysctl -w kernel.randomize_va_space=0',
      'setenforce 0',
      'modprobe -r nf_tables',
      'nsenter -t 1 -m sh',
      'chroot /mnt sh',
      'sysctl vm.overcommit_memory=1',
    ],
    negative: ['sysctl -a', 'sysctl kernel.hostname', 'lsmod', 'getenforce', 'modinfo nf_tables', 'uname -r'],
  },
  {
    id: 'privileges.cloud-rights',
    threatens: 'privileges',
    severity: 'high',
    reason: 'Changes who may do what in a cloud account or cluster.',
    programs: ['aws', 'gcloud', 'az', 'kubectl', 'oc', 'gsutil', 'gh', 'vault'],
    matches: command => {
      const words = verbsOf(command).join(' ');
      return /^iam (?:create|attach|put|add|update|detach|delete)-|^s3api put-(?:bucket|object)-(?:acl|policy)|add-iam-policy-binding|remove-iam-policy-binding|set-iam-policy|role assignment (?:create|delete)|^create (?:clusterrolebinding|rolebinding|clusterrole)|iam ch|^ad (?:user|sp) create|^policy write/.test(
        words,
      );
    },
    positive: [
      'aws iam attach-user-policy --user-name x --policy-arn y',
      'aws iam create-access-key --user-name root',
      'gcloud projects add-iam-policy-binding p --member=allUsers --role=roles/owner',
      'kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=y',
      'az role assignment create --role Owner',
    ],
    negative: [
      'aws iam list-users',
      'aws iam get-user',
      'gcloud iam roles list',
      'kubectl get clusterrolebindings',
      'az role assignment list',
    ],
  },
];
