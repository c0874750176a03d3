// The clients of Daytona, loaded when they are first used: whoever never uses this backend never loads them.
import type { SandboxApi } from '@daytona/api-client';
import type { ProcessApi } from '@daytona/toolbox-api-client';
import { systemErrorCode } from '../../base/errors.ts';
import { noSdk, unavailable } from './faults.ts';

/** The exact one: what they are called by is generated, and changes with the service. */
const INSTALL = 'npm install @daytona/api-client@0.218.0 @daytona/toolbox-api-client@0.218.0';
const CALL_MS = 30_000;

export interface Sdk {
  sandboxes(): SandboxApi;
  /** `base`: the toolbox of one sandbox. */
  processes(base: string): ProcessApi;
}

export interface SdkOptions {
  readonly importing: ImportClients;
  readonly apiUrl: string;
  readonly key: string;
}

/** The packages themselves; a test has others. */
export type ImportClients = () => Promise<
  readonly [typeof import('@daytona/api-client'), typeof import('@daytona/toolbox-api-client')]
>;

export const importClients: ImportClients = () =>
  Promise.all([import('@daytona/api-client'), import('@daytona/toolbox-api-client')]);

/** Throws UNAVAILABLE_BACKEND with the command that installs them. */
export async function loadSdk({ apiUrl, key, importing }: SdkOptions): Promise<Sdk> {
  const [api, toolbox] = await unlessMissing(importing);
  const baseOptions = { headers: headersOf(key), timeout: CALL_MS };
  return {
    sandboxes: () => new api.SandboxApi(new api.Configuration({ basePath: apiUrl, baseOptions })),
    processes: base => new toolbox.ProcessApi(new toolbox.Configuration({ basePath: base, baseOptions })),
  };
}

export function headersOf(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}`, 'User-Agent': 'hermes' };
}

async function unlessMissing(importing: ImportClients) {
  try {
    return await importing();
  } catch (error) {
    if (systemErrorCode(error) === 'ERR_MODULE_NOT_FOUND') throw unavailable(noSdk(INSTALL), error);
    throw error;
  }
}
