// The heart of a gateway: every platform that is set up, who may speak there, and the agent behind them.

import { performing } from '../agent/deed.ts';
import { isHermesError } from '../base/errors.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { HermesConfig } from '../compose.ts';
import { Admission } from '../gateway/admission.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { GatewayParts } from '../gateway/parts.ts';
import { peopleWarnings, platformPeople } from '../gateway/people-rules.ts';
import { platformDrivers } from '../platforms/index.generated.ts';
import type { Platform, PlatformContext } from '../platforms/platform.ts';
import { createProvider } from '../providers/create.ts';
import type { Serving } from '../sessions/serve.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import { openAgent } from './agent.ts';
import { openApprovals } from './approvals.ts';
import { brokenPlatform } from './broken-platform.ts';
import { openDoor } from './door.ts';
import { openPlugins, pluginWarnings } from './plugins/plugins.ts';

export interface HeartOptions {
  readonly world: SandboxWorld;
  readonly redactor: Redactor;
  readonly serving: Serving;
  /** For a platform that can show them. */
  readonly pages?: PlatformContext['pages'];
  readonly observe?: GatewayParts['observe'];
  readonly onHopeless?: GatewayParts['onHopeless'];
}

export async function openHeart(
  config: HermesConfig,
  { world, redactor, serving, pages, observe, onHopeless }: HeartOptions,
): Promise<Gateway> {
  const { store, clock, log } = world;
  const { home } = config.paths;
  const [provider, platforms] = await Promise.all([
    createProvider(config, { clock, redact: redactor.redact }),
    openPlatforms(config, world, pages),
  ]);
  // Those who ask and those who are asked need each other.
  const heart = (): Gateway => gateway;
  const approvals = openApprovals(config, {
    world,
    provider,
    show: question => heart().showApproval(question),
    isolation: serving.start.policy.isolation,
  });
  const admission = new Admission({
    ...{ store, clock, log },
    rules: platform => platformPeople(config, platform),
    sameAs: async ({ platform, userId }) =>
      (await platforms.find(({ name }) => name === platform)?.sameAs?.(userId)) ?? [],
    owners: {
      send: card => heart().sendToOwners(card),
      change: (places, card) => heart().changeCards(places, card),
    },
    onApproved: () => {
      heart()
        .peopleChanged()
        .catch(error => log.error({ err: error }, 'held messages could not be taken up'));
    },
  });
  const { sandboxes } = serving;
  const door = openDoor(config, { world, approvals, redactor });
  const gateway = new Gateway({
    ...{ world, home, platforms, admission },
    settings: config,
    agent: openAgent(config, { world, sandboxes, provider, approvals, redactor, door }),
    perform: performing({ door, sandboxes }),
    isShared: serving.start.policy.isolation === 'none',
    revokeAllowed: approvals.revokeAllowed,
    model: provider && `${provider.name}, ${provider.model}`,
    desk: approvals.desk,
    warnings: [
      ...serving.start.warnings,
      ...pluginWarnings(config),
      ...peopleWarnings(config, platforms),
      ...platforms.flatMap(({ warnings = [] }) => warnings),
    ],
    ...(observe ? { observe } : {}),
    ...(onHopeless ? { onHopeless } : {}),
  });
  return gateway;
}

async function openPlatforms(
  config: HermesConfig,
  { clock, log }: SandboxWorld,
  pages: PlatformContext['pages'],
): Promise<readonly Platform[]> {
  const context = { clock, log, home: config.paths.home, ...(pages ? { pages } : {}) };
  const made = await Promise.all(
    Object.entries(platformDrivers).map(async ([name, load]) => {
      const { createPlatform } = await load();
      try {
        return createPlatform(config, context);
      } catch (error) {
        if (!isHermesError(error, 'CONFIG_INVALID')) throw error;
        return brokenPlatform(name, error);
      }
    }),
  );
  return [...made.filter(platform => platform !== undefined), ...(await openPlugins(config, context))];
}
