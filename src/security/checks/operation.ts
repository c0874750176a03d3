// Checks of how the gateway is run: as whom, with which programs, and what is kept.
import type { Check } from '../check.ts';
import { settingOf } from '../facts.ts';
import { HOLE_FIX, holesIn, holeText } from '../known-holes.ts';

const DAY_MS = 86_400_000;
const BACKUP_DAYS = 7;
const AUDIT_DAYS = 30;

export const operationChecks: readonly Check[] = [
  {
    id: 'gateway.root',
    severity: 'medium',
    title: 'The gateway runs as root',
    why: 'A hole in it, or in a library of it, is then a hole in the whole machine.',
    fix: 'sudo hermes gateway install --system --run-as NAME',
    find: ({ uid }) => (uid === 0 ? ['its user is root'] : []),
  },
  {
    id: 'gateway.talkative-log',
    severity: 'low',
    title: 'The log says more than it needs to',
    why: 'With trace and debug more of what people do is written down, and the log is kept for long.',
    fix: 'gateway.log_level: info',
    find(facts) {
      const level = settingOf(facts, 'gateway.log_level');
      return level === 'trace' || level === 'debug' ? [`gateway.log_level is ${level}`] : [];
    },
  },
  {
    id: 'programs.way-out',
    severity: 'high',
    title: 'A program behind the sandboxes has a known way out',
    why: 'What runs in a sandbox can use it; everything else that this audit says of sandboxes is then worth little.',
    fix: HOLE_FIX,
    find: ({ programs }) =>
      holesIn(programs)
        .filter(({ kind }) => kind === 'escape')
        .map(holeText),
  },
  {
    id: 'programs.known-hole',
    severity: 'medium',
    title: 'A program has a known hole',
    why: 'Others know it too.',
    fix: HOLE_FIX,
    find: ({ programs }) =>
      holesIn(programs)
        .filter(({ kind }) => kind === 'other')
        .map(holeText),
  },
  {
    id: 'operation.no-backup',
    severity: 'medium',
    title: 'There is no recent backup',
    why: 'People, pairings, conversations and the audit are in one file on one disk.',
    fix: 'hermes backup create, every day (docs/operations/backup.md)',
    find({ hasState, newestBackup, now }) {
      if (!hasState) return [];
      if (newestBackup === null) return ['there is none'];
      const days = Math.floor((now - newestBackup) / DAY_MS);
      return days >= BACKUP_DAYS ? [`the newest is ${days} days old`] : [];
    },
  },
  {
    id: 'operation.short-audit',
    severity: 'low',
    title: 'The record of who did what is kept for a short time',
    why: 'What happened is mostly asked weeks later.',
    fix: 'gateway.audit_retention: 90d',
    find({ config }) {
      const days = config.get('gateway.audit_retention') / 86_400;
      return days < AUDIT_DAYS ? [`it is kept for ${Math.round(days)} days`] : [];
    },
  },
];
