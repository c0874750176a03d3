// A gateway whose platforms refuse it, and one that nobody owns yet.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { needService } from '../../services/use-service.ts';
import { useGround } from './ground.ts';

const ground = useGround();
const WRONG = '700001:AAwrong-token_for-tests-0000000000';

async function telegramAt(token?: string) {
  const telegram = await startTelegram();
  onTestFinished(() => telegram.close());
  const settings = { TERMINAL_ENV: 'local', TELEGRAM_API_ROOT: telegram.apiRoot };
  return { telegram, settings: { ...settings, TELEGRAM_BOT_TOKEN: token ?? telegram.token } };
}

describe('a refused token', () => {
  it('ends the start with 77 and the reason when there is no other platform', async () => {
    const { settings } = await telegramAt(WRONG);
    const { run, home } = await ground(settings);
    for (const words of [[], ['--detach']]) {
      const { code, stdout, stderr } = await run(
        'gateway',
        'start',
        '--set',
        'gateway.http_port=0',
        ...words,
      );
      expect([code, stdout]).toEqual([77, '']);
      expect(stderr).toMatch(/AUTH_PLATFORM_TOKEN[\s\S]*@BotFather/);
    }
    expect(readdirSync(home)).not.toContain('gateway.sock');
  });

  it('leaves the others working, and shows in the status and in /readyz', async () => {
    const { settings } = await telegramAt(WRONG);
    const { run, detach } = await ground(settings);
    const { status } = await detach('--set', 'web.enabled=true', '--set', 'web.port=0');
    const platforms = [
      { name: 'telegram', state: 'failed' },
      { name: 'web', state: 'connected' },
    ];
    const page = await fetch(`${status.http}/readyz`);
    expect([page.status, await page.json()]).toMatchObject([
      200,
      { status: 'ready', platforms: { telegram: 'failed', web: 'connected' } },
    ]);
    const { stdout } = await run('gateway', 'status', '--json');
    expect(JSON.parse(stdout).gateway.platforms).toMatchObject(platforms);
  });

  it('that is taken back later ends the gateway with 77 as well', async () => {
    const { telegram, settings } = await telegramAt();
    const { foreground } = await ground(settings);
    const gateway = foreground();
    await gateway.ready;
    telegram.fault('getUpdates', 'bad-token', { times: 100 });
    telegram.say(1, 'ends the call that waits');
    const { code, stderr } = await gateway.ended;
    expect([code, stderr]).toEqual([77, expect.stringContaining('AUTH_PLATFORM_TOKEN')]);
  });
});

describe('the code of the first owner', () => {
  needService('bubblewrap');

  it('is not printed under a supervisor, is given by `hermes gateway claim`, and stands in no file', async () => {
    const { telegram, settings } = await telegramAt();
    const contained = { ...settings, TERMINAL_ENV: 'bubblewrap' };
    const { foreground, run, home } = await ground({ ...contained, XPC_SERVICE_NAME: 'hermes.gateway' });
    const gateway = foreground();
    const { greeting } = await gateway.ready;
    expect(greeting).toEqual([expect.stringContaining('hermes gateway claim')]);
    expect(greeting.join()).not.toMatch(/\/claim [A-Z2-9]{8}/);
    const { stdout } = await run('gateway', 'claim');
    const [, code = ''] = /\/claim ([A-Z2-9]{8})/.exec(stdout) ?? [];
    telegram.say(7, `/claim ${code}`);
    await telegram.whenSent(({ text }) => text.includes('You are the owner'));
    expect((await run('gateway', 'claim')).stdout).toContain('has an owner');
    const log = readFileSync(join(home, 'logs/gateway.log'), 'utf8');
    expect(log).not.toContain(code);
    gateway.signal('SIGTERM');
    expect((await gateway.ended).stdout).not.toContain(code);
  });
});
