// What to do about error codes of one kind.
import type { ErrorCode } from '../../src/base/error-codes.ts';

interface ErrorHelp {
  readonly seen: string;
  readonly because: string;
  /** One step each, the most likely first. */
  readonly fixes: readonly string[];
}

export interface HelpGroup {
  readonly title: string;
  readonly codes: Readonly<Partial<Record<ErrorCode, ErrorHelp>>>;
}
