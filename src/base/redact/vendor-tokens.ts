// The tokens of vendors that can be told by how they begin, as data.
import type { TokenRow } from './shape.ts';

// So many letters tell a token. What follows them is its tail.
const alnum = (least: number): string => `[A-Za-z0-9]{${least}}`;
const word = (least: number): string => `[\\w-]{${least}}`;
const hex = (least: number): string => `[0-9a-fA-F]{${least}}`;
/** Kind, what it begins with, what follows, and the characters of the rest. */
const prefixed = (kind: string, prefixes: readonly string[], rest: string, tail?: RegExp): TokenRow => ({
  kind,
  anchors: prefixes,
  source: `(?:${prefixes.map(prefix => prefix.replaceAll('.', '\\.')).join('|')})${rest}`,
  // A prefix with a mark in it does not come about by chance.
  border:
    prefixes.every(prefix => prefix.length > 4 || /[_-]$/.test(prefix)) && !prefixes.includes('sk-')
      ? 'any'
      : 'word',
  ...(tail ? { tail } : {}),
});

const DOTTED = /[\w.-]*/y;
const BASE64 = /[\w+/=.%-]*/y;

/** A short beginning, which only letters of both cases and a digit make a token of. */
const mixed = (kind: string, prefix: string, rest: string): TokenRow => ({
  kind,
  anchors: [prefix],
  source: `${prefix}(?=[A-Za-z]{0,63}\\d)(?=[A-Z0-9]{0,63}[a-z])(?=[a-z0-9]{0,63}[A-Z])${rest}`,
});

const models: readonly TokenRow[] = [
  prefixed('anthropic-key', ['sk-ant-'], word(16)),
  prefixed('openrouter-key', ['sk-or-v1-'], hex(32)),
  prefixed(
    'openai-key',
    ['sk-'],
    `(?:(?:proj|svcacct|admin|service)-${word(20)}|(?=[A-Za-z]{0,40}\\d)${alnum(20)}|${alnum(32)})`,
  ),
  prefixed('huggingface-token', ['hf_', 'api_org_'], alnum(30)),
  prefixed('groq-key', ['gsk_'], alnum(32)),
  prefixed('xai-key', ['xai-'], alnum(40)),
  prefixed('perplexity-key', ['pplx-'], alnum(32)),
  prefixed('replicate-token', ['r8_'], alnum(32)),
  prefixed('nvidia-key', ['nvapi-'], word(40)),
  prefixed('langsmith-key', ['lsv2_pt_', 'lsv2_sk_'], '[0-9a-f_]{32}'),
  prefixed('tavily-key', ['tvly-'], word(20)),
  prefixed('cerebras-key', ['csk-'], alnum(32)),
  mixed('fireworks-key', 'fw_', '[A-Za-z0-9]{20,64}(?![\\w-])'),
  { kind: 'elevenlabs-key', anchors: ['sk_'], source: 'sk_[0-9a-f]{40,64}(?![0-9A-Za-z])' },
];

const code: readonly TokenRow[] = [
  prefixed('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], alnum(20)),
  prefixed('github-token', ['github_pat_'], '\\w{22}'),
  prefixed(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glptt-',
      'glrt-',
      'glcbt-',
      'glft-',
      'glsoat-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glffct-',
    ],
    '[\\w.-]{16}',
    DOTTED,
  ),
  prefixed('gitlab-token', ['GR1348941'], word(16)),
  prefixed('bitbucket-token', ['ATBB'], alnum(24)),
  prefixed('atlassian-token', ['ATATT3', 'ATCTT3', 'ATSTT3'], '[\\w=-]{20}', BASE64),
  prefixed('npm-token', ['npm_'], alnum(30)),
  prefixed('pypi-token', ['pypi-'], word(40)),
  prefixed('rubygems-token', ['rubygems_'], hex(40)),
  prefixed('dockerhub-token', ['dckr_pat_', 'dckr_oat_'], word(20)),
  prefixed('artifactory-key', ['AKCp'], alnum(50)),
  prefixed('circleci-token', ['CCIPAT_', 'CCIPRJ_'], word(24)),
  prefixed('buildkite-token', ['bkua_'], hex(32)),
  prefixed('postman-key', ['PMAK-'], '[0-9a-f]{24}-[0-9a-f]{30,40}'),
  prefixed('figma-token', ['figd_', 'figu_'], word(30)),
  prefixed('linear-key', ['lin_api_', 'lin_oauth_', 'lin_wh_'], alnum(30)),
  prefixed('notion-token', ['ntn_'], alnum(36)),
  prefixed('notion-token', ['secret_'], alnum(40)),
  { kind: 'airtable-token', anchors: ['pat'], source: 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{40,80}' },
  prefixed('sentry-token', ['sntrys_', 'sntryu_', 'sntrya_'], '[\\w+/=.-]{20}', BASE64),
  prefixed('contentful-token', ['CFPAT-'], word(36)),
  mixed('crates-token', 'cio', '[A-Za-z0-9]{32}(?![\\w-])'),
  prefixed('posthog-key', ['phx_'], alnum(30)),
];

const clouds: readonly TokenRow[] = [
  {
    kind: 'aws-access-key',
    anchors: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    source: 'A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])',
  },
  {
    kind: 'aws-secret-key',
    anchors: ['AKIA', 'ASIA'],
    source:
      'A[KS]IA[A-Z0-9]{16}["\']?[ \\t,:;|]{1,4}(?:[A-Za-z_]{1,24}["\']?[ \\t]{0,2}[:=][ \\t]{0,2})?["\']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])',
  },
  prefixed(
    'aws-session-token',
    ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz'],
    '[A-Za-z0-9+/=%]{40}',
    BASE64,
  ),
  prefixed('aws-bedrock-key', ['ABSK'], '[A-Za-z0-9+/=]{80}', BASE64),
  prefixed('google-api-key', ['AIza'], word(30)),
  prefixed('google-oauth-token', ['ya29.'], '[\\w.-]{20}', DOTTED),
  prefixed('google-oauth-secret', ['GOCSPX-'], word(20)),
  { kind: 'google-refresh-token', anchors: ['1//0'], source: '1//0[\\w-]{30}' },
  {
    kind: 'azure-client-secret',
    anchors: ['7Q~', '8Q~'],
    before: 3,
    source: '[\\w~.-]{3}[78]Q~[\\w~.-]{30,40}',
  },
  {
    kind: 'azure-storage-key',
    anchors: ['+ASt'],
    before: 76,
    border: 'any',
    source: '[A-Za-z0-9+/]{76}\\+ASt[A-Za-z0-9+/]{4,8}={0,2}',
  },
  {
    kind: 'azure-devops-token',
    anchors: ['AZDO'],
    before: 76,
    border: 'any',
    source: '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}',
  },
  { kind: 'azure-sas', anchors: ['sig='], source: 'sig=([A-Za-z0-9%+/]{40})', tail: BASE64 },
  {
    kind: 'url-signature',
    anchors: ['sig=', 'Sig=', 'signature=', 'Signature=', 'hmac='],
    border: 'any',
    source: '(?<=[?&;](?:X-[A-Za-z]{2,8}-|x-[a-z]{2,8}-)?)(?:[sS]ig|[sS]ignature|hmac)=([\\w%+/.~-]{16})',
    tail: BASE64,
  },
  prefixed('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], hex(32)),
  prefixed('heroku-key', ['HRKU-'], word(30)),
  prefixed('cloudflare-key', ['v1.0-'], '[0-9a-f]{24}-[0-9a-f]{100,200}'),
  prefixed('cloudflare-token', ['cfut_', 'cfat_', 'cfk_'], word(36)),
  prefixed('databricks-token', ['dapi'], '[0-9a-f]{32}(?:-\\d{1,2})?'),
  prefixed('vault-token', ['hvs.', 'hvb.', 'hvr.'], word(20)),
  prefixed('pulumi-token', ['pul-'], hex(40)),
  prefixed('terraform-token', ['.atlasv1.'], word(40)),
  prefixed('alibaba-key', ['LTAI'], alnum(16)),
  prefixed('tencent-key', ['AKID'], alnum(32)),
  prefixed('fly-token', ['fo1_', 'fm2_', 'fm1r_', 'fm1a_'], '[\\w+/=-]{30}', BASE64),
  prefixed('netlify-token', ['nfp_', 'nfc_', 'nfu_', 'nfo_'], alnum(30)),
  prefixed('vercel-token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], alnum(24)),
  prefixed('supabase-key', ['sbp_', 'sb_secret_'], word(20)),
  prefixed('planetscale-token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[\\w.=-]{20}', BASE64),
  prefixed('tailscale-key', ['tskey-'], word(20)),
  prefixed('doppler-token', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], '[\\w.-]{30}', DOTTED),
  prefixed('1password-token', ['ops_eyJ'], '[\\w=-]{40}', BASE64),
  prefixed('swarm-token', ['SWMTKN-1-'], word(40)),
  prefixed('grafana-token', ['glsa_', 'glc_'], '[\\w+/=]{30}', BASE64),
  prefixed('dynatrace-token', ['dt0c01.', 'dt0s01.'], '[A-Z0-9]{20,30}\\.[A-Z0-9]{50,70}'),
  prefixed('newrelic-key', ['NRAK-', 'NRII-', 'NRJS-', 'NRAA-', 'NRRA-'], alnum(16)),
  { kind: 'newrelic-key', anchors: ['NRAL'], before: 36, source: '[0-9a-f]{36}NRAL' },
];

const messages: readonly TokenRow[] = [
  {
    kind: 'slack-token',
    anchors: ['xox', 'xapp-'],
    border: 'any',
    source: '(?:xox[abcdeoprs]-|xoxe\\.|xapp-)[\\w%.+/=-]{10}',
    tail: BASE64,
  },
  {
    kind: 'slack-webhook',
    anchors: ['hooks.slack.com/'],
    border: 'any',
    source: 'hooks\\.slack\\.com/(?:services|workflows|triggers)/([\\w/-]{20})',
    tail: BASE64,
  },
  {
    kind: 'discord-webhook',
    anchors: ['/api/webhooks/'],
    border: 'any',
    source: '/api/webhooks/\\d{5,30}/([\\w-]{30})',
  },
  {
    kind: 'teams-webhook',
    anchors: ['.webhook.office.com/'],
    border: 'any',
    source: '\\.webhook\\.office\\.com/webhookb2/([\\w@/-]{40})',
    tail: /[\w@/-]*/y,
  },
  {
    kind: 'teams-webhook',
    anchors: ['outlook.office.com/webhook/'],
    border: 'any',
    source: 'outlook\\.office\\.com/webhook/([\\w@/-]{40})',
    tail: /[\w@/-]*/y,
  },
  { kind: 'discord-token', anchors: ['mfa.'], source: 'mfa\\.[\\w-]{60}' },
  prefixed('sendgrid-key', ['SG.'], '[\\w-]{16,64}\\.[\\w-]{16,128}'),
  { kind: 'mailgun-key', anchors: ['key-'], source: 'key-[0-9a-f]{32}(?![0-9A-Za-z])' },
  { kind: 'mailchimp-key', anchors: ['-us'], before: 32, source: '[0-9a-f]{32}-us\\d{1,2}(?!\\d)' },
  prefixed('brevo-key', ['xkeysib-', 'xsmtpsib-'], '[0-9a-f]{50,80}-\\w{10,30}'),
];

const money: readonly TokenRow[] = [
  prefixed('stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], alnum(10)),
  prefixed('stripe-webhook-secret', ['whsec_'], '[A-Za-z0-9+/=]{20}', BASE64),
  prefixed('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], hex(16)),
  prefixed('square-token', ['sq0atp-', 'sq0csp-', 'sq0idp-'], word(20)),
  prefixed('square-token', ['EAAA'], word(40)),
  prefixed('facebook-token', ['EAAC', 'EAAB', 'EAAG'], alnum(60)),
  { kind: 'dropbox-token', anchors: ['sl.'], source: 'sl\\.(?:[ub]\\.)?[\\w-]{40}' },
  prefixed('shippo-token', ['shippo_live_', 'shippo_test_'], hex(32)),
  prefixed('easypost-key', ['EZAK', 'EZTK'], alnum(50)),
];

const keys: readonly TokenRow[] = [
  {
    kind: 'private-key',
    anchors: ['Private-MAC: ', 'Private-Hash: '],
    source: 'Private-(?:MAC|Hash): ([0-9a-f]{40,64})(?![0-9A-Za-z])',
  },
  prefixed('age-key', ['AGE-SECRET-KEY-1'], '[A-Z0-9]{20,80}'),
  { kind: 'age-key', anchors: ['AGE-PLUGIN-'], source: 'AGE-PLUGIN-[A-Z0-9]{1,30}-1[A-Z0-9]{20,200}' },
];

const CRYPT = '[./A-Za-z0-9]';
/** As /etc/shadow, .htpasswd and databases have them: whoever has one can try passwords on it. */
const hashes: readonly TokenRow[] = [
  ['$6$', `\\$6\\$(?:rounds=\\d{1,9}\\$)?${CRYPT}{1,16}\\$${CRYPT}{86}`] as const,
  ['$5$', `\\$5\\$(?:rounds=\\d{1,9}\\$)?${CRYPT}{1,16}\\$${CRYPT}{43}`] as const,
  ['$1$', `\\$1\\$${CRYPT}{1,8}\\$${CRYPT}{22}`] as const,
  ['$apr1$', `\\$apr1\\$${CRYPT}{1,8}\\$${CRYPT}{22}`] as const,
  ['$y$', `\\$y\\$${CRYPT}{1,16}\\$${CRYPT}{1,86}\\$${CRYPT}{43}`] as const,
  ...['$2a$', '$2b$', '$2y$'].map(each => [each, `\\$2[aby]\\$\\d\\d\\$${CRYPT}{53}`] as const),
  [
    '$argon2',
    '\\$argon2(?:id|i|d)\\$(?:v=\\d{1,3}\\$)?[mtp=,\\d]{5,60}\\$[\\w+/-]{8,100}\\$[\\w+/-]{16,200}',
  ] as const,
].map(
  ([anchor, source]): TokenRow => ({
    kind: 'password-hash',
    anchors: [anchor],
    border: 'any',
    source,
    tail: BASE64,
  }),
);

const HEX_DIGITS = [...'0123456789abcdef'];
const twilio: TokenRow = {
  kind: 'twilio-key',
  anchors: HEX_DIGITS.flatMap(digit => [`SK${digit}`, `AC${digit}`]),
  source: '(?:SK|AC)[0-9a-f]{32}(?![0-9A-Za-z])',
};

export const vendorTokens: readonly TokenRow[] = [
  ...models,
  ...code,
  ...clouds,
  ...messages,
  twilio,
  ...money,
  ...keys,
  ...hashes,
];
