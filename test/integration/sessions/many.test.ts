// Many sessions over few sandboxes: all are served, in order, and none sees another's files.
import { afterEach, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { type Gateway, newHome, openGateway } from './world.ts';

const SESSIONS = 200;
const PLACES = 20;
const ROUNDS = 2;

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

async function run(gateway: Gateway, chat: string, round: number): Promise<string> {
  await using lease = await gateway.sandboxes.lease(await gateway.session(chat), {
    purpose: 'r',
    actor: chat,
  });
  const { stdout } = await lease.exec(`echo ${chat}.${round} >>/workspace/canary; cat /workspace/canary`);
  return stdout;
}

describeWith('bubblewrap', () => {
  it(`serves ${SESSIONS} sessions over ${PLACES} sandboxes, and mixes none up`, async () => {
    gateway = await openGateway({
      home: await newHome(),
      environment: { TERMINAL_ENV: 'bubblewrap' },
      most: PLACES,
    });
    const { store } = gateway.world;
    const chats = Array.from({ length: SESSIONS }, (_, at) => `chat${at}`);
    for (let round = 0; round < ROUNDS; round++) {
      const served: string[] = [];
      const seen = await Promise.all(
        chats.map(async chat => {
          const canary = await run(gateway as Gateway, chat, round); // set above
          served.push(chat);
          return canary;
        }),
      );
      const own = (chat: string) => Array.from({ length: round + 1 }, (_, at) => `${chat}.${at}\n`).join('');
      expect(seen).toEqual(chats.map(own));
      // Who came among the first tenth is not served among the last tenth: nobody is overtaken for long.
      const places = new Map(served.map((chat, at) => [chat, at]));
      const worst = Math.max(...chats.slice(0, SESSIONS / 10).map(chat => places.get(chat) ?? SESSIONS));
      expect(worst).toBeLessThan(SESSIONS / 2);
      const live = await store.ledger.list({ states: ['creating', 'ready', 'leased', 'resuming'] });
      expect(live.length).toBeLessThanOrEqual(PLACES);
    }
  }, 240_000);
});
