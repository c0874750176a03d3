// What a running gateway says of itself.
import type { SandboxPolicy } from '../../sessions/policy.ts';
import type { HeartStatus } from './heart.ts';

export interface GatewayStatus extends Partial<HeartStatus> {
  readonly state: 'starting' | 'ready' | 'stopping';
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** Where `/healthz`, `/readyz` and `/metrics` are answered. */
  readonly http: string;
  readonly log: string;
  /** Who starts it again when it fails. */
  readonly supervisor: 'systemd' | 'launchd' | 'none';
  /** Of messaging sessions. */
  readonly sandboxes: {
    readonly backend: string;
    readonly image: string | null;
    readonly isolation: SandboxPolicy['isolation'];
    readonly network: SandboxPolicy['network']['value'];
  };
  readonly warnings: readonly string[];
}
