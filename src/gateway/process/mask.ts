// Hides in a line of the log who somebody is on a platform: phone numbers, and ids of people and chats. Our own ids of
// sessions, runs and events stay, so that lines can be brought together.

/** Fields whose values are ids of a platform. */
const ID_FIELDS = ['chat', 'chatId', 'sender', 'senderId', 'user', 'userId', 'person', 'requester', 'actor'];
const FIELD = new RegExp(`("(?:${ID_FIELDS.join('|')})":)(?:"((?:[^"\\\\]|\\\\.)*)"|(-?\\d+))`, 'g');
/** International, with or without separators: seven to fifteen digits. */
const PHONE = /(?<![\w+])\+\d(?:[ ().-]{0,2}\d){6,14}(?!\d)/g;
const SHOWN = 2;

/** `platforms`: names that ids are written behind, as in `telegram:123`. */
export function createMask(platforms: readonly string[]): (line: string) => string {
  const named = new RegExp(`(?<![\\w.-])(${platforms.join('|')}):([^\\s"\\\\,;()]+)`, 'g');
  return line =>
    line
      .replace(FIELD, (_, field: string, text?: string, number?: string) => {
        return `${field}"${maskIdentity(text ?? number ?? '', platforms)}"`;
      })
      .replace(named, (_, platform: string, id: string) => `${platform}:${maskParts(id)}`)
      .replace(PHONE, phone => maskId(phone));
}

/** `telegram:12345` keeps its platform; a name such as `cli` is nobody's id. */
function maskIdentity(value: string, platforms: readonly string[]): string {
  const at = value.indexOf(':');
  if (at > 0 && platforms.includes(value.slice(0, at))) {
    return `${value.slice(0, at + 1)}${maskParts(value.slice(at + 1))}`;
  }
  return value === 'cli' || value === 'gateway' ? value : maskId(value);
}

/** Keys of sessions have several ids; each is hidden by itself. */
function maskParts(ids: string): string {
  return ids.split(':').map(maskId).join(':');
}

/** The end stays, so that two can be told apart; of a short one nothing. Masking twice changes nothing. */
function maskId(id: string): string {
  if (id.startsWith('***')) return id;
  return id.length > 2 * SHOWN ? `***${id.slice(-SHOWN)}` : '***';
}
