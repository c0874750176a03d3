import { expect, it } from 'vitest';
import { isFileHost } from './incoming-file.ts';

const api = 'https://graph.facebook.com/v25.0';

it.each([
  ['https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1', true],
  ['https://graph.facebook.com/x', true],
  ['https://mmg.whatsapp.net/x', true],
  ['http://lookaside.fbsbx.com/x', false],
  ['https://lookaside.fbsbx.com.evil.example/x', false],
  ['https://evilfbsbx.com/x', false],
  ['https://evil.example/lookaside.fbsbx.com', false],
  ['https://graph.facebook.com@evil.example/x', false],
  ['http://127.0.0.1:8378/x', false],
])('the token goes to %s: %s', (url, isSent) => {
  expect(isFileHost(url, api)).toBe(isSent);
});

it('a server of one’s own keeps its files itself', () => {
  expect(isFileHost('http://127.0.0.1:9000/file', 'http://127.0.0.1:9000/v1')).toBe(true);
  expect(isFileHost('http://127.0.0.1:9001/file', 'http://127.0.0.1:9000/v1')).toBe(false);
});
