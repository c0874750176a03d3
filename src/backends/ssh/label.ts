// What stands in the folder of a sandbox on the machine and says whose it is.
import { z } from 'zod';
import type { SandboxRef, SandboxSpec } from '../backend.ts';

const NAME = 'ssh';
const PREFIX = 'hermes-';
/** Goes into paths and command lines over there. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const label = z.object({
  id: z.string().regex(SAFE),
  installation: z.string(),
  session: z.string().optional(),
  created: z.string(),
});

/** Undefined when the id cannot stand in a path. */
export function refOf({ id, installation, session }: SandboxSpec): SandboxRef | undefined {
  if (!SAFE.test(id)) return undefined;
  const whose = session === undefined ? {} : { session };
  return { backend: NAME, id, name: `${PREFIX}${id}`, installation, ...whose };
}

/** Whether the name and the id of a reference can be ones that were made here. */
export function isOwnRef({ id, name }: SandboxRef): boolean {
  return SAFE.test(id) && name === `${PREFIX}${id}`;
}

export function labelText({ id, installation, session }: SandboxRef, createdMs: number): string {
  return JSON.stringify({ id, installation, session, created: new Date(createdMs).toISOString() });
}

/** Undefined for what is not a label of ours: other programs of the account may write there too. */
export function parseLabel(text: string): SandboxRef | undefined {
  const parsed = label.safeParse(jsonOrUndefined(text));
  if (!parsed.success) return undefined;
  const { id, installation, session } = parsed.data;
  const whose = session === undefined ? {} : { session };
  return { backend: NAME, id, name: `${PREFIX}${id}`, installation, ...whose };
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
