// Services, packages, and whether the machine is up.
import { hasFlag } from '../command.ts';
import { isHelp, type Rule, verbsOf } from './rule.ts';

/** `-i`, `-Uvh`, `--install`: as dpkg, rpm and pacman say it. */
const INSTALL_FLAG = /(?:^|\s)(?:--install|--upgrade|-[iU][vhF]*)(?:\s|$)/;

export const uptimeRules: readonly Rule[] = [
  {
    id: 'services.power',
    threatens: 'services',
    severity: 'high',
    reason: 'Shuts the machine down, restarts it or puts it to sleep.',
    programs: [
      'reboot',
      'shutdown',
      'halt',
      'poweroff',
      'init',
      'telinit',
      'systemctl',
      'pm-suspend',
      'rtcwake',
      'loginctl',
      'osascript',
      'Restart-Computer',
      'Stop-Computer',
    ],
    matches: command => {
      const { program, args } = command;
      if (program === 'init' || program === 'telinit') return /^[016sS]$/.test(args[0] ?? '');
      if (program === 'systemctl' || program === 'loginctl')
        return /^(?:reboot|poweroff|halt|kexec|suspend|hibernate|rescue|emergency|soft-reboot|hybrid-sleep)$/.test(
          verbsOf(command)[0] ?? '',
        );
      if (program === 'shutdown')
        return !args.includes('-c') && !args.includes('--help') && !args.includes('--show');
      if (program === 'osascript') return /\b(?:shut down|restart|log out|sleep)\b/.test(args.join(' '));
      return !args.includes('--help');
    },
    positive: [
      'reboot',
      'shutdown -h now',
      'sudo poweroff',
      'init 0',
      'systemctl reboot',
      'shutdown -r +5',
      'halt -p',
      'telinit 6',
    ],
    negative: [
      'uptime',
      'last reboot',
      'shutdown -c',
      'git init',
      'npm init -y',
      'grep reboot notes.md',
      'who -b',
    ],
  },
  {
    id: 'services.stop',
    threatens: 'services',
    severity: 'high',
    reason: 'Stops, restarts or blocks a service.',
    programs: [
      'systemctl',
      'service',
      'launchctl',
      'rc-service',
      'initctl',
      'sv',
      'supervisorctl',
      'pm2',
      'nginx',
      'apachectl',
      'apache2ctl',
      'brew',
      'net',
      'sc',
      'invoke-rc.d',
      'rc-update',
      'stop',
      'snap',
      'monit',
      'circusctl',
      's6-svc',
      'Stop-Service',
    ],
    matches: command => {
      if (isHelp(command)) return false;
      const verbs = verbsOf(command, ['-H', '-M', '-t', '-p', '-s', '--signal']);
      const [first = '', second = ''] = verbs;
      switch (command.program) {
        case 'systemctl':
          return /^(?:stop|disable|mask|restart|try-restart|reload-or-restart|kill|isolate|revert|reset-failed|daemon-reexec|freeze)$/.test(
            first,
          );
        case 'service':
        case 'rc-service':
        case 'invoke-rc.d':
          return /^(?:stop|restart|force-reload|condrestart|zap)$/.test(second);
        case 'launchctl':
          return /^(?:unload|bootout|disable|remove|stop|kill|kickstart)$/.test(first);
        case 'nginx':
          return command.args.some(
            (arg, at) => arg === '-s' && /^(?:stop|quit)$/.test(command.args[at + 1] ?? ''),
          );
        case 'brew':
          return first === 'services' && /^(?:stop|restart|kill)$/.test(second);
        case 'pm2':
          return /^(?:delete|kill|stop|del|restart|flush)$/.test(first);
        case 'rc-update':
          return first === 'del' || first === 'delete';
        case 'stop':
        case 'Stop-Service':
          return verbs.length > 0;
        case 'snap':
          return /^(?:stop|disable)$/.test(first);
        case 's6-svc':
          return hasFlag(command, 'd', 'k');
        default:
          return /^(?:stop|down|exit|force-stop|delete|shutdown|restart|graceful-stop|quit)$/.test(first);
      }
    },
    positive: [
      'systemctl stop nginx',
      'systemctl disable --now ssh',
      'systemctl mask firewalld',
      'service mysql stop',
      'systemctl --user restart x',
      'launchctl unload x.plist',
      'supervisorctl stop all',
      'nginx -s stop',
    ],
    negative: [
      'systemctl status nginx',
      'systemctl restart --help',
      'systemctl list-timers',
      'service nginx status',
      'nginx -t',
      'systemctl cat ssh',
      'journalctl -u ssh',
      'pm2 list',
    ],
  },
  {
    id: 'services.init-script',
    threatens: 'services',
    severity: 'high',
    reason: 'Stops or restarts a service by its own script.',
    matches: ({ path, args }) =>
      /^\/etc\/(?:init|rc)\.d\//.test(path) && args.some(arg => /^(?:stop|restart|force-reload)$/.test(arg)),
    positive: ['/etc/init.d/nginx stop', 'sudo /etc/init.d/ssh restart'],
    negative: ['/etc/init.d/nginx status', 'ls /etc/init.d'],
  },
  {
    id: 'services.packages',
    threatens: 'services',
    severity: 'medium',
    reason: 'Removes programs from the system, or installs a file whose scripts run as root.',
    programs: [
      'apt',
      'apt-get',
      'aptitude',
      'dpkg',
      'yum',
      'dnf',
      'zypper',
      'pacman',
      'apk',
      'brew',
      'snap',
      'flatpak',
      'rpm',
      'port',
      'emerge',
      'xbps-remove',
      'nix-env',
      'nix-collect-garbage',
      'choco',
      'winget',
      'pkg',
      'opkg',
    ],
    matches: command => {
      const { program } = command;
      const [verb = ''] = verbsOf(command, ['-o', '-c', '-t']);
      if (command.args.some(arg => /^(?:-s|--simulate|--dry-run|--just-print|-n)$/.test(arg))) return false;
      const installsFile = command.args.some(arg => /\.(?:deb|rpm|apk|pkg\.tar\.\w+)$/.test(arg));
      if (
        installsFile &&
        (/^(?:install|localinstall|reinstall|add)$/.test(verb) || INSTALL_FLAG.test(command.args.join(' ')))
      )
        return true;
      if (program === 'dpkg')
        return (
          hasFlag(command, 'r', 'P', 'remove', 'purge') || command.args.some(arg => /^--force-/.test(arg))
        );
      if (program === 'rpm')
        return command.args.some(arg => /^(?:-e|--erase)/.test(arg)) || command.args.includes('--nodeps');
      if (program === 'pacman') return command.args.some(arg => /^-R/.test(arg));
      if (program === 'emerge') return hasFlag(command, 'C', 'unmerge', 'depclean');
      if (program === 'nix-env') return hasFlag(command, 'e', 'uninstall');
      if (program === 'xbps-remove' || program === 'nix-collect-garbage') return true;
      return /^(?:remove|purge|autoremove|erase|uninstall|del|delete|rm|full-upgrade|dist-upgrade|autopurge|downgrade)$/.test(
        verb,
      );
    },
    positive: [
      'apt-get remove -y python3',
      'apt purge nginx',
      'dpkg -P libc6',
      'yum erase kernel',
      'pacman -Rns bash',
      'rpm -e --nodeps glibc',
      'brew uninstall git',
      'apt autoremove',
      'dpkg -i x.deb',
      'apt-get install -y ./x.deb',
      'rpm -Uvh x.rpm',
    ],
    negative: [
      'apt list --installed',
      'apt-get install -y jq',
      'apt-get remove -s x',
      'dpkg -l',
      'dpkg -I x.deb',
      'rpm -qpl x.rpm',
      'brew list',
      'rpm -qa',
      'pacman -Q',
      'pip uninstall x',
    ],
  },
  {
    id: 'services.clock',
    threatens: 'services',
    severity: 'medium',
    reason: 'Changes the clock, the name or the boot of the machine.',
    programs: [
      'date',
      'hwclock',
      'timedatectl',
      'hostnamectl',
      'hostname',
      'localectl',
      'update-alternatives',
      'ntpdate',
    ],
    matches: command => {
      const [verb = ''] = verbsOf(command);
      if (command.program === 'date')
        return command.args.some(arg => /^(?:-s|--set)/.test(arg)) || /^\d{8,12}(?:\.\d\d)?$/.test(verb);
      if (command.program === 'hostname')
        return verb !== '' && !hasFlag(command, 'I', 'f', 'i', 's', 'd', 'a', 'A');
      if (command.program === 'hwclock')
        return command.args.some(arg => /^(?:-w|-s|--systohc|--hctosys|--set)/.test(arg));
      if (command.program === 'update-alternatives')
        return command.args.some(arg => /^--(?:set|install|remove|config|auto)/.test(arg));
      return (
        command.program === 'ntpdate' ||
        /^set-/.test(verb) ||
        (command.program === 'hostnamectl' && verb === 'hostname' && command.args.length > 1)
      );
    },
    positive: [
      'date -s "2000-01-01"',
      'timedatectl set-time 2000-01-01',
      'hostnamectl set-hostname evil',
      'hwclock --systohc',
    ],
    negative: [
      'date',
      'date +%s',
      'date -d yesterday',
      'timedatectl',
      'timedatectl status',
      'hostname',
      'hostname -I',
    ],
  },
];
