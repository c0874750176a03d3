import { describe, expect, it } from 'vitest';
import { looksLikeSecretName } from './secret-name.ts';

describe('the name of a variable', () => {
  it.each([
    ...['GITHUB_TOKEN', 'OPENAI_API_KEY', 'DB_PASSWORD', 'PGPASSWORD', 'MYSQL_PWD', 'SMTP_PASS', 'SSHPASS'],
    ...[
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'CLIENT_SECRET',
      'clientSecret',
      'SECRET_KEY_BASE',
      'GH_PAT',
    ],
    ...[
      'STRIPE_SECRET',
      'STRIPE_KEY',
      'SENTRY_DSN',
      'DB_CREDENTIALS',
      'TOKEN_PROD',
      'PASSWORD_2',
      'NPM_AUTH',
    ],
    ...[
      'ENCRYPTION_KEY',
      'x-api-key',
      'accessToken',
      'APIKEY',
      'AUTHTOKEN',
      'SSH_PRIVATE_KEY',
      'VAULT_TOKEN',
    ],
  ])('%s looks like a secret', name => {
    expect(looksLikeSecretName(name)).toBe(true);
  });

  it.each([
    ...[
      'PATH',
      'HOME',
      'AUTHOR',
      'OAUTH_ENABLED',
      'MAX_TOKENS',
      'TOKEN_COUNT',
      'TOKENIZERS_PARALLELISM',
      'KEYBOARD',
    ],
    ...[
      'PUBLIC_KEY',
      'PRIMARY_KEY',
      'CACHE_KEY',
      'PASSWORD_FILE',
      'TOKEN_URL',
      'SECRET_NAME',
      'COMPASS',
      'BYPASS',
    ],
    ...['LANG', 'NODE_ENV', 'SSH_AUTH_SOCK', 'MONKEY', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'PASSTHROUGH', ''],
  ])('%s does not', name => {
    expect(looksLikeSecretName(name)).toBe(false);
  });
});
