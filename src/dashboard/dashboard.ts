// The pages of the gateway: the files of the page, the commands that it calls, and its live socket. Who somebody is comes from
// the server that they are logged in at; what they may do is asked with every request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { boundedBody } from '../base/bounded-body.ts';
import { asHermesError, HermesError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { GatewayParts } from '../gateway/parts.ts';
import type { Pages, Visitor } from '../platforms/platform.ts';
import { readBody, showAsset, showData, showFile, statusOf } from './answers.ts';
import { type Assets, readAssets } from './assets.ts';
import { type CallerParts, callCommand, runCommand } from './call-command.ts';
import { Live, type SeeProcesses } from './live.ts';
import { parseCall } from './offered-commands.ts';
import { type Sample, Samples } from './samples.ts';
import { getFile, putFile } from './sandbox-file.ts';
import { shownData } from './shown-data.ts';
import { StepBook } from './steps.ts';
import { actorOf, standingOf } from './visitors.ts';

export interface DashboardParts extends CallerParts {
  readonly log: Log;
  readonly redactor: Redactor;
  readonly version: string;
  readonly measure: () => Promise<Sample>;
  readonly processes: SeeProcesses;
}

export interface Dashboard extends Pages {
  readonly observe: NonNullable<GatewayParts['observe']>;
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly visitor: Visitor;
}

type Route = (asked: Asked) => Promise<unknown>;

const MOST_UPLOAD = 50 * 1024 * 1024;

export function openDashboard(parts: DashboardParts): Dashboard {
  const { world, clock, log, redactor } = parts;
  const steps = new StepBook(clock);
  const samples = new Samples(clock, log, parts.measure);
  const shown = (value: unknown): Promise<unknown> => shownData(value, redactor.redactLong);
  const live = new Live({
    ...{ world, redactor, steps, log, clock, samples },
    ...{ perform: parts.perform, processes: parts.processes },
    ask: async call => shown((await callCommand(parts, call, { actor: 'page' })).data),
  });
  const routes = routesOf(parts, live, shown);
  let assets: Promise<Assets> | undefined;
  return {
    observe: (run, event) => steps.take(run, event),
    async answer(request, response, visitor) {
      const url = new URL(request.url ?? '/', 'http://localhost');
      assets ??= readAssets();
      if (await answerAsset({ request, response, visitor }, url.pathname, await assets)) return true;
      const route = Object.hasOwn(routes, `${request.method} ${url.pathname}`)
        ? routes[`${request.method} ${url.pathname}`]
        : undefined;
      if (!route) return false;
      if (!visitor)
        showData(response, 401, { error: { code: 'DENIED_PERSON', message: 'Nobody is logged in.' } });
      else await answerRoute(route, { request, response, url, visitor }, parts);
      return true;
    },
    upgrade(request, socket, head, visitor) {
      if (request.url !== '/live') return false;
      live.admit(visitor, request, socket, head);
      return true;
    },
    close() {
      samples.close();
      live.close();
    },
  };
}

async function answerAsset(
  {
    request,
    response,
    visitor,
  }: Pick<Asked, 'request' | 'response'> & { readonly visitor: Visitor | undefined },
  path: string,
  assets: Assets,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const kept = assets.find(path);
  if (kept) showAsset(request, response, { asset: kept, status: 200, isKept: true });
  else if (path !== '/') return false;
  else if (visitor) showAsset(request, response, { asset: assets.page, status: 200, isKept: false });
  else showAsset(request, response, { asset: assets.door, status: 401, isKept: false });
  return true;
}

async function answerRoute(route: Route, asked: Asked, { world, log }: DashboardParts): Promise<void> {
  try {
    const data = await route(asked);
    if (!asked.response.headersSent) showData(asked.response, 200, data);
  } catch (error) {
    const { code, message } = asHermesError(error);
    if (code === 'BUG_UNEXPECTED')
      log.error({ err: error, path: asked.url.pathname }, 'a request of a page failed');
    showData(asked.response, statusOf(code), { error: { code, message: world.redact(message) } });
  }
}

/** By method and path. Everything but what concerns the visitor alone is for owners. */
function routesOf(
  parts: DashboardParts,
  live: Live,
  shown: (value: unknown) => Promise<unknown>,
): Readonly<Record<string, Route>> {
  const { world, clock, version } = parts;
  const forOwners =
    (route: (asked: Asked, actor: string) => Promise<unknown>): Route =>
    async asked => {
      if ((await standingOf(world.store, asked.visitor)) !== 'owner')
        throw new HermesError('DENIED_PERSON', 'Only owners of this installation may do this.');
      return route(asked, actorOf(asked.visitor));
    };
  const of = ({ url }: Asked) => ({
    sandbox: url.searchParams.get('sandbox') ?? '',
    path: url.searchParams.get('path') ?? '.',
  });
  return {
    'GET /api/me': async ({ visitor }) => {
      const standing = await standingOf(world.store, visitor);
      return { person: visitor.id, platform: visitor.platform, standing, version, now: clock.now() };
    },
    'GET /api/place': async ({ visitor, url }) => {
      const chat = visitor.chatId(url.searchParams.get('chat') ?? 'main') ?? '';
      const call = { command: 'sandbox explain', flags: { as: `${visitor.platform}:${chat}` }, args: {} };
      const isOwner = (await standingOf(world.store, visitor)) === 'owner';
      const by = { actor: actorOf(visitor), reader: isOwner ? 'owner' : 'user' } as const;
      return shown((await runCommand(parts, call, by)).data);
    },
    'POST /api/run': forOwners(async ({ request, response }, actor) => {
      const call = parseCall((await readBody(request, clock)).toString());
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      try {
        return await shown(await callCommand(parts, call, { actor, signal: gone.signal }));
      } finally {
        live.refresh();
      }
    }),
    'GET /api/processes': forOwners(async asked => {
      const seen = await parts.processes(of(asked).sandbox);
      return { isAwake: seen !== undefined, processes: seen ? await shown(seen) : [] };
    }),
    'GET /api/file': forOwners((asked, actor) =>
      getFile(parts, of(asked), { actor }, path => showFile(asked.response, path)),
    ),
    'POST /api/file': forOwners(async (asked, actor) => {
      const content = boundedBody(asked.request, { clock, mostBytes: MOST_UPLOAD });
      const name = asked.url.searchParams.get('name') ?? 'file';
      return shown(await putFile(parts, { ...of(asked), name, content }, { actor }));
    }),
  };
}
