// The state of the double: one workspace with one app in it, its messages, files and signs, and what each method of the Web
// API does to them.
import { readContent, type SlackSent } from './slack-content.ts';
import { type Fields, TEAM } from './slack-payloads.ts';

export type Outcome = Fields & { readonly ok: boolean };

interface StoredFile {
  readonly id: string;
  readonly name: string;
  bytes: Uint8Array | undefined;
  /** Absent = at Slack. */
  url?: string;
}

export interface Notice {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
}

const refused = (error: string, more: Fields = {}): Outcome => ({ ok: false, error, ...more });
const done: Outcome = { ok: true };

export class SlackWorkspace {
  readonly bot = { userId: 'U0BOT', botId: 'B0BOT', name: 'hermes' };
  /** Called whenever something is to be seen. */
  readonly watchers = new Set<() => void>();
  /** What only one person sees. */
  readonly notices: Notice[] = [];
  /** `channel ts`, in the order in which they were set; those that are gone are gone. */
  readonly reactions = new Set<string>();
  readonly statuses = new Map<string, string>();
  /** Names of people by id. */
  readonly people = new Map<string, string>();
  /** Where files are to be sent to; absent = here. */
  uploadOrigin: string | undefined;
  readonly #sent = new Map<string, SlackSent>();
  readonly #files = new Map<string, StoredFile>();
  readonly #uploads = new Map<string, StoredFile>();
  readonly #origin: () => string;
  #nextTs = 1;
  #nextFile = 1;

  constructor(origin: () => string) {
    this.#origin = origin;
  }

  get sent(): readonly SlackSent[] {
    return [...this.#sent.values()];
  }

  nextTs(): string {
    return `1700000000.${String(this.#nextTs++).padStart(6, '0')}`;
  }

  /** A file of somebody's, as it stands in a message. */
  addFile(name: string, bytes: Uint8Array, url?: string): Fields {
    const file = this.#newFile(name, bytes);
    if (url !== undefined) file.url = url;
    return this.#fileOf(file);
  }

  forget(fileId: string): void {
    this.#files.delete(fileId);
  }

  /** Of the address under which it is downloaded. */
  fileAt(path: string): Uint8Array | undefined {
    const id = /^\/files-pri\/\w+-(\w+)\//.exec(path)?.[1] ?? '';
    return this.#files.get(id)?.bytes;
  }

  take(path: string, bytes: Uint8Array): boolean {
    const file = this.#uploads.get(path);
    if (file) file.bytes = bytes;
    return file !== undefined;
  }

  call(method: string, params: Fields): Outcome {
    return this.#methods[method]?.(params) ?? refused('unknown_method');
  }

  readonly #methods: Readonly<Record<string, (params: Fields) => Outcome>> = {
    'auth.test': () => ({
      ...{ ok: true, url: 'https://acme.slack.com/', team: 'Acme', team_id: TEAM },
      ...{
        user: this.bot.name,
        user_id: this.bot.userId,
        bot_id: this.bot.botId,
        is_enterprise_install: false,
      },
    }),
    'chat.postMessage': params => this.#post(params),
    'chat.update': params => this.#update(params),
    'chat.delete': ({ ts }) => (this.#sent.delete(String(ts)) ? done : refused('message_not_found')),
    'chat.postEphemeral': ({ channel, user, text }) => {
      this.notices.push({ channel: String(channel), user: String(user), text: String(text) });
      this.#changed();
      return { ok: true, message_ts: this.nextTs() };
    },
    'conversations.open': ({ users }) => {
      const id = String(users);
      return /^[UW]\w+$/.test(id)
        ? { ok: true, channel: { id: `D${id.slice(1)}` } }
        : refused('user_not_found');
    },
    'users.info': ({ user }) => {
      const name = this.people.get(String(user));
      if (name === undefined) return refused('user_not_found');
      const profile = { real_name: name, display_name: '' };
      return {
        ok: true,
        user: { id: user, team_id: TEAM, name: name.toLowerCase(), real_name: name, profile },
      };
    },
    'files.getUploadURLExternal': params => this.#uploadPlace(params),
    'files.completeUploadExternal': params => this.#complete(params),
    'files.info': ({ file }) => {
      const found = this.#files.get(String(file));
      return found ? { ok: true, file: this.#fileOf(found) } : refused('file_not_found');
    },
    'reactions.add': ({ channel, timestamp, name }) => {
      const key = `${channel} ${timestamp} ${name}`;
      if (this.reactions.has(key)) return refused('already_reacted');
      this.reactions.add(key);
      this.#changed();
      return done;
    },
    'reactions.remove': ({ channel, timestamp, name }) => {
      const isGone = this.reactions.delete(`${channel} ${timestamp} ${name}`);
      this.#changed();
      return isGone ? done : refused('no_reaction');
    },
    'assistant.threads.setStatus': ({ channel_id, thread_ts, status }) => {
      this.statuses.set(`${channel_id} ${thread_ts}`, String(status));
      this.#changed();
      return done;
    },
  };

  #post(params: Fields): Outcome {
    const channel = String(params['channel']);
    if (!/^[CDG]\w+$/.test(channel)) return refused('channel_not_found');
    const content = readContent('post', params);
    if ('error' in content) return refused(content.error);
    const thread = params['thread_ts'];
    const id = this.nextTs();
    const threaded = thread === undefined ? {} : { thread: String(thread) };
    // A message of the app ends its status.
    this.statuses.delete(`${channel} ${thread}`);
    this.#keep({ ...content, id, channel, ...threaded, versions: [content.text] });
    return { ok: true, channel, ts: id, message: { ts: id, bot_id: this.bot.botId, user: this.bot.userId } };
  }

  #update(params: Fields): Outcome {
    const old = this.#sent.get(String(params['ts']));
    if (!old || old.channel !== String(params['channel'])) return refused('message_not_found');
    const content = readContent('update', params);
    if ('error' in content) return refused(content.error);
    this.#keep({ ...old, ...content, versions: [...old.versions, content.text] });
    return { ok: true, channel: old.channel, ts: old.id, text: params['text'] };
  }

  #uploadPlace({ filename, length }: Fields): Outcome {
    if (typeof filename !== 'string' || filename === '' || !(Number(length) > 0))
      return refused('invalid_arguments');
    const file = this.#newFile(filename, undefined);
    const path = `/upload/v1/${file.id}-ticket`;
    this.#uploads.set(path, file);
    return { ok: true, upload_url: `${this.uploadOrigin ?? this.#origin()}${path}`, file_id: file.id };
  }

  #complete(params: Fields): Outcome {
    const [given] = params['files'] as readonly { id: string; title?: string }[]; // of our own adapter
    const file = this.#files.get(given?.id ?? '');
    if (!file?.bytes) return refused('file_not_found');
    const channel = String(params['channel_id']);
    if (!/^[CDG]\w+$/.test(channel)) return refused('channel_not_found');
    const comment = params['initial_comment'];
    const content =
      typeof comment === 'string'
        ? readContent('post', { text: comment })
        : { text: '', marks: [], pings: [], buttons: [], sections: 0 };
    if ('error' in content) return refused(content.error);
    const thread = params['thread_ts'];
    this.#keep({
      ...content,
      // Slack does not say the id of the message, only that of the file.
      id: file.id,
      channel,
      ...(thread === undefined ? {} : { thread: String(thread) }),
      versions: [content.text],
      file: { id: file.id, name: file.name, bytes: file.bytes },
    });
    return { ok: true, files: [{ id: file.id, title: given?.title ?? file.name }] };
  }

  #newFile(name: string, bytes: Uint8Array | undefined): StoredFile {
    const file: StoredFile = { id: `F${String(this.#nextFile++).padStart(6, '0')}`, name, bytes };
    this.#files.set(file.id, file);
    return file;
  }

  #fileOf({ id, name, bytes, url }: StoredFile): Fields {
    const address = url ?? `${this.#origin()}/files-pri/${TEAM}-${id}/${encodeURIComponent(name)}`;
    return {
      ...{ id, name, title: name, mimetype: 'application/octet-stream', mode: url ? 'external' : 'hosted' },
      ...{
        size: bytes?.length ?? 0,
        url_private: address,
        url_private_download: address,
        is_external: Boolean(url),
      },
    };
  }

  #keep(message: SlackSent): void {
    this.#sent.set(message.id, message);
    this.#changed();
  }

  #changed(): void {
    for (const watcher of this.watchers) watcher();
  }
}
