// The pages of a gateway for a platform that shows them; without one nothing of them is loaded, so that a start stays fast.

import type { Dashboard } from '../dashboard/dashboard.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { GatewayParts } from '../gateway/parts.ts';
import type { OpenPagesOptions } from './dashboard.ts';

export interface LazyPages {
  /** New ones for each connection: a connection closes those that it has. */
  readonly open: () => Promise<Dashboard>;
  readonly observe: NonNullable<GatewayParts['observe']>;
  /** The heart is made after them, and they need it. */
  readonly use: (heart: Gateway) => Gateway;
}

export function lazyPages(options: Omit<OpenPagesOptions, 'heart'>): LazyPages {
  let made: Gateway | undefined;
  let newest: Dashboard | undefined;
  return {
    async open() {
      const { openPages } = await import('./dashboard.ts');
      newest = openPages({ ...options, heart: () => made });
      return newest;
    },
    observe: (run, event) => newest?.observe(run, event),
    use(heart) {
      made = heart;
      return heart;
    },
  };
}
