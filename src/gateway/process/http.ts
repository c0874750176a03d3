// The few pages of the gateway for whoever watches over it: whether it lives, whether it is ready, and its figures.
import type { AddressInfo } from 'node:net';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { hostInUrl, isLoopback } from '../../base/loopback.ts';
import { systemReason } from '../../base/system-reason.ts';
import type { PlatformStatus } from './heart.ts';
import type { Metrics } from './metrics.ts';
import type { GatewayStatus } from './status.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  readonly state: () => GatewayStatus['state'];
  readonly platforms: () => Promise<readonly PlatformStatus[]>;
  /** Made when first asked for. */
  readonly metrics: () => Promise<Metrics>;
  readonly log: Log;
}

export interface HttpServer {
  /** Such as `http://127.0.0.1:8377`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Throws CONFIG_INVALID when the address cannot be used. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const [{ createAdaptorServer }, app] = await Promise.all([import('@hono/node-server'), pages(options)]);
  const { host, port } = options;
  const server = createAdaptorServer({ fetch: app.fetch });
  const listening = Promise.withResolvers<void>();
  server.once('error', error => listening.reject(unusable(error, options)));
  server.listen(port, host, () => listening.resolve());
  await listening.promise;
  const { port: chosen } = server.address() as AddressInfo; // it listens on a port, not on a path
  return {
    url: `http://${hostInUrl(host)}:${chosen}`,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function pages({ host, state, platforms, metrics, log }: HttpOptions) {
  const { Hono } = await import('hono');
  let made: Promise<Metrics> | undefined;
  const app = new Hono();
  // A page in a browser of this machine could have a name that leads here; the header gives it away. What stands in the
  // first line of a request may be anything.
  app.use(async (context, next) => {
    if (isLoopback(host) && !isLoopback(hostOf(context.req.header('host'))))
      return context.text('Ask for it by a loopback address.\n', 403);
    return next();
  });
  app.get('/healthz', context => context.json({ status: 'ok' }));
  app.get('/readyz', async context => {
    const now = state();
    const states = (await platforms()).map(each => [each.name, each.state]);
    return context.json({ status: now, platforms: Object.fromEntries(states) }, now === 'ready' ? 200 : 503);
  });
  app.get('/metrics', async context => {
    made ??= metrics();
    const { contentType, text } = await made;
    return context.body(await text(), 200, { 'content-type': contentType });
  });
  app.notFound(context => context.text('There is nothing here.\n', 404));
  app.onError((error, context) => {
    log.error({ err: error, path: context.req.path }, 'a page could not be made');
    return context.text('It failed; the log has the reason.\n', 500);
  });
  return app;
}

function hostOf(header = ''): string {
  const url = `http://${header}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function unusable(error: Error, { host, port }: HttpOptions): Error {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  const reason =
    code === 'EADDRINUSE'
      ? 'somebody else listens there'
      : code === 'EADDRNOTAVAIL'
        ? 'this machine has no such address'
        : systemReason(error);
  return new HermesError(
    'CONFIG_INVALID',
    `The gateway cannot listen on ${host}, port ${port}: ${reason}. Set gateway.http_port to another one, or to 0 for any that is free.`,
    { details: { host, port }, cause: error },
  );
}
