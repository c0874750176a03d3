import { expect, it } from 'vitest';
import { slackAddress } from './addresses.ts';

const endpoint = { apiRoot: 'http://127.0.0.1:99/api' };

it.each([
  'https://files.slack.com/files-pri/T1-F1/a.txt',
  'https://slack.com/x',
  'https://acme.enterprise.slack.com/x',
  'https://files.slack-gov.com/x',
  'http://127.0.0.1:99/files/x',
])('%s is Slack’s', address => {
  expect(slackAddress(address, endpoint)?.href).toBe(address);
});

it.each([
  '',
  'not an address',
  'http://files.slack.com/x',
  'https://files.slack.com.evil.example/x',
  'https://evilslack.com/x',
  'https://slack.com@evil.example/x',
  'https://user:pw@slack.com/x',
  'https://files.slack.com:8443/x',
  'http://127.0.0.1:98/x',
  'https://127.0.0.1:99/x',
  'file:///etc/passwd',
  'https://drive.google.com/x',
])('%j is not', address => {
  expect(slackAddress(address, endpoint)).toBeUndefined();
});
