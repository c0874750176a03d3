// Every check of the catalogue, on a real home: once with what it looks for, and once without.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EngineAnswers,
  type EngineDouble,
  startEngine,
} from '../../../../test/doubles/engine-double.ts';
import { manualClock } from '../../../../test/fixtures/manual-clock.ts';
import { until } from '../../../../test/wait.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { loadHermesConfig } from '../../../compose.ts';
import { allChecks } from '../../../security/all-checks.ts';
import { auditInstallation } from '../../../security/audit.ts';
import type { AuditFacts } from '../../../security/facts.ts';
import { createBackup } from '../../../store/backup/create.ts';
import { openStore } from '../../../store/open.ts';
import type { CommandContext } from '../../command.ts';
import { gatherFacts } from './facts.ts';

interface Case {
  /** config.yaml, besides the backend. */
  readonly yaml?: string;
  readonly dotenv?: string;
  readonly backend?: 'docker' | 'local' | 'ssh';
  readonly engine?: EngineAnswers | 'over tcp';
  readonly setUp?: () => unknown;
  /** What only another machine would have. */
  readonly facts?: Partial<AuditFacts>;
}

let home: string;
let engine: EngineDouble | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-audit-'));
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  rmSync(home, { recursive: true });
});

const path = (...names: string[]): string => join(home, ...names);
const TELEGRAM = 'telegram:\n  allowed_users: []\n';
const TOKEN = 'TELEGRAM_BOT_TOKEN=123456:abcdefghijklmnopqrstuvwxyz0123456789\n';
const volumes = (volume: string): string => `gateway:\n  sandbox_volumes: ["${volume}"]\n`;

async function store<T>(work: (opened: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
  const opened = await openStore(home);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

const addOwner = () =>
  store(({ people }) =>
    people.decide({
      platform: 'telegram',
      userId: '1',
      role: 'owner',
      standing: 'allowed',
      decidedBy: 'cli',
    }),
  );
const backUp = (madeAt: number) =>
  createBackup({
    ...{ home, reason: 'asked', secrets: 'left out' },
    clock: { ...systemClock, now: () => madeAt },
  });
const DAYS_8 = 8 * 86_400_000;

/** What `with` has and `without` has not. */
const cases: Readonly<Record<string, { readonly with: Case; readonly without: Case }>> = {
  'sandbox.no-isolation': { with: { backend: 'local' }, without: { backend: 'docker' } },
  'sandbox.remote': {
    with: { backend: 'ssh', yaml: 'terminal:\n  ssh_host: h\n' },
    without: { backend: 'ssh', yaml: 'terminal:\n  ssh_host: h\n  ssh_disposable: true\n' },
  },
  'sandbox.wide-mounts': {
    with: {
      yaml: 'gateway:\n  sandbox_volumes: ["LINK:/x:ro"]\n',
      setUp: () => symlinkSync('/etc', path('link')),
    },
    without: { yaml: volumes('/srv/data:/x:ro') },
  },
  'sandbox.writable-mounts': {
    with: { yaml: volumes('/srv/data:/x') },
    without: { yaml: volumes('/srv/data:/x:ro') },
  },
  'sandbox.set-id': {
    with: { yaml: volumes('/srv/data:/x'), facts: { refusesSetId: false } },
    without: { yaml: volumes('/srv/data:/x'), facts: { refusesSetId: true } },
  },
  'sandbox.forwarded-secrets': {
    with: { yaml: 'gateway:\n  sandbox_forward_env: [GITHUB_TOKEN]\n' },
    without: { yaml: 'gateway:\n  sandbox_forward_env: [LANG]\n' },
  },
  'sandbox.network-open': {
    with: { yaml: 'gateway:\n  sandbox_network: open\n' },
    without: { yaml: 'gateway:\n  sandbox_network: none\n' },
  },
  'sandbox.can-send-away': {
    with: { yaml: `${volumes('/srv/data:/x:ro')}  sandbox_network: open\n` },
    without: { yaml: 'gateway:\n  sandbox_network: open\n' },
  },
  'sandbox.dangerous-volumes': {
    with: { yaml: 'terminal:\n  docker_allow_dangerous_volumes: true\n' },
    without: {},
  },
  'sandbox.capabilities': {
    with: { yaml: 'terminal:\n  docker_extra_caps: [CHOWN, CAP_SYS_ADMIN]\n' },
    without: { yaml: 'terminal:\n  docker_extra_caps: [CHOWN]\n' },
  },
  'sandbox.image-moves': {
    with: { yaml: 'gateway:\n  sandbox_image: host:5000/debian\n' },
    without: { yaml: 'gateway:\n  sandbox_image: host:5000/debian:12\n' },
  },
  'sandbox.persistent-shell': {
    with: { backend: 'local', yaml: 'terminal:\n  local_persistent: true\n' },
    without: { backend: 'local' },
  },
  'sandbox.retention': {
    with: { yaml: 'gateway:\n  sandbox_retention: 365d\n' },
    without: { yaml: 'gateway:\n  sandbox_retention: 30d\n' },
  },
  'limits.not-enforced': {
    with: { engine: { info: { MemoryLimit: false } } },
    without: { engine: {} },
  },
  'limits.disk': {
    with: { engine: {} },
    without: {
      facts: { limits: { cpus: 'enforced', memory: 'enforced', disk: 'soft', processes: 'enforced' } },
    },
  },
  'people.allow-all': {
    with: { yaml: 'telegram:\n  allow_all_users: true\n', dotenv: TOKEN },
    without: { yaml: 'console:\n  mode: text\n  allow_all_users: true\n' },
  },
  'people.no-owner': {
    with: { yaml: TELEGRAM, dotenv: TOKEN },
    without: { yaml: TELEGRAM, dotenv: TOKEN, setUp: addOwner },
  },
  'people.shared-sessions': { with: { yaml: 'group_sessions_per_user: false\n' }, without: {} },
  'approvals.off': {
    with: { yaml: 'approvals:\n  mode: off\n' },
    without: { yaml: 'approvals:\n  mode: manual\n' },
  },
  'approvals.model-decides': {
    with: { yaml: 'approvals:\n  mode: smart\n' },
    without: { yaml: 'approvals:\n  mode: manual\n' },
  },
  'approvals.wide-allowlist': {
    with: { yaml: 'command_allowlist: ["bash -c *"]\n' },
    without: { yaml: 'command_allowlist: ["npm run *", "bash build.sh"]\n' },
  },
  'doors.exposed': {
    with: { yaml: 'web:\n  enabled: true\n  host: 0.0.0.0\n' },
    without: { yaml: 'web:\n  host: 0.0.0.0\n  enabled: false\ngateway:\n  http_host: 127.0.0.2\n' },
  },
  'doors.plain-http': {
    with: { yaml: 'model:\n  base_url: http://models.example/v1\n' },
    without: { yaml: 'model:\n  base_url: http://127.0.0.1:11434/v1\n' },
  },
  'doors.plain-engine': { with: { engine: 'over tcp' }, without: { engine: {} } },
  'doors.engine-in-container': {
    with: { engine: {}, facts: { inContainer: true } },
    without: { engine: {}, facts: { inContainer: false } },
  },
  'doors.plugins': {
    with: { yaml: 'gateway:\n  plugins: [{name: my-chat, module: /opt/my-chat.js}]\n' },
    without: { yaml: 'gateway:\n  plugins: []\n' },
  },
  'secrets.in-config': {
    with: { yaml: 'telegram:\n  bot_token: "123456:abcdefghijklmnopqrstuvwxyz0123456789"\n' },
    without: { yaml: 'telegram:\n  bot_token: ${MY_TOKEN}\n', dotenv: 'MY_TOKEN=123456:abcdefghij\n' },
  },
  'secrets.readable': {
    with: { dotenv: TOKEN, setUp: () => chmodSync(path('.env'), 0o640) },
    without: { dotenv: TOKEN },
  },
  'secrets.redaction-off': { with: { yaml: 'security:\n  redact_secrets: false\n' }, without: {} },
  'state.readable': { with: { setUp: () => chmodSync(home, 0o755) }, without: {} },
  'state.foreign': {
    with: { setUp: () => process.getuid?.() === 0 && chownSync(path('config.yaml'), 65_534, 65_534) },
    without: {},
  },
  'gateway.root': { with: { facts: { uid: 0 } }, without: { facts: { uid: 1000 } } },
  'gateway.talkative-log': { with: { yaml: 'gateway:\n  log_level: debug\n' }, without: {} },
  'programs.way-out': {
    with: { engine: { runc: '1.1.11' } },
    without: { engine: { runc: '1.3.3' } },
  },
  'programs.known-hole': {
    with: { engine: { engine: '28.2.2' } },
    without: { engine: {} },
  },
  'operation.no-backup': {
    with: { setUp: () => store(() => backUp(Date.now() - DAYS_8)) },
    without: { setUp: () => store(() => backUp(Date.now())) },
  },
  'operation.short-audit': {
    with: { yaml: 'gateway:\n  audit_retention: 7d\n' },
    without: { yaml: 'gateway:\n  audit_retention: 90d\n' },
  },
};

/** Two texts with the same section at their top would be one mistake. */
function withBackend(yaml: string, backend: string): string {
  const line = `  terminal_backend: ${backend}\n`;
  return yaml.includes('gateway:\n')
    ? yaml.replace('gateway:\n', `gateway:\n${line}`)
    : `${yaml}gateway:\n${line}`;
}

async function contextFor({ yaml = '', dotenv, backend = 'docker', engine: answers }: Case) {
  const text = withBackend(yaml, backend).replace('LINK', path('link'));
  writeFileSync(path('config.yaml'), text, { mode: 0o600 });
  if (dotenv !== undefined) writeFileSync(path('.env'), dotenv, { mode: 0o600 });
  if (answers !== undefined)
    engine = await startEngine(
      answers === 'over tcp' ? {} : answers,
      answers === 'over tcp' ? undefined : path('engine.sock'),
    );
  const host = engine?.host ?? `unix://${path('none.sock')}`;
  return { HERMES_HOME: home, HOME: home, PATH: process.env['PATH'], DOCKER_HOST: host };
}

async function factsOf(
  given: Case,
  clock: Clock = systemClock,
): Promise<{ facts: AuditFacts; notes: readonly string[] }> {
  const environment = await contextFor(given);
  if (answersOverSocket(given)) chmodSync(path('engine.sock'), 0o600);
  await given.setUp?.();
  const config = await loadHermesConfig(environment);
  // The parts of a context that looking needs.
  const context = { environment, clock } as unknown as CommandContext;
  const gathered = await store(opened => gatherFacts({ config, store: opened, gateway: 'none' }, context));
  return { ...gathered, facts: { ...gathered.facts, ...given.facts } };
}

const answersOverSocket = ({ engine: answers }: Case): boolean => typeof answers === 'object';

async function found(given: Case): Promise<string[]> {
  const { facts } = await factsOf(given);
  return auditInstallation(facts, []).findings.map(({ id }) => id);
}

describe('the audit', () => {
  it('has a case for every check, and every id once', () => {
    expect(Object.keys(cases).sort()).toEqual(allChecks.map(({ id }) => id).sort());
  });

  describe.each(allChecks.map(({ id }) => id))('%s', id => {
    it('is found', async context => {
      if (id === 'state.foreign' && process.getuid?.() !== 0) return context.skip('not run: needs root');
      expect(await found(cases[id]?.with ?? {})).toContain(id);
    });
    it('is not found', async () => {
      expect(await found(cases[id]?.without ?? {})).not.toContain(id);
    });
  });

  it('finds nothing of note with the defaults, a backup and a user of its own', async () => {
    const limits = { cpus: 'enforced', memory: 'enforced', disk: 'soft', processes: 'enforced' } as const;
    const given: Case = {
      engine: {},
      setUp: () => store(() => backUp(Date.now())),
      facts: { uid: 1000, inContainer: false, limits, foreign: [] },
    };
    expect(await found(given)).toEqual([]);
  });

  it('shows no secret of config.yaml', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const { facts } = await factsOf({ yaml: `command_allowlist: ["curl -H ${secret}"]\n` });
    const report = auditInstallation(facts, []);
    expect(report.findings.find(({ id }) => id === 'secrets.in-config')?.found).toEqual([
      'config.yaml:1: something that looks like a secret',
    ]);
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  it('waits for no engine that does not answer, and says so', async () => {
    const clock = manualClock(Date.now());
    const gathering = factsOf({ engine: { isSilent: true } }, clock);
    await until(() => clock.pending().length > 0, 'the engine is asked');
    clock.advance(1200);
    const { notes, facts } = await gathering;
    expect([facts.limits, notes]).toEqual([null, [expect.stringMatching(/^docker could not be asked/)]]);
  });

  it('looks into folders of the home when others can get into it', async () => {
    const { facts } = await factsOf({
      setUp() {
        chmodSync(home, 0o711);
        mkdirSync(path('logs'), { mode: 0o700 });
        writeFileSync(path('logs/gateway.log'), '', { mode: 0o644 });
      },
    });
    expect(facts.loose.map(({ path: name }) => name)).toEqual([home, path('logs/gateway.log')]);
  });
});

describe('what is ignored', () => {
  it('is listed apart with its reason, and fails nothing', async () => {
    const { facts } = await factsOf({ backend: 'local', facts: { uid: 1000 } });
    const reason = 'a throw-away machine';
    const { findings, ignored, counts } = auditInstallation(facts, [{ id: 'sandbox.no-isolation', reason }]);
    expect(findings.map(({ id }) => id)).not.toContain('sandbox.no-isolation');
    expect(ignored).toMatchObject([{ id: 'sandbox.no-isolation', reason }]);
    expect(counts.critical).toBe(0);
  });

  it('is named when it is unknown, or hides nothing', async () => {
    const { facts } = await factsOf({});
    const ignore = ['people.shared-sessions', 'people.nobody'].map(id => ({ id, reason: 'x' }));
    expect(auditInstallation(facts, ignore).notes).toEqual([
      'security.audit_ignore names people.shared-sessions, and nothing of that kind is found any more.',
      'security.audit_ignore names people.nobody, and there is no such check.',
    ]);
  });

  it.each([
    ['- id: gateway.root', 'no reason'],
    ['- gateway.root', 'a bare id'],
    ['- {id: gateway.root, reason: x, until: y}', 'a field too many'],
    ['- {id: gateway.root, reason: ""}', 'an empty reason'],
  ])('has to be whole: %s', async entry => {
    writeFileSync(path('config.yaml'), `security:\n  audit_ignore:\n    ${entry}\n`);
    await expect(loadHermesConfig({ HERMES_HOME: home })).rejects.toThrow('a list of `{id, reason}`');
  });
});
