// The written pages of the project and the links in them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Link {
  readonly text: string;
  /** Path below the project's root. */
  readonly target: string;
  /** The part after `#`; undefined without one. */
  readonly heading: string | undefined;
}

/** Every page of the project, as paths below its root. */
export function pagesOf(root: string): string[] {
  const top = readdirSync(root).filter(name => name.endsWith('.md'));
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [...top, ...below.filter(name => name.endsWith('.md')).map(name => `docs/${name}`)];
}

/** Links to files of the project; those in code and those to the web are none. */
export function linksOf(root: string, page: string): Link[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, '');
  return [...text.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map(match => match[1] ?? '')
    .filter(url => !/^[a-z]+:/.test(url))
    .map(url => {
      const [path = '', heading] = url.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return { text: url, target, heading };
    });
}

/** The anchors of a page's headings, as code hosts make them. */
export function headingsOf(root: string, page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(match =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
