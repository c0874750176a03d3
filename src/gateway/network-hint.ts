// Tells a person why a connection failed when it is the sandbox that has no network. Pure.

/** What programs say when a name has no address. */
const NO_ADDRESS = [
  "(?:could not|couldn['’]t|can['’]?t|cannot|failed to|unable to) (?:resolve|lookup|look up)[^\\r\\n]{0,40}?(?:host|name|address|proxy|domain)",
  '(?:temporary )?failure (?:in name resolution|resolving)',
  'name or service not known|name does not resolve|nodename nor servname|no address associated with hostname',
  "no such host\\b|could not translate host name|unknown host\\b|UnknownHostException|unknown mysql server host|bad address '",
  'name resolution (?:failure|failed)|dns error\\b|getaddrinfo failed|\\bgaierror\\b|no servers could be reached',
  '\\b(?:EAI_AGAIN|EAI_NONAME|ENOTFOUND)\\b|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED',
];
/** And when nothing is there to be reached. */
const NO_WAY = [
  'network is unreachable|no route to host|\\b(?:ENETUNREACH|EHOSTUNREACH)\\b|spurious network error|npm err(?:or|!) network',
  "failed to connect to [^\\r\\n]{1,200}? port \\d|couldn['’]t connect to server|could not connect to [\\w.-]{1,200}:\\d",
  'failed to establish a new connection|connection broken by \\W?NewConnectionError|\\bfetch failed\\b',
  'request to https?://\\S{1,300} failed|failed to fetch https?://|error sending request for url',
];
const FAILED_CONNECTION = new RegExp([...NO_ADDRESS, ...NO_WAY].join('|'), 'i');
/** Neither needs a network: what runs in the sandbox itself, and a name that sudo does not find for its own machine. */
const AT_HOME = /\blocalhost\b|\b127\.\d+\.\d+\.\d+|\[?::1\b|\b0\.0\.0\.0\b|^sudo: unable to resolve host/i;
/** Nobody writes more about it in one line. */
const LONGEST_LINE = 2000;

/** Whether the output of a tool looks as if the network was missed. */
export function missesNetwork(output: string): boolean {
  return output
    .split(/[\r\n]+/)
    .some(line => FAILED_CONNECTION.test(line.slice(0, LONGEST_LINE)) && !AT_HOME.test(line));
}

/** `opening`: it was opened already, and the sandbox is still the one from before. */
export function networkHint(state: 'closed' | 'opening'): string {
  const failed = 'A connection failed: the sandbox of this conversation has no network';
  return state === 'opening'
    ? `${failed} yet. It is to be open, and the sandbox is made anew for that when its background processes have ended; \`/status\` lists them.`
    : `${failed} (\`gateway.sandbox_network: none\`). An owner can open it for this conversation with \`/network open\`.`;
}
