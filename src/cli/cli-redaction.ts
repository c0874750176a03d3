// What the CLI says of itself passes here first (P7): errors, notes and warnings. The redactor is loaded for errors only,
// because it would slow every other call; notes are searched for the values that the configuration knows.
import { isHermesError } from '../base/errors.ts';
import type { HermesConfig } from '../compose.ts';
import type { Environment } from '../config/environment.ts';

const MARK = '[redacted:known]';

export interface CliRedaction {
  /** From now on its values are hidden. */
  learn(config: HermesConfig): Promise<void>;
  /** Without what is known so far. */
  inNote(text: string): string;
  /** Errors may quote what a program said, or what was typed before any configuration was read. */
  forErrors(): Promise<(text: string) => string>;
}

export function cliRedaction(environment: Environment): CliRedaction {
  let config: HermesConfig | undefined;
  let forms: readonly string[] = [];
  return {
    async learn(loaded) {
      config = loaded;
      const [{ secretsOf }, { formsOf, isTelling }] = await Promise.all([
        import('../compose.ts'),
        import('../base/redact/known-values.ts'),
      ]);
      const all = secretsOf(loaded).filter(isTelling).flatMap(formsOf);
      forms = [...new Set(all)].toSorted((a, b) => b.length - a.length);
    },
    inNote: text => forms.reduce((shown, form) => shown.replaceAll(form, MARK), text),
    async forErrors() {
      const known = config ?? (await loadedIfSound(environment));
      if (known) return (await (await import('../compose.ts')).redactorOf(known)).redact;
      const { createRedactor } = await import('../base/redact/redactor.ts');
      return createRedactor({ secrets: await dotenvValues(environment), shapes: 'on' }).redact;
    },
  };
}

/** Undefined when it has problems of its own: the error that is on its way out is the one to be told. */
async function loadedIfSound(environment: Environment): Promise<HermesConfig | undefined> {
  try {
    return await (await import('../compose.ts')).loadHermesConfig(environment);
  } catch (error) {
    if (isHermesError(error, 'CONFIG_INVALID') || isHermesError(error, 'CONFIG_UNREADABLE')) return undefined;
    throw error;
  }
}

async function dotenvValues(environment: Environment): Promise<string[]> {
  const [{ configPaths }, { parseDotenv }, { readIfThere }] = await Promise.all([
    import('../config/load.ts'),
    import('../config/dotenv-file.ts'),
    import('../config/read-file.ts'),
  ]);
  try {
    const { dotenv } = configPaths(environment);
    const { values } = parseDotenv((await readIfThere(dotenv)) ?? '', dotenv);
    return [...values.values()].map(({ value }) => value);
  } catch (error) {
    if (isHermesError(error, 'CONFIG_UNREADABLE')) return [];
    throw error;
  }
}
