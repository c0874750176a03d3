// Reads mrkdwn as Slack shows it: what people see, the marks it has, and whom it would call.

export interface Shown {
  readonly text: string;
  /** What is shown with a mark: bold, italic, strike, code, link. */
  readonly marks: readonly { readonly kind: string; readonly text: string; readonly url?: string }[];
  /** Mentions of people, groups, channels and everybody. */
  readonly pings: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = { '*': 'bold', _: 'italic', '~': 'strike' };

export function readMrkdwn(mrkdwn: string): Shown {
  const marks: { kind: string; text: string; url?: string }[] = [];
  const pings: string[] = [];
  const kept: string[] = [];
  /** Put aside, so that nothing in it is taken for a mark. */
  const keep = (text: string): string => `\uE000${kept.push(text) - 1}\uE001`;
  const note = (kind: string, text: string, url?: string): string => {
    marks.push({ kind, text: restored(text), ...(url === undefined ? {} : { url }) });
    return text;
  };
  const restored = (text: string): string =>
    text.replace(/\uE000(\d+)\uE001/g, (_, at: string) => kept[Number(at)] ?? '');
  const spans = (text: string): string => {
    let shown = text;
    for (const mark of ['*', '_', '~']) {
      const pattern = new RegExp(
        `(?<![\\p{L}\\p{N}])[${mark}](?=\\S)([^\\n]*?\\S)[${mark}](?![\\p{L}\\p{N}])`,
        'gu',
      );
      shown = shown.replace(pattern, (whole, inside: string) =>
        inside.includes(mark) ? whole : note(KINDS[mark] ?? '', inside),
      );
    }
    return shown;
  };
  const angle = (inside: string): string => {
    const [target = '', label] = inside.split('|');
    if (/^[@#!]/.test(target)) {
      pings.push(inside);
      return keep(label ?? target);
    }
    return note('link', label ?? keep(target), unescaped(target));
  };
  let text = mrkdwn.replace(/```\n?([\s\S]*?)\n?```/g, (_, code: string) =>
    keep(note('code', unescaped(code))),
  );
  text = text.replace(/`([^`\n]+)`/g, (_, code: string) => keep(note('code', unescaped(code))));
  text = text.replace(/<([^<>]+)>/g, (_, inside: string) => angle(inside));
  text = spans(text)
    .replace(/^&gt; ?/gm, '')
    .replace(/^> ?/gm, '');
  return { text: restored(unescaped(text)).replaceAll('\u200B', ''), marks, pings };
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
