// Programs that open raw connections.
export const NETCATS: readonly string[] = [
  'nc',
  'ncat',
  'netcat',
  'nc.traditional',
  'nc.openbsd',
  'socat',
  'telnet',
  'cryptcat',
  'pwncat',
];
