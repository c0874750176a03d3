// How Hermes finds a signal-cli daemon: its address, its version and its account; and that nothing is lost or doubled without
// notice while calls of it fail at random.
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HermesError, isHermesError } from '../../../src/base/errors.ts';
import type { SignalFault } from '../../doubles/signal-faults.ts';
import { useDraws } from '../../seed.ts';
import { openSignal } from './signal-line.ts';

const ADA = { uuid: 'a0a0a0a0-0000-4000-8000-000000000001', number: '+4915100000042', name: 'Ada' };

const failure = (work: Promise<unknown>): Promise<HermesError> =>
  work.then(
    value => Promise.reject(new Error(`gave ${JSON.stringify(value)}`)),
    (error: HermesError) => error,
  );

/** Another port of loopback that leads to this one, as `ssh -L` makes it. */
async function tunnelTo(port: string): Promise<number> {
  const server = createServer(near => {
    const far = dial(Number(port), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // it listens on TCP
}

describe('setting it up', () => {
  it('without a daemon says how to start one', async () => {
    const { signal, connect } = await openSignal();
    signal.cut();
    const error = await failure(connect());
    expect(error.code).toBe('UNAVAILABLE_PLATFORM');
    const where = new URL(signal.url).host;
    expect(error.message).toContain(`signal-cli -a ${signal.account.number} daemon --http ${where}`);
  });

  it.each(['one', 'several'] as const)('works with a daemon for %s', async accounts => {
    const { platform } = await openSignal({ accounts });
    expect(await (await platform()).check?.()).toMatch(/^as \+/);
  });

  it.each([
    ['0.13.24', undefined],
    ['0.14.9', 'unknown-method'],
  ] as const)('with a daemon that is too old says what to install', async (version, fault) => {
    const { signal, platform, connect } = await openSignal({ version });
    if (fault) signal.fault('version', fault, { times: 2 });
    const { check } = await platform();
    for (const work of [async () => check?.(), () => connect()]) {
      const error = await failure(work());
      expect([error.code, error.message]).toEqual([
        'UNAVAILABLE_PLATFORM',
        expect.stringMatching(/needs 0\.14\.9.*Java 25.*start the daemon again/),
      ]);
    }
  });

  it('through an address that the daemon does not accept says which ones it does', async () => {
    const { signal, platform } = await openSignal();
    const port = await tunnelTo(new URL(signal.url).port);
    const strange = await platform({ SIGNAL_HTTP_URL: `http://127.0.0.1:${port}` });
    const error = await failure(strange.check?.() ?? Promise.resolve());
    expect(error.code).toBe('UNAVAILABLE_PLATFORM');
    expect(error.message).toMatch(/127\.0\.0\.1:\d+ \(421\).*--http.*signal\.http_url.*0\.0\.0\.0/);
    expect(signal.calls).toEqual([]);
  });

  it('through an address that is not its own works with a daemon that listens everywhere', async () => {
    const { signal, platform } = await openSignal({ host: '0.0.0.0' });
    const port = await tunnelTo(new URL(signal.url).port);
    const tunnelled = await platform({ SIGNAL_HTTP_URL: `http://127.0.0.1:${port}` });
    expect(await tunnelled.check?.()).toBe(`as ${signal.account.number}, signal-cli 0.14.9`);
  });

  it('with an account that the daemon does not have says how to register or link it', async () => {
    const { platform } = await openSignal();
    const error = await failure(
      (await platform({ SIGNAL_ACCOUNT: '+4915100000777' })).check?.() ?? Promise.resolve(),
    );
    expect(error.code).toBe('AUTH_PLATFORM_TOKEN');
    expect(error.message).toMatch(/\+4915100000777.*register.*link/);
  });

  it('with a daemon for another account fails as soon as that speaks', async () => {
    const { signal, connect } = await openSignal({ accounts: 'one' });
    signal.fault('listContacts', 'bad-style');
    const line = await connect({ SIGNAL_ACCOUNT: '+4915100000777' });
    await signal.whenListening();
    signal.say(ADA, 'for another');
    expect(await line.state('failed')).toMatchObject({ code: 'AUTH_PLATFORM_TOKEN' });
    expect(line.events).toEqual([]);
  });

  it.each([
    [{ SIGNAL_ACCOUNT: '' }, 'signal.account'],
    [{ SIGNAL_HTTP_URL: '' }, 'signal.http_url'],
    [{ SIGNAL_ACCOUNT: '0151 123' }, 'SIGNAL_ACCOUNT'],
    [{ SIGNAL_HTTP_URL: 'localhost:8080' }, 'SIGNAL_HTTP_URL'],
  ])('refuses %j', async (environment, words) => {
    const { platform } = await openSignal();
    const error = await failure(platform(environment));
    expect([error.code, error.message]).toEqual(['CONFIG_INVALID', expect.stringContaining(words)]);
  });

  it('warns of a daemon that others can reach', async () => {
    const { platform } = await openSignal();
    expect((await platform()).warnings ?? []).toEqual([]);
    expect((await platform({ SIGNAL_HTTP_URL: 'http://signal.example:8080' })).warnings?.join()).toMatch(
      /password/,
    );
  });
});

it('whatever fails at random: a text arrives once, or its sending says that it may have', async () => {
  const draws = useDraws();
  const { signal, connect } = await openSignal();
  const { connection } = await connect();
  const faults: readonly SignalFault[] = [
    ...([
      'drop',
      'drop-after',
      'bad-gateway',
      'page',
      'io-error',
      'server-error',
      'network-failure',
    ] as const),
    { retryAfterSeconds: 1 },
  ];
  signal.faultAtRandom({
    ...{ names: ['send'], faults, share: 0.5 },
    random: () => draws.below(2 ** 30) / 2 ** 30,
  });
  for (let at = 0; at < 60; at++) {
    const text = `text ${at}`;
    const error = await connection.send({ id: ADA.uuid, kind: 'private' }, { text }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const copies = signal.sent.filter(each => each.text === text).length;
    if (error === undefined) expect([text, copies]).toEqual([text, 1]);
    else if (!isHermesError(error)) throw error;
    else if (copies > 0) expect([text, error.details['mayBeDelivered'], copies]).toEqual([text, true, 1]);
  }
});
