// Proofs that ids lead back: an answer arrives where the question came from.
import { expect } from 'vitest';
import type { Place } from '../column.ts';
import type { Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

async function answersIn(trial: Trial, place: Exclude<Place, 'other'>): Promise<void> {
  const line = await trial.connect();
  const { chat } = await trial.greet(line, { place });
  expect(chat.kind).toBe(place === 'private' ? 'private' : 'group');
  expect(chat.thread === undefined).toBe(place !== 'thread');
  const { ids } = await line.connection.send(chat, { text: 'an answer' });
  const seen = await trial.peer.whenSeen(({ text }) => text === 'an answer', place);
  expect(ids).toEqual([seen.id]);
}

export const idProofs = proofs({
  'ids.private': trial => answersIn(trial, 'private'),
  'ids.group': trial => answersIn(trial, 'group'),
  'ids.thread': trial => answersIn(trial, 'thread'),

  async 'ids.apart'(trial) {
    const line = await trial.connect();
    const one = await trial.greet(line, { text: 'one' });
    await trial.peer.otherSays?.('two');
    const two = await line.message('two');
    const again = await trial.greet(line, { text: 'again' });
    expect(two.sender.id).not.toBe(one.sender.id);
    expect(again.sender).toEqual(one.sender);
    expect(again.chat).toEqual(one.chat);
    expect(again.id).not.toBe(one.id);
    await line.connection.send(one.chat, { text: 'for one' });
    await line.connection.send(two.chat, { text: 'for two' });
    await trial.peer.whenSeen(({ text }) => text === 'for two', 'other');
    const texts = (place: Place): string[] => trial.peer.seen(place).map(({ text }) => text);
    expect(texts('private')).toEqual(['for one']);
    expect(texts('other')).toEqual(['for two']);
  },

  async 'ids.json'(trial) {
    const line = await trial.connect();
    const event = await trial.greet(line);
    expect(JSON.parse(JSON.stringify(event))).toEqual(event);
    const { chat } = JSON.parse(JSON.stringify(event)) as typeof event; // as the store gives it back
    await line.connection.send(chat, { text: 'an answer' });
    await trial.peer.whenSeen(({ text }) => text === 'an answer');
  },
});
