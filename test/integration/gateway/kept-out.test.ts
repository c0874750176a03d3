// Whoever is kept out is out at once: what they had said and what runs for them ends with it (P1).
import { expect, it } from 'vitest';
import { within } from '../../wait.ts';
import { answered, cancelled, done, OWNER, USER } from './house.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();
const DENIED = { role: 'user', standing: 'denied', decidedBy: 'cli' } as const;

it('P1: ends the run of somebody who is denied, and what they had said before is not run', async () => {
  const texts: string[] = [];
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { platform, gateway, ground } = await houses.open({
    settings: '  busy: queue\n',
    async *script(turn) {
      texts.push(turn.text);
      if (turn.text !== 'long') return yield answered(`done ${turn.text}`);
      begun.resolve();
      await cancelled(turn);
      ended.resolve();
      yield done('canceled');
    },
  });
  const { store } = ground.world;
  await platform.say(USER, 'long');
  await within(begun.promise, 'the run to begin');
  await platform.say(USER, '!rm everything');
  await store.people.decide({ platform: 'telegram', userId: USER, ...DENIED });
  await gateway.peopleChanged();
  await within(ended.promise, 'the run of the denied person ends');
  await platform.say('3', 'hello');
  await platform.shows('3', 'done hello');
  await expect.poll(() => store.inbox.waiting()).toEqual([]);
  expect(texts).toEqual(['long', 'hello']);
  expect(platform.texts(USER)).toEqual([]);
});

it('P1: gives a run with `busy: steer` no words of somebody who was denied meanwhile', async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const given = Promise.withResolvers<readonly string[]>();
  const { platform, ground } = await houses.open({
    settings: '  busy: steer\n',
    async *script(turn) {
      begun.resolve();
      await go.promise;
      given.resolve((await turn.more?.()) ?? []);
      yield answered('done');
    },
  });
  await platform.say(USER, 'start');
  await within(begun.promise, 'the run begins');
  await platform.say(USER, 'and delete everything');
  await ground.world.store.people.decide({ platform: 'telegram', userId: USER, ...DENIED });
  go.resolve();
  expect(await within(given.promise, 'the run asks for more')).toEqual([]);
  await expect.poll(() => ground.world.store.inbox.waiting()).toEqual([]);
});

it('P1: gives a run the role that its person has when it begins', async () => {
  const go = Promise.withResolvers<void>();
  const roles: [string, boolean][] = [];
  const { platform, ground } = await houses.open({
    settings: '  busy: queue\n',
    async *script({ text, isOwner }) {
      roles.push([text, isOwner]);
      if (text === 'first') await go.promise;
      yield answered(text);
    },
  });
  await platform.say(OWNER, 'first');
  await platform.say(OWNER, '!second');
  await ground.world.store.people.decide({
    ...{ platform: 'telegram', userId: OWNER },
    ...{ role: 'user', standing: 'allowed', decidedBy: 'cli' },
  });
  go.resolve();
  await platform.shows(OWNER, '!second');
  expect(roles).toEqual([
    ['first', true],
    ['!second', false],
  ]);
});
