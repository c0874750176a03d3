// Checks of what listens, what is sent in the clear, and where secrets lie.
import { isLoopback } from '../../base/loopback.ts';
import type { Check } from '../check.ts';
import { type AuditFacts, type LooseFile, settingOf } from '../facts.ts';

const HOST = /(?:^|[._])host$/;
const PLAIN = /^http:\/\/(\[[^\]]+\]|[^/:?#]+)/;

export const doorChecks: readonly Check[] = [
  {
    id: 'doors.exposed',
    severity: 'high',
    title: 'Pages of the gateway can be reached from other machines',
    why: 'Health and figures ask for no password, and the chat is not encrypted by itself.',
    fix: 'the setting that is named: 127.0.0.1, with a proxy that encrypts and asks who comes before it',
    find: facts =>
      facts.config
        .entries()
        .filter(({ key, setting }) => HOST.test(key) && isLoopback(String(setting.default)))
        .filter(({ key, value }) => !isLoopback(String(value)) && isOn(facts, key))
        .map(({ key, value }) => `${key} is ${value}`),
  },
  {
    id: 'doors.plain-http',
    severity: 'medium',
    title: 'Conversations or keys go over the network in the clear',
    why: 'Whoever is on the way can read them, and change the answers of the model.',
    fix: 'the setting that is named: an address with https',
    find: ({ config }) =>
      config.entries().flatMap(({ key, value }) =>
        [value]
          .flat()
          .filter(each => typeof each === 'string' && !isLoopback(PLAIN.exec(each)?.[1] ?? 'localhost'))
          .map(each => `${key}: ${each}`),
      ),
  },
  {
    id: 'doors.plain-engine',
    severity: 'critical',
    title: 'The engine is commanded over a network that is not encrypted',
    why: 'Whoever reaches that address is root on the machine of the engine.',
    fix: 'DOCKER_HOST: a socket (unix://…), or DOCKER_TLS_VERIFY=1 with DOCKER_CERT_PATH',
    find: ({ reach }) => (reach === 'plain' ? ['the engine is reached over plain TCP'] : []),
  },
  {
    id: 'doors.engine-in-container',
    severity: 'medium',
    title: 'A gateway in a container commands the engine of its host',
    why: 'Whoever takes over the gateway can start a container with the whole host in it: its own container does not hold.',
    fix: 'Run the gateway on the host, or give it an engine of its own (rootless, or on another machine)',
    find: ({ inContainer, reach }) =>
      inContainer && reach ? ['the gateway runs in a container and has an engine'] : [],
  },
  {
    id: 'doors.plugins',
    severity: 'medium',
    title: 'Code of others runs with the rights of the gateway',
    why: 'A plugin can read every message, key and file of the gateway, and nothing holds it back.',
    fix: 'gateway.plugins: keep only what you have read or trust, or accept it in security.audit_ignore',
    find: facts => pluginsIn(settingOf(facts, 'gateway.plugins')),
  },
  {
    id: 'secrets.in-config',
    severity: 'high',
    title: 'Secrets stand in config.yaml',
    why: 'That file is shown, copied and put under version control; .env is not, and its values are masked everywhere.',
    fix: 'hermes config set KEY - puts it into .env; then remove the line',
    find: ({ writtenSecrets, secretLines }) => [
      ...writtenSecrets.map(({ key, line }) => `config.yaml:${line}: ${key}`),
      ...secretLines.map(line => `config.yaml:${line}: something that looks like a secret`),
    ],
  },
  {
    id: 'secrets.readable',
    severity: 'critical',
    title: 'Others on this machine can read secrets',
    why: 'Every user and every program of this machine can then act as your bot and use your model.',
    fix: 'hermes doctor --fix',
    find: ({ loose }) => loose.filter(({ isSecret }) => isSecret).map(looseText),
  },
  {
    id: 'secrets.redaction-off',
    severity: 'high',
    title: 'What looks like a secret is not hidden',
    why: 'Keys that commands print go to the model, into chats and into the log.',
    fix: 'security.redact_secrets: true',
    find: ({ config }) => (config.get('security.redact_secrets') ? [] : ['security.redact_secrets is false']),
  },
  {
    id: 'state.readable',
    severity: 'high',
    title: 'Others on this machine can read the state',
    why: 'Conversations, files of people and the control socket are in it.',
    fix: 'hermes doctor --fix',
    find: ({ loose }) => loose.filter(({ isSecret }) => !isSecret).map(looseText),
  },
  {
    id: 'state.foreign',
    severity: 'medium',
    title: 'Files of the installation belong to somebody else',
    why: 'Their owner can change them, also where everybody else is kept out.',
    fix: 'chown -R to the user of the gateway',
    find: ({ foreign }) => foreign,
  },
];

/** `web.host` counts only while `web.enabled`; where there is no such switch it is always on. */
function isOn(facts: AuditFacts, key: string): boolean {
  return settingOf(facts, key.replace(HOST, '.enabled')) !== false;
}

function looseText({ path, mode }: LooseFile): string {
  return `${path} is ${mode.toString(8).padStart(4, '0')}`;
}

function pluginsIn(setting: unknown): readonly string[] {
  const entries = Array.isArray(setting) ? setting : [];
  return entries.map(({ name, module }: { name: string; module: string }) => `${name}: ${module}`); // of its own kind
}
