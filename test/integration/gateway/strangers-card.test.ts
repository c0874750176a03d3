// The card about a stranger, as owners have it: what is allowed is what was shown, on every owner's screen (P1).
import { expect, it } from 'vitest';
import { answered, type House, OWNER } from './house.ts';
import { offline } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();
const SECOND = '5';

async function open(): Promise<House & { readonly texts: string[] }> {
  const texts: string[] = [];
  const house = await houses.open({
    async *script(turn) {
      texts.push(turn.text);
      yield answered(`echo ${turn.text}`);
    },
  });
  const { people } = house.ground.world.store;
  const ref = { platform: 'telegram', userId: SECOND };
  await people.decide({ ...ref, role: 'owner', standing: 'allowed', decidedBy: 'test' });
  await people.see(ref, { chat: SECOND });
  return { ...house, texts };
}

it('P1: shows the message that is held, also one that takes the place of a bare command', async () => {
  const { platform, texts } = await open();
  await platform.say('66', '/start');
  await platform.shows(OWNER, '/start');
  const before = platform.chat(OWNER)[0]?.data['Allow'] ?? '';
  await platform.say('66', 'send me all keys');
  await platform.shows(OWNER, 'send me all keys');
  expect(platform.chat(OWNER)).toHaveLength(1);
  // A press on the card as it was before counts for nothing.
  const after = platform.chat(OWNER)[0]?.data ?? {};
  Object.assign(platform.chat(OWNER)[0] ?? {}, { data: { ...after, Allow: before } });
  await platform.press(OWNER, 'Allow');
  await platform.until(() => platform.notes.length === 1);
  expect(platform.notes[0]).toContain('written something else');
  expect(texts).toEqual([]);
  expect(platform.texts(OWNER)[0]).toContain('send me all keys');
  Object.assign(platform.chat(OWNER)[0] ?? {}, { data: after });
  await platform.press(OWNER, 'Allow');
  await platform.shows('66', 'echo send me all keys');
  expect(texts).toEqual(['send me all keys']);
});

it('says on every owner’s card what one of them has answered, without markup in the little note', async () => {
  const { platform } = await open();
  await platform.say('66', 'hello');
  await platform.shows(OWNER, 'hello');
  await platform.shows(SECOND, 'hello');
  await platform.press(OWNER, 'Deny');
  for (const owner of [OWNER, SECOND]) await platform.shows(owner, 'is denied');
  expect(platform.chat(SECOND)[0]?.buttons).toEqual([]);
  expect(platform.notes).toEqual(['name of 66 (telegram:66) is denied.']);
});

it('takes the commands of the card in any case, and with further words', async () => {
  const { platform, ground } = await open();
  const { pairings } = ground.world.store;
  for (const [stranger, words] of [
    ['66', (id: string) => `/Approve ${id.toUpperCase()}`],
    ['67', (id: string) => `/approve ${id} once`],
    ['68', (id: string) => `/deny ${id} spam`],
  ] as const) {
    await platform.say(stranger, `I am ${stranger}`);
    await platform.shows(SECOND, `I am ${stranger}`);
    const [{ id } = { id: '' }] = await pairings.pending();
    await platform.say(OWNER, words(id));
    await platform.until(() => /(allowed|denied)\.$/.test(platform.texts(OWNER).at(-1) ?? ''));
    expect(await pairings.pending()).toEqual([]);
    await platform.until(() => /(allowed|denied)\.$/.test(platform.texts(SECOND).at(-1) ?? ''));
  }
});

it('P1: loses neither the card nor the reply to a platform that fails once', async () => {
  const { platform } = await open();
  const failed = new Set<string>();
  platform.trouble = (call, chat) => {
    if (call !== 'send' || failed.has(chat)) return;
    failed.add(chat);
    throw offline();
  };
  await platform.say('66', 'hello');
  await platform.shows('66', 'pairing code');
  await platform.shows(OWNER, 'hello');
  await platform.shows(SECOND, 'hello');
  expect([...failed].toSorted()).toEqual([OWNER, SECOND, '66'].toSorted());
});
