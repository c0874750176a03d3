// Checks of who may talk to the agent, and of what is asked before it acts.
import type { Check } from '../check.ts';
import { settingOf } from '../facts.ts';
import { whyTooWide } from '../wide-pattern.ts';

const ALLOW_ALL = /\.allow_all_users$/;

export const peopleChecks: readonly Check[] = [
  {
    id: 'people.allow-all',
    severity: 'critical',
    title: 'Everybody may use the agent',
    why: 'Bots are found by strangers within days; each of them then has a sandbox and your model.',
    fix: 'allow_all_users: false, and name people: hermes people allow PLATFORM:ID',
    find: ({ config, platforms }) =>
      config
        .entries()
        .filter(({ key, value }) => ALLOW_ALL.test(key) && value === true)
        .map(({ key }) => key)
        // On a platform that strangers cannot reach it lets in only those who are here already.
        .filter(key => platforms.find(({ name }) => key === `${name}.allow_all_users`)?.isPublic !== false)
        .map(key => `${key} is true`),
  },
  {
    id: 'people.no-owner',
    severity: 'high',
    title: 'Nobody is owner',
    why: 'Questions about dangerous commands have nobody to go to and are denied, and whoever has the code of the start can become owner.',
    fix: 'hermes people role PLATFORM:ID owner, or /claim CODE in the chat',
    find: ({ platforms, owners }) =>
      platforms.length > 0 && owners === 0
        ? [`no owner on ${platforms.map(({ name }) => name).join(', ')}`]
        : [],
  },
  {
    id: 'people.shared-sessions',
    severity: 'medium',
    title: 'People of a group share one session',
    why: 'Each of them sees the files and variables of the others, and can act with what was allowed to them.',
    fix: 'group_sessions_per_user: true',
    find: facts =>
      settingOf(facts, 'group_sessions_per_user') === false ? ['group_sessions_per_user is false'] : [],
  },
  {
    id: 'approvals.off',
    severity: 'high',
    title: 'Nobody is asked before dangerous commands',
    why: 'What could hurt something outside a sandbox runs unasked; only approvals.deny still holds.',
    fix: 'approvals.mode: manual, or smart',
    find: facts => (settingOf(facts, 'approvals.mode') === 'off' ? ['approvals.mode is off'] : []),
  },
  {
    id: 'approvals.model-decides',
    severity: 'low',
    title: 'A model clears commands before a person sees them',
    why: 'A model can be talked into calling something harmless. Findings of severity high still go to people.',
    fix: 'approvals.mode: manual',
    find: facts => (settingOf(facts, 'approvals.mode') === 'smart' ? ['approvals.mode is smart'] : []),
  },
  {
    id: 'approvals.wide-allowlist',
    severity: 'high',
    title: 'The list of allowed commands allows nearly everything',
    why: 'An entry that begins with a star, or lets a shell or interpreter run any text, is the same as asking nobody.',
    fix: 'command_allowlist: whole commands, or a star only behind words that decide what happens',
    find: facts =>
      textsOf(settingOf(facts, 'command_allowlist')).flatMap(entry => {
        const why = whyTooWide(entry);
        return why === undefined ? [] : [`${entry}: ${why}`];
      }),
  },
];

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}
