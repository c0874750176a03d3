// Whether a gateway serves an installation: it has the lock of a file for as long as it lives.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holdAlone } from '../store/sole-holder.ts';

/** Ours holds nothing; what the original Hermes writes into a file of that name is left alone. */
export function gatewayLock(home: string): string {
  const usual = join(home, 'gateway.lock');
  const size = statSync(usual, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 ? usual : join(home, 'hermes-gateway.lock');
}

/** Makes nothing where there has never been a gateway. */
export function isGatewayRunning(home: string): boolean {
  const path = gatewayLock(home);
  if (!existsSync(path)) return false;
  const hold = holdAlone(path);
  hold?.release();
  return hold === undefined;
}
