// How the real tests are divided into parts that run at the same time.

export interface Part {
  readonly name: string;
  /** Of vitest.config.ts. */
  readonly project: string;
  /** Empty = all of the project. */
  readonly files: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What a run of this part does not try, in sentences. */
  readonly leavesOut?: readonly string[];
}

/** `wanted`: the files that were asked for; none = all. */
export function partsOf(wanted: readonly string[]): readonly Part[] {
  const files = [...wanted];
  return [
    { name: 'real', project: 'real', files },
    {
      name: 'conformance',
      project: 'conformance',
      files,
      env: { HERMES_CONFORMANCE: 'sampled' },
      leavesOut: [
        'most checks of the shell channel on ssh, singularity, modal and daytona; each runs on one of them. All: npm run conformance',
      ],
    },
  ];
}
