// Every value that the configuration knows to be a secret, for redaction (P7).
import type { Config } from './config.ts';

/** Variables that are forwarded often and are no secrets; hiding a path or a language would hide everything. */
const EVERYDAY =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|TZ|EDITOR|PAGER|TMPDIR|HOSTNAME|NODE_ENV|NO_COLOR|CI|DEBUG|no_proxy|NO_PROXY)$/;

/** All of `.env`, all that was said about secret settings, and the values of forwarded variables. */
export function knownSecrets(
  config: Pick<Config, 'secretValues' | 'entries' | 'stated' | 'variable'>,
  forwarded: readonly string[],
): string[] {
  const entries = config.entries();
  const stated = entries
    .filter(({ setting }) => setting.secret)
    .flatMap(({ key }) => config.stated(key).map(({ value }) => value))
    .filter(value => typeof value === 'string');
  const variables = forwarded
    .filter(name => !EVERYDAY.test(name))
    .flatMap(name => config.variable(name) ?? []);
  // `TERMINAL_ENV=…` in `.env` is one of a few words that everybody uses.
  const words = new Set(entries.flatMap(({ setting }) => setting.kind.choices ?? []));
  return [...new Set([...config.secretValues(), ...stated, ...variables])].filter(value => !words.has(value));
}
