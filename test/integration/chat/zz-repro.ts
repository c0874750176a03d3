import { readdirSync } from 'node:fs';
import { startModelServer } from '../../doubles/model-server.ts';
import { chatHome } from './home.ts';
const server = await startModelServer(({ results, lastText }) =>
  lastText.includes('sleep') && results.length === 0 ? [{ call: { name: 'terminal', input: { command: 'echo begun; sleep 600' } } }]
  : lastText.includes('delete') && results.length === 0 ? [{ call: { name: 'terminal', input: { command: 'rm -rf ~/precious' } } }]
  : [{ text: 'Done.' }]);
const run = async (kind: 'sleep' | 'delete'): Promise<void> => {
  const home = await chatHome(server.openAiUrl);
  const chat = home.terminal(['chat']);
  const see = async (t: string) => { for (let i = 0; i < 3000 && !chat.screen().includes(t); i++) await new Promise(r => setTimeout(r, 10)); };
  await see('> '); chat.type(`${kind}\r`);
  if (kind === 'sleep') { await see('begun'); chat.type('\u0003'); await see('interrupted'); chat.type('hello\r'); await see('Done.'); chat.type('\u0003'); await see('Ctrl-C again'); chat.type('\u0003'); }
  else { await see('eny: '); chat.type('d\r'); await see('Denied.'); chat.type('\u0004'); }
  const code = await chat.ended;
  const dbg = chat.screen().split('\n').filter(l => l.includes('DBG'));
  if (!dbg.some(l => l.includes('"ok":true'))) console.log('BAD', kind, code, dbg.join('|') || chat.screen().slice(-700));
  const left = readdirSync(process.env['TMPDIR'] ?? '/tmp').filter(n => n.startsWith('hermes-'));
  void left;
  await home[Symbol.asyncDispose]();
};
const kind = process.argv[2] as 'sleep' | 'delete';
void kind;
for (const k of ['sleep', 'delete'] as const) for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 6 }, () => run(k)));
await server.stop();
