// Whether a package that is missing gets installed. Pure: what is known of the machine goes in, what to do comes out.

export interface InstallFacts {
  /** What would mend a backend; undefined = no package would. */
  readonly package: string | undefined;
  readonly isRoot: boolean;
  readonly hasApt: boolean;
  /** `asked`: somebody is there to answer. `told`: they have said yes before. `nobody`: it is said and done. */
  readonly consent: 'asked' | 'told' | 'nobody';
}

export type InstallPlan =
  | { readonly kind: 'install' | 'ask'; readonly package: string }
  /** What a person can do instead. */
  | { readonly kind: 'stop'; readonly advice: string };

export function planInstall({ package: wanted, isRoot, hasApt, consent }: InstallFacts): InstallPlan {
  if (wanted === undefined) return { kind: 'stop', advice: 'Mend one of them, then start again.' };
  if (!hasApt)
    return { kind: 'stop', advice: `Install ${wanted} with the tools of this system, then start again.` };
  if (!isRoot)
    return { kind: 'stop', advice: `Run: sudo apt-get install ${wanted}, then start again as yourself.` };
  return { kind: consent === 'asked' ? 'ask' : 'install', package: wanted };
}
