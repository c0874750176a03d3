// The log of a gateway: structured lines in its file, without secrets and without anybody's number.
import type { Clock } from '../../base/clock.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
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
}

export interface GatewayLog {
  readonly log: Log;
  readonly path: string;
  close(): void;
}

const MB = 1_000_000;

/** Throws CONFIG_INVALID when the file cannot be written: a gateway that cannot say what it does is not started. */
export function openGatewayLog({ home, config, clock, redact, platforms }: GatewayLogOptions): GatewayLog {
  const path = logPath(home);
  const maxBytes = config.get('gateway.log_max_mb') * MB;
  const file = openedFile({ path, maxBytes, files: config.get('gateway.log_files') });
  const mask = createMask(platforms);
  const log = createLog({
    level: config.get('gateway.log_level'),
    destination: file,
    redact: line => mask(redactExceptOwnIds(line, redact)),
    now: clock.now,
  });
  return { log, path, close: file.close };
}

function openedFile(options: LogFileOptions): LogFile {
  try {
    return openLogFile(options);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const message = `The log ${options.path} cannot be written: ${systemReason(error)}. Mend that, or set HERMES_HOME to another folder.`;
    throw new HermesError('CONFIG_INVALID', message, { cause: error });
  }
}
