// Hermes itself: its process, configuration and state.
import { operands } from '../command.ts';
import { isHermes } from '../places.ts';
import { type Rule, verbsOf } from './rule.ts';

/** Commands of Hermes that only show something; every other one changes or runs something. */
const SHOWS =
  /^(?:doctor|status|explain|completion|platforms|redact|config (?:show|check|get|path|list)|sandbox (?:list|explain|show)|session (?:list|show)|approvals (?:list|allowed)|audit list|people list|model (?:show|list)|security (?:audit|check)|help)\b|^$/;

export const selfRules: readonly Rule[] = [
  {
    id: 'self.files',
    threatens: 'self',
    severity: 'high',
    reason: 'Changes or deletes the configuration or the state of Hermes.',
    matches: ({ writes, deletes, program, args }) => [
      ...writes.filter(isHermes),
      ...deletes.map(({ path }) => path).filter(isHermes),
      ...(['sqlite3', 'chmod', 'chown', 'mv'].includes(program) ? args.filter(arg => isHermes(arg)) : []),
    ],
    positive: [
      'rm -rf ~/.hermes',
      'echo "approvals: {mode: off}" >> ~/.hermes/config.yaml',
      'sqlite3 ~/.hermes/state.db "select 1"',
      'mv ~/.hermes /tmp/x',
      'tee $HERMES_HOME/.env < x',
      'sed -i s/manual/off/ ~/.hermes/config.yaml',
    ],
    negative: [
      'ls ~/.hermes',
      'cat ~/.hermes/config.yaml',
      'grep mode ~/.hermes/config.yaml',
      'rm hermes.log',
    ],
  },
  {
    id: 'self.command',
    threatens: 'self',
    severity: 'high',
    reason: 'Tells Hermes to change its own settings, people, approvals or sandboxes.',
    programs: ['hermes', 'hermes.js'],
    matches: command => !SHOWS.test(verbsOf(command, ['--set']).join(' ')) || command.args.includes('--yolo'),
    positive: [
      'hermes config set approvals.mode off',
      'hermes sandbox destroy k3',
      'hermes gateway stop',
      'npx hermes config unset approvals.deny',
      'hermes --json config set x y',
      'hermes run -- ls',
      'hermes approvals revoke x',
    ],
    negative: [
      'hermes config show',
      'hermes doctor',
      'hermes --version',
      'hermes config check',
      'hermes explain -- ls',
    ],
  },
  {
    id: 'self.process',
    threatens: 'self',
    severity: 'high',
    reason: 'Stops Hermes.',
    programs: [
      'pkill',
      'killall',
      'kill',
      'systemctl',
      'service',
      'launchctl',
      'pm2',
      'docker',
      'supervisorctl',
      'npm',
      'pip',
      'brew',
    ],
    matches: command => {
      const names = operands(command).some(word => /^hermes(?:-gateway)?(?:\.service)?$/i.test(word));
      const isStop =
        ['pkill', 'killall'].includes(command.program) ||
        command.args.some(arg =>
          /^(?:stop|disable|mask|kill|restart|unload|bootout|delete|uninstall|remove|rm|un)$/.test(arg),
        );
      const isFound =
        command.program === 'kill' &&
        command.substituted.some(({ args }) => args.some(arg => /hermes/i.test(arg)));
      return (
        (names && isStop) ||
        isFound ||
        (['pkill', 'killall'].includes(command.program) && command.args.some(arg => /hermes/i.test(arg)))
      );
    },
    positive: [
      'pkill hermes',
      'systemctl stop hermes',
      'kill $(pgrep -f hermes)',
      'killall -9 hermes-gateway',
      'pm2 delete hermes',
      'pkill -f "hermes gateway"',
    ],
    negative: ['pgrep hermes', 'systemctl status hermes', 'ps aux | grep hermes', 'pkill chrome'],
  },
];
