// What somebody wrote in Slack, as plain text: mentions, channels and addresses stand in angle brackets there, and three
// characters are escaped. Pure.

export function plainText(mrkdwn: string): string {
  return unescaped(mrkdwn.replace(/<([^<>\n]+)>/g, (_, inside: string) => reference(inside)));
}

/** Without the mention that it begins with: it only says whom it is for. */
export function withoutMention(mrkdwn: string, userId: string): string {
  const [first = ''] = new RegExp(`^\\s*<@${userId}(?:\\|[^<>]*)?>[\\s,:]*`).exec(mrkdwn) ?? [];
  return mrkdwn.slice(first.length);
}

export function hasMention(mrkdwn: string, userId: string): boolean {
  return new RegExp(`<@${userId}(?:\\|[^<>]*)?>`).test(mrkdwn);
}

function reference(inside: string): string {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? '' : inside.slice(bar + 1);
  if (target.startsWith('@') || target.startsWith('#')) return target[0] + (label || target.slice(1));
  // Such as <!here>, <!subteam^S1|@team> and <!date^1^{date}|yesterday>.
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0]}`;
  const address = target.replace(/^mailto:/, '');
  if (label === '' || label === address || `http://${label}` === target || `https://${label}` === target) {
    return label === '' || label === address ? address : target;
  }
  return `${label} (${target})`;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
