// hermes chat on a terminal: streaming, approvals, Ctrl-C, commands, and going on later.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Heard } from '../../doubles/model-request.ts';
import { type Step, startModelServer } from '../../doubles/model-server.ts';
import { chatHome } from './home.ts';

const DELETE: Step = { call: { name: 'terminal', input: { command: 'rm -rf ~/precious' } } };

function afterTool(before: readonly Step[], after: string): (heard: Heard) => readonly Step[] {
  return ({ results }) => (results.length === 0 ? before : [{ text: after }]);
}

it('shows an answer while it is written, rendered, and tools with their time', async () => {
  const gate = Promise.withResolvers<void>();
  const call = { name: 'terminal', input: { command: 'echo hello' } };
  const first: Step[] = [{ text: '# Plan\n\nI ' }, { until: gate.promise }, { text: '**look**.' }, { call }];
  await using server = await startModelServer(afterTool(first, '- one\n- two'));
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('model     test-model');
  await chat.see('> ');
  chat.type('What is here?\r');
  await chat.see('waiting for the model');
  await chat.see('Plan\n\nI');
  gate.resolve();
  await chat.see('I look.');
  await chat.see('✓ terminal  echo hello  ');
  // A line is written again when more of it has come.
  await chat.see('• one\n');
  await chat.see('• two\n');
  chat.type('/status\r');
  await chat.see('20 read, 10 written');
  chat.type('/sandbox\r');
  await chat.see('This machine itself');
  chat.type('/nonsense\r');
  await chat.see('There is no /nonsense');
  chat.type('\u0004');
  expect(await chat.ended).toBe(0);
  expect(await readFile(join(home.home, 'chat_history'), 'utf8')).toContain('What is here?\n');
});

it('asks before it does harm, shows all of it, and takes no for an answer', async () => {
  await using server = await startModelServer(afterTool([DELETE], 'Done.'));
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.type('Delete it\r');
  await chat.see('The agent wants to run:\n│ rm -rf ~/precious\n');
  await chat.see('Deletes files outside');
  await chat.see('eny: ');
  chat.type('yes\r');
  await chat.see('Please answer o, s, a or d.');
  chat.type('d\r');
  await chat.see('✗ terminal');
  await chat.see('Done.');
  expect(existsSync(join(home.person, 'precious'))).toBe(true);
  chat.type('Delete it, really\r');
  await chat.see('eny: ');
  chat.type('o\r');
  await chat.see('✓ terminal');
  await chat.see('Done.');
  expect(existsSync(join(home.person, 'precious'))).toBe(false);
  chat.type('\u0004');
  await chat.ended;
});

it('takes nothing for an answer that was typed before the question', async () => {
  const gate = Promise.withResolvers<void>();
  await using server = await startModelServer(
    afterTool([{ text: 'Hm. ' }, { until: gate.promise }, DELETE], 'Done.'),
  );
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.type('Delete it\r');
  await chat.see('Hm.');
  chat.type('o\r');
  await chat.see('o\n');
  gate.resolve();
  await chat.see('Not sent, as a question came first: o');
  await chat.see('eny: ');
  chat.type('d\r');
  await chat.see('Denied.');
  expect(existsSync(join(home.person, 'precious'))).toBe(true);
  chat.type('\u0004');
  await chat.ended;
});

it('interrupts a run with Ctrl-C and goes on; a second one leaves', async () => {
  const sleep: Step = { call: { name: 'terminal', input: { command: 'echo be""gun; sleep 600' } } };
  await using server = await startModelServer(({ lastText }) =>
    lastText.includes('sleep') ? [sleep] : [{ text: 'Awake.' }],
  );
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.type('Please sleep\r');
  await chat.see('begun');
  chat.type('\u0003');
  await chat.see('interrupted');
  chat.type('Are you there?\r');
  await chat.see('Awake.');
  const { messages } = server.requests.at(-1) ?? { messages: [] };
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
  // Until there is a prompt again, Ctrl-C is for the run.
  await chat.see('> ');
  chat.type('\u0003');
  await chat.see('Ctrl-C again');
  chat.type('\u0003');
  expect(await chat.ended).toBe(0);
});

it('goes on with the last chat, and forgets it with /new', async () => {
  await using server = await startModelServer([[{ text: 'Noted.' }]]);
  await using home = await chatHome(server.openAiUrl);
  const said = (): readonly string[] =>
    server.requests.at(-1)?.messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])) ?? [];
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.type('My name is Ada.\r');
  await chat.see('Noted.');
  chat.type('\u0004');
  await chat.ended;
  const again = home.terminal(['chat', '--continue']);
  await again.see('> ');
  again.type('Who am I?\r');
  await again.see('Noted.');
  expect(said()).toHaveLength(2);
  again.type('/model other-model\r');
  await again.see('other-model (openai-compatible)');
  again.type('/new\r');
  await again.see('A new conversation.');
  again.type('Who am I?\r');
  await again.see('Noted.');
  expect(said()).toHaveLength(1);
  expect(server.requests.at(-1)?.model).toBe('other-model');
  again.type('\u0004');
  await again.ended;
});

it('lets the model ask back', async () => {
  const call = { name: 'ask_user', input: { question: 'Which one?', options: ['red', 'blue'] } };
  await using server = await startModelServer(afterTool([{ call }], 'Painted.'));
  await using home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  await chat.see('> ');
  chat.type('Paint it\r');
  await chat.see('The agent asks:\n│ Which one?\n│   1. red\n│   2. blue');
  await chat.see('answer: ');
  chat.type('2\r');
  await chat.see('Painted.');
  expect(server.requests.at(-1)?.results[0]).toContain('blue');
  chat.type('\u0004');
  await chat.ended;
});
