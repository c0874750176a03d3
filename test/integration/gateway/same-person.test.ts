// People who have two ids on a platform, such as a number and an account: whatever was said of one holds for both.
import { describe, expect, it } from 'vitest';
import { message, useFrontDoors } from './front-door.ts';

const open = useFrontDoors();

describe('somebody with two ids', () => {
  it('is let in by a list that has the other one, also later', async () => {
    const { admit, admission, aliases, rules } = await open();
    aliases.set('account', ['+49151']);
    rules.allowed = ['+49151'];
    expect(await admit(message('account', 'hello'))).toMatchObject({
      person: 'telegram:account',
      role: 'user',
    });
    expect(await admission.roleOf('telegram:account')).toBe('user');
    expect(await admit(message('another', 'hello'))).toBeUndefined();
    expect(await admission.roleOf('telegram:another')).toBeUndefined();
  });

  it('is let in by a list for all platforms that has the other one', async () => {
    const { admit, aliases, rules } = await open();
    aliases.set('account', ['+49151']);
    rules.allowedEverywhere = ['telegram:+49151'];
    expect(await admit(message('account', 'hello'))).toBeDefined();
  });

  it('has the role that was given to the other one', async () => {
    const { admit, admission, aliases, store } = await open();
    aliases.set('account', ['+49151']);
    const ref = { platform: 'telegram', userId: '+49151' };
    await store.people.decide({ ...ref, role: 'owner', standing: 'allowed', decidedBy: 'cli' });
    expect(await admit(message('account', 'hello'))).toMatchObject({ role: 'owner' });
    // Cards for the owner go where they write, and not to a number.
    expect(await admission.ownerChats()).toEqual([
      { platform: 'telegram', chat: { id: 'account', kind: 'private' } },
    ]);
  });

  it('is denied when one of them is, whatever the other may', async () => {
    const { admit, aliases, rules, store, said } = await open();
    aliases.set('account', ['+49151']);
    const decided = { role: 'user', decidedBy: 'cli' } as const;
    await store.people.decide({ platform: 'telegram', userId: 'account', standing: 'allowed', ...decided });
    await store.people.decide({ platform: 'telegram', userId: '+49151', standing: 'denied', ...decided });
    rules.allowAll = true;
    expect(await admit(message('account', 'hello'))).toBeUndefined();
    expect(said).toEqual([]);
  });
});
