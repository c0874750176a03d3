// What `hermes doctor` looks at, area by area, and what it says of each.

export type AreaName =
  | 'environment'
  | 'config'
  | 'home'
  | 'database'
  | 'disk'
  | 'clock'
  | 'backends'
  | 'versions'
  | 'model'
  | 'platforms';

/** One thing that is wrong. */
export interface Found {
  /** What it is about, such as a file or a backend. */
  readonly subject: string;
  /** `warning`: things work all the same. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** What to do, exactly. */
  readonly fix: string;
  /** Does it; absent where a person has to. */
  readonly mend?: () => Promise<void>;
}

export interface AreaReport {
  readonly area: AreaName;
  /** What was seen, in a few words. */
  readonly said: string;
  readonly found: readonly Found[];
  /** It was not looked at; `said` has the reason. */
  readonly isSkipped?: boolean;
}

export function skipped(area: AreaName, said: string): AreaReport {
  return { area, said, found: [], isSkipped: true };
}

/** In the words of the area. */
export function problem(subject: string, message: string, fix: string): Found {
  return { subject, severity: 'error', message, fix };
}

export function warning(subject: string, message: string, fix: string): Found {
  return { subject, severity: 'warning', message, fix };
}
