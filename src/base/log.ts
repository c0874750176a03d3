// Structured logging: one JSON object a line, every line through the redaction hook before it leaves the process.
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  readonly destination: DestinationStream;
  /** Sees each finished line, so no field, message or stack trace can go around it (P7). */
  readonly redact: (line: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date(options.now()).toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      hooks: { streamWrite: options.redact },
    },
    options.destination,
  );
}
