// Whether a gateway serves an installation: it has the lock of a file for as long as it lives.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holdAlone } from '../store/sole-holder.ts';

export function gatewayLock(home: string): string {
  return join(home, 'gateway.lock');
}

/** Makes nothing where there has never been a gateway. */
export function isGatewayRunning(home: string): boolean {
  const path = gatewayLock(home);
  if (!existsSync(path)) return false;
  const hold = holdAlone(path);
  hold?.release();
  return hold === undefined;
}
