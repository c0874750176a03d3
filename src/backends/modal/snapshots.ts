// The snapshots of suspended sandboxes, in a file of the installation's home: what each sandbox is made from again.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { withFileLock } from '../../base/file-lock.ts';
import { jsonOf } from '../../base/json-of.ts';
import { writePrivateFile } from '../../base/private-files.ts';
import { planSchema } from './plan.ts';

const FILE = 'modal_snapshots.json';

const recordSchema = z.object({
  installation: z.string(),
  session: z.string().optional(),
  /** The image that holds its files. */
  snapshot: z.string(),
  takenAt: z.number(),
  /** A sandbox was made of it since: its files are older than that one's. */
  isResumed: z.boolean(),
  /** Images that nobody needs any more and that could not be deleted yet. */
  stale: z.array(z.string()),
  plan: planSchema,
});

const fileSchema = z.object({ sandboxes: z.record(z.string(), recordSchema) });

/** Whether a name is that of an image of the service, as the ledger has it for what is suspended. */
export function isSnapshotName(name: string): boolean {
  return name.startsWith('im-');
}

export type SnapshotRecord = Readonly<z.infer<typeof recordSchema>>;

export class Snapshots {
  readonly #path: string;
  readonly #clock: Clock;

  constructor(home: string, clock: Clock) {
    this.#path = join(home, FILE);
    this.#clock = clock;
  }

  async find(id: string): Promise<SnapshotRecord | undefined> {
    return (await this.#read())[id];
  }

  async list(): Promise<readonly (readonly [id: string, record: SnapshotRecord])[]> {
    return Object.entries(await this.#read());
  }

  /** `change` gets what is there now; undefined removes it. */
  async change(
    id: string,
    change: (now: SnapshotRecord | undefined) => SnapshotRecord | undefined,
  ): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await withFileLock(this.#path, this.#clock, async () => {
      const { [id]: now, ...others } = await this.#read();
      const next = change(now);
      const sandboxes = next ? { ...others, [id]: next } : others;
      await writePrivateFile(this.#path, `${JSON.stringify({ sandboxes }, null, 2)}\n`);
    });
  }

  async #read(): Promise<Record<string, SnapshotRecord>> {
    try {
      const parsed = fileSchema.safeParse(jsonOf(await readFile(this.#path, 'utf8')));
      if (parsed.success) return parsed.data.sandboxes;
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return {};
      throw error;
    }
    const message = `${this.#path} cannot be read as the list of Modal snapshots. Mend it, or move it away: sandboxes that are suspended lose their files then.`;
    throw new HermesError('UNAVAILABLE_BACKEND', message, { details: { path: this.#path } });
  }
}
