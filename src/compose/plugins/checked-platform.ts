// A platform that somebody else wrote, checked at its edges: what it says about itself, and every event, before anything looks at
// them. Types of another's program are promises only.

import { z } from 'zod';
import { docsPath } from '../../base/docs-path.ts';
import { HermesError } from '../../base/errors.ts';
import type {
  Connection,
  ConnectOptions,
  Platform,
  PlatformEvent,
  Undelivered,
} from '../../platforms/platform.ts';

const call = z.custom<(...given: never[]) => unknown>(
  value => typeof value === 'function',
  'must be a function',
);
const size = z.number().int().nonnegative();
const capabilitiesShape = z.object({
  maxText: size.min(1),
  edits: z.boolean(),
  editEveryMs: size,
  buttons: z.boolean(),
  maxButtonData: size,
  typing: z.boolean(),
  groups: z.boolean(),
  threads: z.boolean(),
  maxFileIn: size,
  maxFileOut: size,
  isPublic: z.boolean(),
});
const platformShape = z.object({ name: z.string(), capabilities: capabilitiesShape, connect: call });
const connectionShape = z.object({
  account: z.string(),
  send: call,
  sendFile: call,
  fetchFile: call,
  pause: call,
  close: call,
});

const idsShape = z.array(z.string().min(1));

const chat = z.object({
  id: z.string().min(1),
  kind: z.enum(['private', 'group']),
  thread: z.string().optional(),
});
const common = {
  id: z.string().min(1),
  chat,
  sender: z.object({ id: z.string().min(1), name: z.string() }),
};
const eventShape = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('message'),
    text: z.string(),
    files: z.array(z.object({ name: z.string(), size: z.number().optional(), ref: z.unknown() })),
    forwardedFrom: z.string().optional(),
    isAddressed: z.boolean(),
  }),
  z.object({ ...common, kind: z.literal('button'), data: z.string(), messageId: z.string() }),
]);

const undeliveredShape = z.object({ messageId: z.string().min(1), problem: z.string() });

/** Throws CONFIG_INVALID when it is no platform. */
export function checkedPlatform(name: string, given: unknown): Platform {
  const parsed = platformShape.safeParse(given);
  if (!parsed.success) throw wrong('createPlatform returns no platform', parsed.error);
  if (parsed.data.name !== name) {
    const message = `its platform calls itself ${parsed.data.name}, and gateway.plugins calls it ${name}. They must be the same.`;
    throw new HermesError('CONFIG_INVALID', message);
  }
  const platform = given as Platform; // it has the shape of one
  return {
    name,
    capabilities: parsed.data.capabilities,
    ...(platform.warnings ? { warnings: platform.warnings.map(String) } : {}),
    ...(platform.check ? { check: options => Promise.resolve(platform.check?.(options)).then(String) } : {}),
    ...(platform.sameAs ? { sameAs: senderId => otherIds(platform, senderId) } : {}),
    connect: options => checkedConnection(platform, options),
  };
}

/** A text would be taken letter by letter, and each for somebody. */
async function otherIds(platform: Platform, senderId: string): Promise<readonly string[]> {
  const parsed = idsShape.safeParse(await platform.sameAs?.(senderId));
  if (!parsed.success) throw wrong('sameAs gives no list of ids', parsed.error);
  return parsed.data;
}

async function checkedConnection(platform: Platform, options: ConnectOptions): Promise<Connection> {
  const receive = async (event: PlatformEvent): Promise<void> => options.receive(checkedEvent(event));
  const onUndelivered = async (report: Undelivered): Promise<void> =>
    options.onUndelivered?.(checkedReport(report));
  const connection = await platform.connect({ ...options, receive, onUndelivered });
  const parsed = connectionShape.safeParse(connection);
  if (!parsed.success) throw wrong('connect gives no connection', parsed.error);
  return connection;
}

function checkedEvent(event: unknown): PlatformEvent {
  const parsed = eventShape.safeParse(event);
  if (!parsed.success) throw wrong('it was given something that is no event', parsed.error);
  return parsed.data as PlatformEvent; // the same but for fields that are undefined
}

function checkedReport(report: unknown): Undelivered {
  const parsed = undeliveredShape.safeParse(report);
  if (!parsed.success) throw wrong('it reported an invalid delivery failure', parsed.error);
  return parsed.data;
}

function wrong(what: string, { issues }: z.ZodError): HermesError {
  const where = issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ');
  return new HermesError(
    'CONFIG_INVALID',
    `${what} (${where}). ${docsPath('platforms/plugins.md')} has the contract.`,
  );
}
