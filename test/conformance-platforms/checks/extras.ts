// Proofs of buttons, signs and files.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { proofs } from '../verifies.ts';

export const buttonProofs = proofs({
  async 'buttons.round-trip'(trial) {
    const line = await trial.connect();
    const { chat, sender } = await trial.greet(line);
    const buttons = [
      [
        { label: 'Yes', data: 'a:1' },
        { label: 'No', data: 'a:2' },
      ],
      [{ label: 'Always', data: 'a:3' }],
    ];
    const { ids } = await line.connection.send(chat, { text: 'May I?', buttons });
    const seen = await trial.peer.whenSeen(({ id }) => id === ids.at(-1));
    expect(seen.buttons).toEqual(buttons.flat());
    await trial.peer.press?.(seen, 'a:2');
    const event = await line.event(({ kind }) => kind === 'button', 'a press');
    expect(event).toMatchObject({ kind: 'button', chat, sender, data: 'a:2', messageId: seen.id });
  },

  async 'buttons.largest'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const most = trial.platform().capabilities.maxButtonData;
    const data = 'ä'.repeat(Math.floor(most / 2));
    const { ids } = await line.connection.send(chat, { text: 'q', buttons: [[{ label: 'b', data }]] });
    await trial.peer.press?.(await trial.peer.whenSeen(({ id }) => id === ids.at(-1)), data);
    expect(await line.event(({ kind }) => kind === 'button', 'a press')).toMatchObject({ data });
    const more = [[{ label: 'b', data: `${data}ää` }]];
    await trial.failure(line.connection.send(chat, { text: 'q', buttons: more }));
  },

  async 'buttons.answered'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const { ids } = await line.connection.send(chat, { text: 'q', buttons: [[{ label: 'b', data: 'd' }]] });
    await trial.peer.press?.(await trial.peer.whenSeen(({ id }) => id === ids.at(-1)), 'd');
    const { id } = await line.event(({ kind }) => kind === 'button', 'a press');
    await line.connection.answerButton?.(id, 'Done.');
    await trial.peer.whenNotice?.('Done.');
  },

  async 'buttons.removed'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const { ids } = await line.connection.send(chat, { text: 'q', buttons: [[{ label: 'b', data: 'd' }]] });
    await line.connection.edit?.(chat, ids[0] ?? '', { text: 'answered' });
    const seen = await trial.peer.whenSeen(({ text }) => text === 'answered');
    expect(seen.buttons).toEqual([]);
  },

  async 'buttons.none'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    await line.connection.send(chat, { text: 'May I?', buttons: [[{ label: 'Yes', data: 'y' }]] });
    await trial.peer.whenSeen(({ text }) => text.includes('May I?'));
  },
});

export const signProofs = proofs({
  async 'signs.typing'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    await line.connection.typing?.(chat);
    await trial.peer.whenTyping?.('private');
  },

  async 'signs.menu'(trial) {
    const line = await trial.connect();
    await line.connection.announce?.([
      { name: 'stop', doc: 'Stops what runs.' },
      { name: 'no-menu-name', doc: 'x' },
      { name: 'help', doc: 'y'.repeat(500) },
    ]);
    await trial.peer.whenMenu?.('stop');
    await trial.peer.whenMenu?.('help');
  },
});

export const fileProofs = proofs({
  async 'files.in'(trial) {
    const line = await trial.connect();
    const bytes = randomBytes(300_000);
    const event = await trial.greet(line, { text: 'look', file: { name: 'data.bin', bytes } });
    const [file, ...others] = JSON.parse(JSON.stringify(event.files)) as typeof event.files; // as the store gives it back
    expect(others).toEqual([]);
    expect(file?.name).toBe('data.bin');
    expect(file?.size ?? bytes.length).toBe(bytes.length);
    expect(Buffer.compare(await line.connection.fetchFile(file?.ref), bytes)).toBe(0);
  },

  async 'files.out'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const bytes = randomBytes(300_000);
    const { ids } = await line.connection.sendFile(chat, {
      name: 'out.bin',
      bytes,
      caption: '**here** <it> is',
    });
    const seen = await trial.peer.whenSeen(({ file }) => file !== undefined);
    expect(ids).toContain(seen.id);
    expect(seen.file?.name).toBe('out.bin');
    expect(Buffer.compare(seen.file?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
    const words = trial.peer.seen().map(({ text }) => text);
    expect(words.join(' ')).toMatch(/here.*<it> is/);
  },

  async 'files.names'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const names = ['a b.txt', 'ünï.txt', 'x;y="z".txt', 'line\nbreak.txt', '-', 'pic.png'];
    for (const name of names) await line.connection.sendFile(chat, { name, bytes: Buffer.from(name) });
    await trial.peer.whenSeen(({ file }) => Buffer.from(file?.bytes ?? []).toString() === 'pic.png');
    const got = trial.peer.seen().flatMap(({ file }) => (file ? [Buffer.from(file.bytes).toString()] : []));
    expect(got).toEqual(names);
  },

  async 'files.too-large'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const most = trial.platform().capabilities.maxFileOut;
    const error = await trial.failure(
      line.connection.sendFile(chat, { name: 'big', bytes: Buffer.alloc(most + 1) }),
    );
    expect(error.code).toBe('USAGE_NOT_DELIVERED');
    expect(error.message).toMatch(/\d+ (?:[kKMG]i?B|bytes)/);
    expect(trial.peer.seen()).toEqual([]);
  },
});
