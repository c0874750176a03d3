// Every command of the CLI: how it is called beside a gateway that is full of secrets, or why it is not.
import { NAMED } from './model-script.ts';
import { knownSpill } from './secrets.ts';

export interface Shown {
  readonly sandbox: string;
  readonly session: string;
  /** A folder outside of the installation. */
  readonly folder: string;
}

/** The words after the command; or why it cannot show anything of the state. */
export type Called = ((shown: Shown) => readonly string[]) | string;

const ONLY =
  (...words: readonly string[]) =>
  () =>
    words;
const IN_SANDBOX = ({ sandbox }: Shown) => [sandbox];

const PASSED_ON = 'passes on the output of the user’s own command';
const CONVERSATION = 'a conversation of its own, proved in test/integration/chat';
const ANSWERS = 'changes the state and names nothing but ids';
const CONFIGURES = 'shows settings, proved in src/config and test/integration/cli.test.ts';

export const COMMANDS: Readonly<Record<string, Called>> = {
  start: CONVERSATION,
  setup: CONVERSATION,
  chat: CONVERSATION,
  status: ONLY(),
  'gateway start': 'is what the test runs; all that it prints is searched',
  'gateway stop': ANSWERS,
  'gateway restart': ANSWERS,
  'gateway status': ONLY(),
  'gateway logs': ONLY('--lines', '1000'),
  'gateway login': ONLY(),
  'gateway claim': ONLY(),
  'gateway install': 'writes a unit for the service manager of the user',
  run: PASSED_ON,
  shell: PASSED_ON,
  'sandbox list': ONLY('--all'),
  'sandbox explain': ONLY(),
  'sandbox inspect': IN_SANDBOX,
  'sandbox logs': ({ sandbox }) => [sandbox, '--wake'],
  'sandbox files': ({ sandbox }) => [sandbox, NAMED, '--wake'],
  'sandbox get': ({ sandbox, folder }) => [sandbox, NAMED, `${folder}/${NAMED}`, '--force', '--wake'],
  'sandbox put': ({ sandbox, folder }) => [sandbox, `${folder}/${NAMED}`, '--wake'],
  'sandbox suspend': ANSWERS,
  'sandbox destroy': ANSWERS,
  'sandbox prune': ONLY('--dry-run'),
  'sandbox verify': 'shows what its own probes found',
  'session list': ONLY('--all'),
  'session show': ({ session }) => [session],
  'session delete': ANSWERS,
  'approvals list': ONLY(),
  'approvals approve': ANSWERS,
  'approvals deny': ANSWERS,
  'approvals allowed': ONLY(),
  'approvals revoke': ANSWERS,
  'people list': ONLY(),
  'people allow': ANSWERS,
  'people deny': ANSWERS,
  'people role': ANSWERS,
  'people forget': ANSWERS,
  'pairing list': ONLY(),
  'pairing approve': ANSWERS,
  'pairing revoke': ANSWERS,
  'pairing clear-pending': ANSWERS,
  'audit list': ONLY('--last', '1000'),
  redact: PASSED_ON,
  explain: ONLY('--', `echo ${knownSpill('explain')}`),
  doctor: 'asks every engine and model of the machine; its errors are those of the commands',
  'security audit': ONLY(),
  'backup create': ONLY(),
  'backup list': ONLY(),
  'backup verify': 'says whether an archive is whole',
  'backup restore': ANSWERS,
  'model list': ONLY(),
  'model set': CONFIGURES,
  'model test': ONLY(),
  'config show': ONLY(),
  'config check': ONLY(),
  'config set': CONFIGURES,
  'config unset': CONFIGURES,
  'config path': CONFIGURES,
  'migrate check': ONLY(),
  'migrate apply': CONFIGURES,
  completion: 'a script made from the table of commands',
};
