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
    ...[
      'DATABASE_URL',
      'REDIS_URL',
      'MONGODB_URI',
      'SQLALCHEMY_DATABASE_URI',
      'AZURE_STORAGE_CONNECTION_STRING',
    ],
    ...[
      'AWS_ACCESS_KEY_ID',
      'SLACK_WEBHOOK',
      'SLACK_WEBHOOK_URL',
      'JWT',
      'BEARER',
      'KUBECONFIG',
      'STRIPE_SK',
    ],
    ...['FOO_SECRET_X', 'GITHUB_TOKEN_READONLY', 'DB_PASSWORD_HASHED', 'API_KEYS', 'DOCKER_AUTH_CONFIG'],
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
    ...['LANG', 'NODE_ENV', 'SSH_AUTH_SOCK', 'MONKEY', 'AWS_REGION', 'PASSTHROUGH', ''],
    ...[
      'BASE_URL',
      'API_URL',
      'OAUTH_TOKEN_ENDPOINT',
      'JWT_ISSUER',
      'TOKEN_TTL',
      'SECRET_MANAGER',
      'PASSWORD_MIN_LENGTH',
    ],
    ...[
      'BYPASS_CACHE',
      'TOKENS_PER_MINUTE',
      'KUBE_CONFIG_NAME',
      'DB_HOST',
      'REDIS_PORT',
      'SK_LOCALE',
      'KEYS',
    ],
  ])('%s does not', name => {
    expect(looksLikeSecretName(name)).toBe(false);
  });
});
