// Tells a person why a connection failed when it is the sandbox that has no network. Pure.

const FAILED_CONNECTION =
  /could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|no route to host|\bEAI_AGAIN\b|\bENOTFOUND\b|\bENETUNREACH\b|\bEHOSTUNREACH\b|nodename nor servname|failed to establish a new connection|bad address '|could not resolve proxy/i;

/** Whether the output of a tool looks as if the network was missed. */
export function missesNetwork(output: string): boolean {
  return FAILED_CONNECTION.test(output);
}

export const NETWORK_HINT =
  'A connection failed: the sandbox of this conversation has no network (`gateway.sandbox_network: none`). An owner can open it for this conversation with `/network open`.';
