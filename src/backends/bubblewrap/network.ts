// A network for a sandbox that is not the host's own: pasta carries its packets and does not give it the
// host's loopback addresses.

/** Where the sandbox asks for names; pasta hands it on to the host's resolver. */
export const NAMESERVER = '169.254.1.1';

/** No port of the host or of the sandbox is forwarded, and the gateway's address is not the host. */
const PASTA = [
  ...['pasta', '--config-net', '--foreground', '--quiet', '--no-map-gw', '--dns-forward', NAMESERVER],
  ...['--tcp-ports', 'none', '--udp-ports', 'none', '--tcp-ns', 'none', '--udp-ns', 'none', '--'],
];

/** The command that runs the rest in such a network; undefined when no program for it is installed. */
export function networkCommandOf(
  find: (program: string) => string | undefined,
): readonly string[] | undefined {
  return find('pasta') === undefined ? undefined : PASTA;
}
