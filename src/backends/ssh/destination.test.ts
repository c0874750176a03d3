import { expect, it } from 'vitest';
import { parseDestination } from './destination.ts';

const PRINTED = `user deploy
hostname 10.0.0.5
port 2222
stricthostkeychecking ask
userknownhostsfile /u/known_hosts /u/known_hosts2
`;

it('reads what ssh has made of its configuration', () => {
  expect(parseDestination(PRINTED, { host: 'build' })).toEqual({
    address: 'deploy@10.0.0.5 port 2222',
    knownHosts: '/u/known_hosts /u/known_hosts2',
    strict: 'accept-new',
  });
});

it.each(['yes', 'true'])('does not pin by itself where the operator wants strict checking (%s)', value => {
  expect(parseDestination(`stricthostkeychecking ${value}`, { host: 'build' }).strict).toBe('yes');
});

it.each(['no', 'off', 'accept-new'])('pins where the operator would accept more (%s)', value => {
  expect(parseDestination(`stricthostkeychecking ${value}`, { host: 'build' }).strict).toBe('accept-new');
});
