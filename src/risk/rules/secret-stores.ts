// Tools that keep secrets, and what they are told to do when they give one away.
import { hasFlag } from '../command.ts';
import type { Judged } from './rule.ts';

interface Told {
  readonly command: Judged;
  readonly words: readonly string[];
  /** The words with single spaces. */
  readonly text: string;
}

type Store = (told: Told) => boolean;

const exportsKeys: Store = ({ command }) =>
  command.args.some(arg => /^--export-secret|^--export-ownertrust/.test(arg));
const showsEntry: Store = ({ words }) =>
  words.length > 0 && !/^(?:ls|list|git|init|find|version|help|insert|generate|search)$/.test(words[0] ?? '');
const readsItem: Store = ({ text }) => /^(?:read|item get|inject|show|export|read|document get)/.test(text);
const showsClusterSecret: Store = ({ command, text }) =>
  (/^(?:get|describe|view-secret) (?:secrets?|.*,secrets?)/.test(text) &&
    command.args.some(
      arg =>
        /^(?:-o|--output|-ojson|-oyaml|--template)/.test(arg) && !/name|wide/.test(command.args.join(' ')),
    )) ||
  (/^config view/.test(text) && command.args.includes('--raw')) ||
  /^create token/.test(text);

/** What each tool is told to do when it gives a secret away. */
export const secretStores: Readonly<Record<string, Store>> = {
  security: ({ text }) => /^(?:find-(?:generic|internet)-password|dump-keychain|export|find-key)/.test(text),
  gpg: exportsKeys,
  gpg2: exportsKeys,
  pass: showsEntry,
  gopass: showsEntry,
  op: readsItem,
  lpass: readsItem,
  chamber: readsItem,
  bw: ({ text }) => /^(?:get|export|list items)/.test(text),
  vault: ({ text }) => /^(?:read|kv get|print token|token create)/.test(text),
  gh: ({ command, text }) =>
    /^auth token/.test(text) || (/^auth status/.test(text) && hasFlag(command, 't', 'show-token')),
  gcloud: ({ text }) =>
    /auth (?:application-default )?print-(?:access|identity)-token|^secrets versions access|iam service-accounts keys create/.test(
      text,
    ),
  aws: ({ text }) =>
    /^configure (?:get|export-credentials)|^secretsmanager get-secret-value|^sts (?:get-session-token|assume-role|get-federation)|^ecr get-login|^kms decrypt|^ssm get-parameter/.test(
      text,
    ) && !/configure get (?:region|output|profile)/.test(text),
  az: ({ text }) =>
    /^keyvault secret show|^account get-access-token|keys list|list-keys|credential/.test(text),
  kubectl: showsClusterSecret,
  oc: showsClusterSecret,
  git: ({ text }) => /^credential (?:fill|approve)/.test(text),
  'ssh-keygen': ({ command }) =>
    hasFlag(command, 'y') || (command.args.includes('-p') && command.args.includes('-f')),
  'secret-tool': ({ words }) => words[0] === 'lookup' || words[0] === 'search',
  getent: ({ words }) => words[0] === 'shadow' || words[0] === 'gshadow',
  keyctl: ({ text }) => /^(?:print|read|pipe)/.test(text),
  doppler: ({ text }) => /^secrets(?: get| download)?/.test(text),
  heroku: ({ words }) => /^config(?::get)?$/.test(words[0] ?? ''),
  npm: ({ words }) => words[0] === 'token',
  unshadow: () => true,
  terraform: ({ command, words, text }) =>
    words[0] === 'output' && hasFlag(command, 'json', 'raw') && /pass|secret|token|key/i.test(text),
  sops: ({ command, words }) => hasFlag(command, 'd', 'decrypt') || words[0] === 'decrypt',
};
