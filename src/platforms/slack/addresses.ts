// Which addresses are Slack's own: files are fetched from there and sent there, and a token goes nowhere else. Pure.
import type { Endpoint } from './faults.ts';

const DOMAINS = ['slack.com', 'slack-gov.com', 'slack-files.com'];

/** Undefined when it is somebody else's. */
export function slackAddress(address: string, { apiRoot }: Pick<Endpoint, 'apiRoot'>): URL | undefined {
  const url = URL.parse(address);
  if (url?.username !== '' || url.password !== '') return undefined;
  if (url.origin === URL.parse(apiRoot)?.origin) return url;
  const isOwn = DOMAINS.some(domain => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  return isOwn && url.protocol === 'https:' && url.port === '' ? url : undefined;
}
