// Many sessions over few sandboxes: all are served, in order, and none sees another's files. `npm run soak` has more of them.
import { afterEach, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { isSoak, scaled } from '../../soak.ts';
import { type Gateway, type GatewayOptions, newHome, openGateway } from './world.ts';

const ROUNDS = 2;

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

interface Crowd {
  readonly sessions: number;
  readonly places: number;
}

async function run(gateway: Gateway, chat: string, round: number): Promise<string> {
  await using lease = await gateway.sandboxes.lease(await gateway.session(chat), {
    purpose: 'r',
    actor: chat,
  });
  const { stdout } = await lease.exec(`echo ${chat}.${round} >>/workspace/canary; cat /workspace/canary`);
  return stdout;
}

async function serveAll(
  environment: GatewayOptions['environment'],
  { sessions, places }: Crowd,
): Promise<void> {
  const opened = await openGateway({ home: await newHome(), environment, most: places });
  gateway = opened;
  const chats = Array.from({ length: sessions }, (_, at) => `chat${at}`);
  for (let round = 0; round < ROUNDS; round++) {
    const served: string[] = [];
    const seen = await Promise.all(
      chats.map(async chat => {
        const canary = await run(opened, chat, round);
        served.push(chat);
        return canary;
      }),
    );
    const own = (chat: string) => Array.from({ length: round + 1 }, (_, at) => `${chat}.${at}\n`).join('');
    expect(seen).toEqual(chats.map(own));
    // Who came among the first tenth is not served in the second half: nobody is overtaken for long.
    const order = new Map(served.map((chat, at) => [chat, at]));
    const worst = Math.max(...chats.slice(0, sessions / 10).map(chat => order.get(chat) ?? sessions));
    expect(worst).toBeLessThan(sessions / 2);
    const live = await opened.world.store.ledger.list({
      states: ['creating', 'ready', 'leased', 'resuming'],
    });
    expect(live.length).toBeLessThanOrEqual(places);
  }
}

const CROWD: Crowd = { sessions: scaled(80, 200), places: scaled(8, 20) };
const FEW: Crowd = { sessions: 30, places: 5 };
const titleOf = ({ sessions, places }: Crowd, where: string): string =>
  `serves ${sessions} sessions over ${places} sandboxes of ${where}, and mixes none up`;

describeWith('bubblewrap', () => {
  it(titleOf(CROWD, 'bubblewrap'), () => serveAll({ TERMINAL_ENV: 'bubblewrap' }, CROWD), 240_000);
});

describeWith('image-bookworm', address => {
  const crowd = isSoak ? CROWD : FEW;
  it(
    titleOf(crowd, 'docker'),
    () =>
      serveAll(
        {
          TERMINAL_ENV: 'docker',
          DOCKER_HOST: address().docker.host,
          TERMINAL_DOCKER_IMAGE: address().image,
          TERMINAL_CONTAINER_MEMORY: '128',
        },
        crowd,
      ),
    900_000,
  );
});
