// Questions of the model to the person who wrote: in their place, with files, and over when they are answered.
import { expect, it } from 'vitest';
import { within } from '../../wait.ts';
import { answered, type House, USER } from './house.ts';
import { MemoryPlatform } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

it('takes the buttons away with the answer, and shows nothing as being done meanwhile', async () => {
  const asked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const { platform } = await houses.open({
    async *script(turn) {
      if (turn.text === 'meanwhile') {
        yield { type: 'text', delta: 'shown live' };
        await over.promise;
        return yield answered('shown live');
      }
      yield { type: 'text', delta: 'Let me ask.' };
      const size = turn.answer?.('Which size?', ['small', 'large']);
      yield { type: 'tool-started', id: 'c', tool: 'ask_user', summary: 'Which size?' };
      asked.resolve();
      yield {
        type: 'tool-finished',
        id: 'c',
        tool: 'ask_user',
        isError: false,
        text: `${await size}`,
        durationMs: 1,
      };
      yield answered(`It is ${await size}.`);
    },
  });
  await platform.say(USER, 'a shirt');
  await within(asked.promise, 'the question');
  await platform.shows(USER, 'Which size?');
  expect(platform.texts(USER)).toEqual(['Let me ask.', expect.stringContaining('Which size?')]);
  // Another chat is shown in the meantime what has begun later.
  await platform.say('3', 'meanwhile');
  await platform.shows('3', 'shown live');
  over.resolve();
  expect(platform.texts(USER).join('\n')).not.toContain('⚙ ask_user');
  await platform.press(USER, 'large');
  await platform.shows(USER, 'It is large.');
  const question = platform.chat(USER).find(({ text }) => text.includes('Which size?'));
  await platform.until(() => question?.buttons.length === 0);
  expect(question?.text).toMatch(/✔ large$/);
  expect(platform.texts(USER).at(-1)).toBe('It is large.');
});

it('P1: takes the answer from the person who was asked, and from nobody else in the group', async () => {
  const answer = Promise.withResolvers<string>();
  const { platform } = await houses.open({
    settings: '  busy: queue\ngroup_sessions_per_user: false\n',
    async *script(turn) {
      if (turn.text !== 'a shirt') return yield answered(`heard ${turn.text}`);
      answer.resolve(`${await turn.answer?.('Which size?', ['small', 'large'])}`);
      yield answered('done');
    },
  });
  await platform.say('-9', 'a shirt', { from: USER });
  await platform.shows('-9', 'Which size?');
  await platform.say('-9', 'huge', { from: '3' });
  await platform.press('-9', 'large', { from: '3' });
  await platform.press('-9', 'small', { from: USER });
  expect(await within(answer.promise, 'the answer comes')).toBe('small');
  await platform.shows('-9', 'heard huge');
});

it('gives the model files that come as the answer', async () => {
  let house: House | undefined;
  house = await houses.open({
    platform: new MemoryPlatform('telegram', { maxFileIn: 1000 }),
    async *script(turn, session) {
      const answer = await turn.answer?.('Which file?', []);
      const path = /"([^"]+report\.txt)"/.exec(answer ?? '')?.[1] ?? '';
      const lease = await house?.ground.sandboxes.lease(session, { purpose: 'test', actor: 'test' });
      const bytes = await lease?.handle.readFile(path);
      await lease?.[Symbol.asyncDispose]();
      yield answered(`${answer}: ${Buffer.from(bytes ?? []).toString()}`);
    },
  });
  const { platform } = house;
  platform.files.set('report.txt', Buffer.from('contents'));
  await platform.say(USER, 'read it');
  await platform.shows(USER, 'Which file?');
  await platform.say(USER, 'this one', { files: [{ name: 'report.txt', size: 8 }] });
  await platform.shows(USER, 'contents');
  expect(platform.texts(USER).at(-1)).toMatch(/^this one\n[\s\S]*report\.txt", 8 bytes/);
});
