// What has to be given before a platform can be used, read from the settings that its driver declares.
import type { Setting, Settings } from '../base/setting.ts';
import { platformDrivers, platformNames, platformSections } from './index.generated.ts';

export interface Credential {
  readonly key: string;
  readonly variable: string | undefined;
  readonly isSecret: boolean;
  readonly doc: string;
}

export interface Connectable {
  readonly name: keyof typeof platformDrivers;
  /** All are needed. */
  readonly credentials: readonly Credential[];
}

const OFF = 'the platform is off';

/** Every platform that is off until something is given; one that has a switch only is none. */
export function connectablePlatforms(): readonly Connectable[] {
  const sections: readonly { readonly settings: Settings }[] = platformSections;
  return platformNames.flatMap((name, at) => {
    const credentials = credentialsIn(sections[at]?.settings ?? {});
    return hasDriver(name) && credentials.length > 0 ? [{ name, credentials }] : [];
  });
}

function hasDriver(name: string): name is keyof typeof platformDrivers {
  return Object.hasOwn(platformDrivers, name);
}

/** Those that may stay unset and keep the platform off then, or say nothing about it: half of them is none. */
export function credentialsIn(settings: Settings): readonly Credential[] {
  return Object.entries(settings)
    .filter(([, setting]) => isNeeded(setting))
    .map(([key, { env, secret, doc }]) => ({ key, variable: env, isSecret: secret === true, doc }));
}

function isNeeded({ default: fallback, unset = OFF }: Setting<unknown>): boolean {
  return fallback === undefined && unset === OFF;
}
