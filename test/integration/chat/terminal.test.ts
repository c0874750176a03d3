// hermes chat and its terminal: pastes, what is remembered, Ctrl-C at a question, no questions at all, and a terminal that closes.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Step, startModelServer } from '../../doubles/model-server.ts';
import { chatHome } from './home.ts';

const DELETE: Step = { call: { name: 'terminal', input: { command: 'rm -rf ~/precious' } } };
const ASK: Step = { call: { name: 'ask_user', input: { question: 'Which one?' } } };

it('takes several lines that are pasted as one message', async () => {
  await using server = await startModelServer([[{ text: 'Read.' }]]);
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.paste('first line\r\nsecond line\n');
  await chat.see('second line');
  chat.type(' and more\r');
  await chat.see('Read.');
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.lastText).toContain('first line\nsecond line and more');
  chat.type('\u0004');
  expect(await chat.ended).toBe(0);
  expect(await readFile(join(home.home, 'chat_history'), 'utf8')).toBe('first line␤second line and more\n');
});

it('remembers what was said, and neither answers nor secrets', async () => {
  await using server = await startModelServer(({ results, lastText }) => {
    if (!lastText.includes('Do it') || results.length > 1) return [{ text: 'Done.' }];
    return [results.length === 0 ? ASK : DELETE];
  });
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.type('Do it\r');
  await chat.see('answer: ');
  chat.type('the hidden one\r');
  await chat.see('eny: ');
  chat.type('d\r');
  await chat.see('Done.');
  await chat.see('> ');
  chat.type('Use ghp_1234567890abcdefghijklmnopqrstuvwxyz\r');
  await chat.see('Done.');
  await chat.see('> ');
  chat.type('\u0004');
  await chat.ended;
  expect(await readFile(join(home.home, 'chat_history'), 'utf8')).toBe('Do it\n');
});

it('shows Ctrl-C at a question of the model once', async () => {
  await using server = await startModelServer([[ASK]]);
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.type('Do it\r');
  await chat.see('answer: ');
  chat.type('\u0003');
  await chat.see('interrupted');
  expect(chat.screen().match(/\^C/g)).toHaveLength(1);
  expect(chat.screen().match(/answer: /g)).toHaveLength(1);
  chat.type('\u0004');
  expect(await chat.ended).toBe(0);
});

it('with --yolo shows what it does not ask about, until /new', async () => {
  await using server = await startModelServer(({ results }) =>
    results.length === 0 ? [DELETE] : [{ text: 'Done.' }],
  );
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat', '--yolo']);
  await chat.see('⚠ --yolo: nobody is asked in this conversation');
  await chat.see('> ');
  chat.type('Delete it\r');
  await chat.see('⚠ --yolo: this runs without a question:\n│ rm -rf ~/precious\n│ • ');
  await chat.see('Done.');
  expect(existsSync(join(home.person, 'precious'))).toBe(false);
  chat.type('/new\r');
  await chat.see('asked again');
  chat.type('Delete it\r');
  await chat.see('eny: ');
  chat.type('d\r');
  await chat.see('Done.');
  chat.type('\u0004');
  await chat.ended;
});

it('ends in order when the terminal is closed, also in the middle of a run', async () => {
  const sleep: Step = { call: { name: 'terminal', input: { command: 'echo be""gun; sleep 600' } } };
  await using server = await startModelServer([[sleep]]);
  await using home = await chatHome(server.openAiUrl);
  const idle = home.terminal(['chat']);
  await idle.see('> ');
  expect(await idle.hangUp()).toBe(129);
  const busy = home.terminal(['chat']);
  await busy.see('> ');
  busy.type('Please sleep\r');
  await busy.see('begun');
  expect(await busy.hangUp()).toBe(129);
  expect((await home.hermes(['sandbox', 'list'])).stdout).not.toContain('leased');
  const next = await home.hermes(['chat', '-c', '-q', '!true', '--json']);
  // Nothing was cut off: the run had been brought to its end.
  expect(JSON.parse(next.stdout).notices).toEqual([]);
});
