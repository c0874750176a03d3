// What the name of an image stands for: a file or a folder of this machine, or something to convert. Pure.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { notCreated } from './faults.ts';

export type ImageSource =
  | { readonly kind: 'here'; readonly path: string }
  /** `archive`: the file of this machine that is converted; absent = it is loaded from elsewhere. */
  | { readonly kind: 'converted'; readonly uri: string; readonly archive?: string };

const ARCHIVES = ['docker-archive', 'oci-archive'];
const ELSEWHERE = 'docker:// docker-daemon:// library:// oras:// shub:// oci:// http:// https://'.split(' ');

export interface ImagePlaces {
  readonly cwd: string;
  readonly userHome: string | undefined;
}

/** A bare name such as `debian:12` is one of a registry, as other backends have it. Throws SANDBOX_NOT_CREATED. */
export function imageSource(name: string, places: ImagePlaces): ImageSource {
  const [, scheme, rest = ''] = /^([a-z][a-z-]*):(.*)$/s.exec(name) ?? [];
  const path = (text: string): string => pathOf(text, places);
  if (scheme !== undefined && ARCHIVES.includes(scheme)) {
    const archive = path(rest.replace(/^\/\//, ''));
    return { kind: 'converted', uri: `${scheme}:${archive}`, archive };
  }
  if (scheme !== undefined && rest.startsWith('//')) {
    if (ELSEWHERE.includes(`${scheme}://`)) return { kind: 'converted', uri: name };
    const known = [...ELSEWHERE, ...ARCHIVES.map(each => `${each}:`)].join(', ');
    throw notCreated(`the image ${name} is of no known kind`, `Use a file, a folder, or one of ${known}`);
  }
  if (/^(\/|\.\.?\/|~\/)/.test(name) || /\.(sif|sqsh|img)$/.test(name))
    return { kind: 'here', path: path(name) };
  return { kind: 'converted', uri: `docker://${name}` };
}

function pathOf(text: string, { cwd, userHome }: ImagePlaces): string {
  if (text.startsWith('~/') && userHome !== undefined) return join(userHome, text.slice(2));
  return resolve(cwd, text);
}

/** The name of the converted file. `version`: tells apart what has the same name. */
export function convertedName(uri: string, version: string): string {
  const key = createHash('sha256').update(`${uri}\0${version}`).digest('hex').slice(0, 16);
  const readable = uri.replace(/^[a-z-]+:/, '').replaceAll(/[^A-Za-z0-9.]+/g, '-');
  return `${readable.replace(/^-/, '').slice(-60)}-${key}.sif`;
}
