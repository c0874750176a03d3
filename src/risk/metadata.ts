// The addresses where a cloud gives a machine its own credentials, in any way of writing them.

const BY_NAME =
  /169\.254\.169\.254|169\.254\.170\.2(?!\d)|metadata\.google\.internal|metadata\.azure|100\.100\.100\.200|fd00:ec2::254|(?:ffff:)+a9fe:a9fe|instance-data/i;
/** 169.254.169.254, 169.254.170.2 and 100.100.100.200. */
const BY_NUMBER = new Set([0xa9fea9fe, 0xa9feaa02, 0x646464c8]);
const NUMBERS =
  /^(?:\w+:\/\/)?(?:[^/@?#]*@)?((?:0x[\da-f]+|\d+)(?:\.(?:0x[\da-f]+|\d+)){0,3})\.?(?:[:/?#]|$)/i;

/** `isAddress`: a bare number is one too. */
export function namesMetadata(text: string, { isAddress }: { isAddress: boolean }): boolean {
  if (BY_NAME.test(text)) return true;
  const host = NUMBERS.exec(text)?.[1];
  if (host === undefined) return false;
  const isPlain = !host.includes('.') && !text.includes('://') && !isAddress;
  return !isPlain && BY_NUMBER.has(addressOf(host));
}

/** As `inet_aton` reads it: decimal, octal or hexadecimal parts, the last of which fills the rest. */
function addressOf(host: string): number {
  const parts = host.split('.').map(part => (/^0\d/.test(part) ? Number.parseInt(part, 8) : Number(part)));
  const last = parts.pop() ?? 0;
  const head = parts.reduce((sum, part, at) => sum + part * 256 ** (3 - at), 0);
  return head + last;
}
