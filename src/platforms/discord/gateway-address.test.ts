// To which addresses of a gateway the token may go.
import { describe, expect, it } from 'vitest';
import { isGatewayOf, isSameGateway } from './gateway-address.ts';

describe('a gateway that the API names', () => {
  it.each([
    ['wss://gateway.discord.gg', 'https://discord.com/api', true],
    ['ws://gateway.discord.gg', 'https://discord.com/api', false],
    ['ws://127.0.0.1:9/gateway', 'http://127.0.0.1:9/api', true],
    ['wss://127.0.0.1:9/gateway', 'http://127.0.0.1:9/api', true],
    ['nonsense', 'http://127.0.0.1:9/api', false],
  ])('%s by %s: %s, since it is as well protected as the API or is not', (url, apiRoot, isOne) => {
    expect(isGatewayOf(url, apiRoot)).toBe(isOne);
  });
});

describe('a gateway that is named later', () => {
  const FIRST = 'wss://gateway.discord.gg';
  it.each([
    [FIRST, true],
    ['wss://gateway-us-east1-b.discord.gg', true],
    ['wss://gateway-us-east1-b.discord.gg/', true],
    ['ws://gateway-us-east1-b.discord.gg', false],
    ['wss://gateway.discord.gg:8443', false],
    ['wss://discord.gg.example.org', false],
    ['wss://notdiscord.gg', false],
    ['wss://a:b@gateway.discord.gg', false],
    ['wss://gateway.discord.gg?to=example.org', false],
    ['wss://example.org', false],
    ['https://gateway.discord.gg', false],
    ['', false],
  ])('%s: %s', (url, isSame) => {
    expect(isSameGateway(url, FIRST)).toBe(isSame);
  });

  it('is on the same port of a machine without a name', () => {
    const first = 'ws://127.0.0.1:9/gateway';
    expect(isSameGateway('ws://127.0.0.1:9/again', first)).toBe(true);
    expect(isSameGateway('ws://127.0.0.1:10/again', first)).toBe(false);
    expect(isSameGateway('wss://1.2.0.1', 'wss://127.0.0.1')).toBe(false);
  });
});
