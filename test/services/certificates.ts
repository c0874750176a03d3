// Certificates of a throwaway authority, for a server on loopback and its clients.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command.ts';

export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes the folders `server` and `client`, each with ca.pem, cert.pem and key.pem as the docker client names them. */
export async function makeCertificates(
  openssl: string,
  dir: string,
): Promise<Readonly<Record<'server' | 'client', Certificates>>> {
  const run = (...args: string[]) => runCommand([openssl, ...args]);
  const newKey = (key: string): string[] => [
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key],
  ];
  const [ca, caKey] = [join(dir, 'ca.pem'), join(dir, 'ca-key.pem')];
  await run('req', '-x509', '-days', '2', '-subj', '/CN=test authority', ...newKey(caKey), '-out', ca);
  const issue = async (name: string, extensions: string): Promise<Certificates> => {
    const folder = join(dir, name);
    await mkdir(folder);
    const file = (base: string): string => join(folder, base);
    await writeFile(file('extensions'), extensions);
    await run('req', '-subj', `/CN=${name}`, ...newKey(file('key.pem')), '-out', file('request'));
    const signed = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', '2'];
    const request = ['-req', '-in', file('request'), '-extfile', file('extensions')];
    await run('x509', ...request, ...signed, '-out', file('cert.pem'));
    await run('x509', '-in', ca, '-out', file('ca.pem'));
    return { ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') };
  };
  return {
    server: await issue('server', 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n'),
    client: await issue('client', 'extendedKeyUsage=clientAuth\n'),
  };
}
