import { expect, it } from 'vitest';
import { loadHermesConfig } from '../../../compose.ts';
import { readPerson } from './person.ts';

const config = await loadHermesConfig({
  HERMES_HOME: '/nonexistent',
  GATEWAY_PLUGINS: '[{"name":"my-chat","module":"/opt/my-chat.mjs"}]',
});

it.each([
  ['telegram:123', 'telegram', '123'],
  ['whatsapp:+49 170 1234567', 'whatsapp', '491701234567'],
  ['whatsapp:00491701234567', 'whatsapp', '491701234567'],
  ['my-chat:a:b', 'my-chat', 'a:b'],
])('%s is somebody', (typed, platform, userId) => {
  expect(readPerson(typed, config)).toEqual({ platform, userId });
});

it.each(['whatsapp:0170 1234567', 'whatsapp:ada', 'my-chatter:1', 'ada'])('%s is nobody', typed => {
  expect(() => readPerson(typed, config)).toThrow(expect.objectContaining({ code: 'USAGE_BAD_ARGUMENTS' }));
});
