// The one door of this installation: its tools, and what is judged, asked and recorded before they do anything.
import { existsSync, realpathSync } from 'node:fs';
import { ToolDoor } from '../agent/door.ts';
import { sandboxTerms } from '../agent/sandbox-terms.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { HermesConfig } from '../compose.ts';
import { createExecuteCode, programLimits } from '../execute-code/execute-code.ts';
import { sendableFile } from '../sessions/attachments.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import { createTools } from '../tools/all-tools.ts';
import type { Approvals } from './approvals.ts';

export interface OpenDoorOptions {
  readonly world: SandboxWorld;
  readonly approvals: Pick<Approvals, 'gate' | 'policy'>;
  readonly redactor: Pick<Redactor, 'redact' | 'redactLong'>;
}

export function openDoor(config: HermesConfig, { world, approvals, redactor }: OpenDoorOptions): ToolDoor {
  const { store, clock, log } = world;
  const { redact, redactLong } = redactor;
  const termsOf = sandboxTerms(world);
  const tools = createTools({
    ...{ clock, redact: redactLong, sendableFile },
    longestSeconds: config.get('terminal.max_timeout'),
    keepsShell: async (session, sandboxId) => (await termsOf(session, sandboxId)).keepsShell,
  });
  const executeCode = createExecuteCode({ tools, limits: programLimits(config), redact: redactLong });
  return new ToolDoor({
    ...{
      clock,
      termsOf,
      redact,
      redactLong,
      log,
      audit: store.audit,
      begunCalls: store.begunCalls,
      tools: [...tools, executeCode],
    },
    homes: namesOfHome(config.paths.home),
    gate: approvals.gate,
    approvals: approvals.policy,
  });
}

/** As it is set, and where that leads: what a link in a sandbox leads to is known by the second one. */
function namesOfHome(home: string): readonly string[] {
  return existsSync(home) ? [...new Set([home, realpathSync(home)])] : [home];
}
