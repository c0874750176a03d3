// The only place that reads the environment of the process.

export type Environment = Readonly<Record<string, string | undefined>>;

/** A copy, taken once: nobody can change the configuration from under us later. */
export function readEnvironment(): Environment {
  return Object.freeze({ ...process.env });
}
