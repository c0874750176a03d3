// Secrets that stand in config.yaml, where they do not belong. Lines only; what stands there is shown nowhere (P7).
import { parseDocument } from 'yaml';
import { createRedactor } from '../../../base/redact/redactor.ts';
import type { Config } from '../../../config/config.ts';
import { readIfThere } from '../../../config/read-file.ts';
import type { AuditFacts } from '../../../security/facts.ts';

export async function writtenSecrets(
  config: Pick<Config, 'paths' | 'entries' | 'stated'>,
): Promise<Pick<AuditFacts, 'writtenSecrets' | 'secretLines'>> {
  const text = (await readIfThere(config.paths.config)) ?? '';
  const document = parseDocument(text);
  const written = config
    .entries()
    .filter(({ setting }) => setting.secret)
    .flatMap(({ key }) => {
      // `${NAME}` stands for a value that is kept elsewhere.
      const value = document.getIn(key.split('.'));
      if (value === undefined || value === null || /^\$\{\w+\}$/.test(String(value))) return [];
      return config
        .stated(key)
        .flatMap(({ origin }) => (origin.from === 'file' ? [{ key, line: origin.line }] : []));
    });
  const known = new Set(written.map(({ line }) => line));
  const { redact } = createRedactor({ secrets: [], shapes: 'on' });
  const secretLines = text
    .split('\n')
    .flatMap((line, at) => (redact(line) === line || known.has(at + 1) ? [] : [at + 1]));
  return { writtenSecrets: written, secretLines };
}
