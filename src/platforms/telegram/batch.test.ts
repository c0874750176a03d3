import { expect, it } from 'vitest';
import { takeIn } from './batch.ts';

const account = { id: 7, username: 'hermes_bot' };
const update = (id: number, chat: number): unknown => ({
  update_id: id,
  message: {
    message_id: id,
    from: { id: chat, is_bot: false, first_name: 'A' },
    chat: { id: chat, type: 'private' },
    text: String(id),
  },
});

it('is acknowledged up to the first that was not received; its chat waits for it, others go on', async () => {
  const got: string[] = [];
  const receive = async (event: { id: string }): Promise<void> => {
    if (event.id === '11') throw new Error('disk full');
    got.push(event.id);
  };
  const updates = [update(10, 1), update(11, 1), update(12, 2), update(13, 1), update(14, 2)];
  const first = await takeIn(updates, { account, receive, known: new Set() });
  expect(first).toMatchObject({ offset: 11, ahead: new Set([12, 14]), failure: new Error('disk full') });
  expect(got.toSorted()).toEqual(['10', '12', '14']);

  const again = await takeIn(updates.slice(1), {
    account,
    receive: async event => void got.push(event.id),
    known: first?.ahead ?? new Set(),
  });
  expect(again).toEqual({ offset: 15, ahead: new Set() });
  expect(got).toEqual(['10', '12', '14', '11', '13']);
});

it('is acknowledged although nothing in it is an event', async () => {
  const receive = (): Promise<void> => Promise.reject(new Error('not called'));
  const updates = [{ update_id: 5, message: 'broken' }, null, { update_id: 6 }];
  expect(await takeIn(updates, { account, receive, known: new Set() })).toEqual({
    offset: 7,
    ahead: new Set(),
  });
});

it('that has no ids cannot be acknowledged', async () => {
  const receive = async (): Promise<void> => undefined;
  expect(
    await takeIn([null, {}, { update_id: 'x' }], { account, receive, known: new Set() }),
  ).toBeUndefined();
});
