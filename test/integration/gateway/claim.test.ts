// The first owner is whoever sends the code that the start printed.
import { describe, expect, it } from 'vitest';
import { message, useFrontDoors } from './front-door.ts';

const MINUTE = 60_000;
const open = useFrontDoors();
const owners = async ({ store }: Awaited<ReturnType<typeof open>>) =>
  (await store.people.list()).filter(({ role }) => role === 'owner').map(({ userId }) => userId);

describe('claiming', () => {
  it('makes the first owner, once, in private', async () => {
    const door = await open();
    const code = (await door.admission.openClaim()) ?? '';
    expect(code).toMatch(/^[A-Z2-9]{8}$/);
    const group = { id: '-100', kind: 'group' } as const;
    expect(await door.admit(message('1', `/claim ${code}`, { chat: group }))).toBeUndefined();
    expect(await owners(door)).toEqual([]);
    expect(await door.admit(message('1', `/claim ${code.toLowerCase()}`))).toBeUndefined();
    expect(door.said).toMatchObject([
      { chat: { id: '1' }, text: expect.stringContaining('You are the owner') },
    ]);
    expect(await door.admit(message('1', 'hello'))).toMatchObject({ role: 'owner' });
    await door.admit(message('2', `/claim ${code}`));
    expect(await owners(door)).toEqual(['1']);
    expect(await door.admit(message('1', '/claim it'))).toMatchObject({ role: 'owner' });
    expect(await door.admission.openClaim()).toBeUndefined();
    expect(await door.store.audit.list({ limit: 9 })).toMatchObject([
      { action: 'claim', subject: 'telegram:1' },
    ]);
    expect(door.log()).not.toContain(code);
  });

  it('makes one owner when two send it at the same time', async () => {
    const door = await open();
    const code = await door.admission.openClaim();
    await Promise.all(['1', '2', '3'].map(id => door.admit(message(id, `/claim ${code}`))));
    expect(await owners(door)).toHaveLength(1);
  });

  it('is not done by a code that somebody passes on', async () => {
    const door = await open();
    const code = await door.admission.openClaim();
    await door.admit(message('66', `/claim ${code}`, { forwardedFrom: 'the operator' }));
    expect(await owners(door)).toEqual([]);
  });

  it('works for somebody whom the configuration lets in, and after the chat was opened', async () => {
    const door = await open();
    const code = await door.admission.openClaim();
    door.rules.allowed = ['1'];
    await door.admit(message('1', '/start'));
    await door.admit(message('1', `/claim ${code}`));
    expect(await owners(door)).toEqual(['1']);
    const next = await open();
    const other = await next.admission.openClaim();
    await next.admit(message('5', '/start'));
    expect(next.said[0]?.text).toContain('/claim');
    await next.admit(message('5', `/claim@some_bot  ${other}`));
    expect(await owners(next)).toEqual(['5']);
    expect(await next.store.pairings.pending()).toEqual([]);
  });

  it('is over after an hour, with a new code, with an owner, and for the denied', async () => {
    const door = await open();
    const [first, second] = [await door.admission.openClaim(), await door.admission.openClaim()];
    await door.admit(message('1', `/claim ${first}`));
    const refused = { platform: 'telegram', role: 'user', standing: 'denied', decidedBy: 'cli' } as const;
    await door.store.people.decide({ ...refused, userId: '3' });
    await door.admit(message('3', `/claim ${second}`));
    expect(await owners(door)).toEqual([]);
    door.clock.advance(60 * MINUTE);
    await door.admit(message('1', `/claim ${second}`));
    expect(await owners(door)).toEqual([]);
    const third = await door.admission.openClaim();
    await door.store.people.decide({ ...refused, userId: '9', role: 'owner', standing: 'allowed' });
    await door.admit(message('1', `/claim ${third}`));
    expect(await owners(door)).toEqual(['9']);
  });

  it('allows one person five tries and one reply, and their failing does not keep the operator out', async () => {
    const door = await open();
    const code = await door.admission.openClaim();
    for (let at = 0; at < 900; at++) await door.admit(message('66', '/claim AAAAAAAA'));
    await door.admit(message('66', `/claim ${code}`));
    expect(await owners(door)).toEqual([]);
    expect(door.said).toHaveLength(1);
    await door.admit(message('1', `/claim ${code}`));
    expect(await owners(door)).toEqual(['1']);
  });
});

describe('strangers', () => {
  it('hear how the installation is claimed as long as it has no owner, and not afterwards', async () => {
    const door = await open();
    await door.admission.openClaim();
    await door.admit(message('66', 'hello'));
    expect(door.said.at(-1)?.text).toContain('send `/claim`');
    door.clock.advance(61 * MINUTE);
    await door.admit(message('67', 'hello'));
    expect(door.said.at(-1)?.text).toContain('Nobody owns this installation yet');
    expect(door.said.at(-1)?.text).toContain('hermes gateway claim');
    await door.admission.openClaim();
    const owner = { platform: 'telegram', userId: '9', role: 'owner', standing: 'allowed' } as const;
    await door.store.people.decide({ ...owner, decidedBy: 'cli' });
    await door.admit(message('68', 'hello'));
    expect(door.said.at(-1)?.text).toContain('Only an owner can let you in');
  });
});
