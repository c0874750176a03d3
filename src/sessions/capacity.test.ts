import { describe, expect, it } from 'vitest';
import { Capacity } from './capacity.ts';

/** Names in the order in which they got a place. */
async function served(capacity: Capacity, names: readonly string[]): Promise<string[]> {
  const order: string[] = [];
  const entering = names.map(async name => {
    const place = await capacity.enter();
    order.push(name);
    place.leave();
  });
  await Promise.all(entering);
  return order;
}

describe('places for sandboxes', () => {
  it('are as many as there may be, and no more', async () => {
    const capacity = new Capacity(2, () => {});
    const [first] = [await capacity.enter(), await capacity.enter()];
    let isIn = false;
    const third = capacity.enter().then(() => {
      isIn = true;
    });
    await Promise.resolve();
    expect([isIn, capacity.waiting, capacity.free]).toEqual([false, 1, 0]);
    first.leave();
    first.leave();
    await third;
    expect([isIn, capacity.waiting, capacity.free]).toEqual([true, 0, 0]);
  });

  it('are given in the order in which people came', async () => {
    const capacity = new Capacity(1, () => {});
    const holder = await capacity.enter();
    const order = served(capacity, ['a', 'b', 'c']);
    holder.leave();
    expect(await order).toEqual(['a', 'b', 'c']);
  });

  it('go to who drew the earlier ticket, also when they enter later', async () => {
    const capacity = new Capacity(1, () => {});
    const holder = await capacity.enter();
    const early = capacity.ticket();
    const order: string[] = [];
    const late = capacity.enter().then(() => order.push('late'));
    const first = capacity.enter({ ticket: early }).then(place => {
      order.push('early');
      place.leave();
    });
    holder.leave();
    await Promise.all([late, first]);
    expect(order).toEqual(['early', 'late']);
  });

  it('are not kept for who has given up waiting', async () => {
    const capacity = new Capacity(1, () => {});
    const holder = await capacity.enter();
    const abort = new AbortController();
    const waiting = capacity.enter({ signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    holder.leave();
    expect([capacity.waiting, capacity.free]).toEqual([0, 1]);
  });
});
