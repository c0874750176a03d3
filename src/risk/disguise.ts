// Text that reads like another one: terminal control, invisible characters, full-width and other look-alike letters.
import { stripAnsi } from '../base/strip-ansi.ts';

const INVISIBLE =
  /\u00AD|\u034F|\u061C|[\u115F\u1160]|[\u17B4\u17B5]|[\u180B-\u180E]|[\u200B-\u200F]|[\u202A-\u202E]|[\u2060-\u2064\u2066-\u206F]|[\uFE00-\uFE0F]|\uFEFF|\uFFA0/g;
const ODD_SPACE = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
/** Letters of other alphabets that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'i',
  ј: 'j',
  ӏ: 'l',
  м: 'm',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  ѵ: 'v',
  г: 'r',
  к: 'k',
  ο: 'o',
  α: 'a',
  ρ: 'p',
  ν: 'v',
  υ: 'u',
  ι: 'i',
  κ: 'k',
};

/** What a person would read; undefined when that is what stands there anyway. */
export function undisguised(text: string): string | undefined {
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return undefined;
  const plain = stripAnsi(text)
    .replace(INVISIBLE, '')
    .replace(ODD_SPACE, ' ')
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u0370-\u04FF]/g, letter => LOOKALIKES[letter] ?? letter);
  return plain === text ? undefined : plain;
}
