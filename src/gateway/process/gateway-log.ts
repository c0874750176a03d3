// The log of a gateway: structured lines in its file, without secrets and without anybody's number. A file that cannot be
// opened costs the file, never the gateway.
import type { Clock } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';
import { createLog, type Log } from '../../base/log.ts';
import type { SettingsReader } from '../../base/setting.ts';
import { systemReason } from '../../base/system-reason.ts';
import { type LogFile, type LogFileOptions, logPath, openLogFile } from './log-file.ts';
import { createMask } from './mask.ts';
import { redactExceptOwnIds } from './own-ids.ts';
import type { section } from './settings.ts';

export interface GatewayLogOptions {
  readonly home: string;
  readonly config: SettingsReader<(typeof section)['settings']>;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Names that ids are written behind, as in `telegram:123`. */
  readonly platforms: readonly string[];
  /** Takes the lines as long as the file cannot be opened. */
  readonly instead: (line: string) => void;
}

export interface GatewayLog {
  readonly log: Log;
  readonly path: string;
  /** Why its lines do not go to the file; it is tried again now and then. */
  readonly problem?: string;
  close(): void;
}

const MB = 1_000_000;
const TRY_AGAIN_MS = 30_000;

export function openGatewayLog(options: GatewayLogOptions): GatewayLog {
  const { home, config, clock, redact, platforms, instead } = options;
  const path = logPath(home);
  const maxBytes = config.get('gateway.log_max_mb') * MB;
  const file = new PatientFile(
    { path, maxBytes, files: config.get('gateway.log_files') },
    { clock, instead },
  );
  const problem = file.open();
  const mask = createMask(platforms);
  const log = createLog({
    level: config.get('gateway.log_level'),
    destination: file,
    redact: line => mask(redactExceptOwnIds(line, redact)),
    now: clock.now,
  });
  return { log, path, ...(problem === undefined ? {} : { problem }), close: () => file.close() };
}

/** The file, or whatever takes its lines until it can be opened. */
class PatientFile {
  readonly #options: LogFileOptions;
  readonly #clock: Clock;
  readonly #instead: (line: string) => void;
  #file: LogFile | undefined;
  #tryAgainAt = 0;

  constructor(options: LogFileOptions, { clock, instead }: Pick<GatewayLogOptions, 'clock' | 'instead'>) {
    this.#options = options;
    this.#clock = clock;
    this.#instead = instead;
  }

  /** Why it cannot be opened; undefined when it is open. */
  open(): string | undefined {
    const { path } = this.#options;
    try {
      this.#file = openLogFile(this.#options);
      return undefined;
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      this.#tryAgainAt = this.#clock.monotonic() + TRY_AGAIN_MS;
      return `The log ${path} cannot be opened: ${systemReason(error)}. Its lines go to standard error until it can be; the gateway goes on.`;
    }
  }

  write(line: string): void {
    if (!this.#file && this.#clock.monotonic() >= this.#tryAgainAt) this.open();
    if (this.#file) this.#file.write(line);
    else this.#instead(line.trimEnd());
  }

  close(): void {
    this.#file?.close();
  }
}
