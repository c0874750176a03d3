// hermes chat at a terminal asks for the password of sudo, without an echo, and gives it to sudo alone.
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { needService } from '../../services/use-service.ts';
import { chatHome } from './home.ts';

describe('sudo in hermes chat', () => {
  const account = needService('sudoer');

  it('asks once without showing it, again after a wrong one, and shows it nowhere', async () => {
    const { user, password } = account();
    const command = (text: string) => ({ call: { name: 'terminal', input: { command: text } } });
    await using server = await startModelServer(({ results }) => [
      [command('sudo id -un'), command('sudo whoami'), command(`sudo true; echo "${password}"`)][
        results.length
      ] ?? { text: 'That was all.' },
    ]);
    await using home = await chatHome(server.openAiUrl, { user });
    const chat = home.terminal(['chat', '--set', 'terminal.backend=local', '--yolo']);
    await chat.see('> ');
    chat.type('Who are you?\r');
    await chat.see('Password for sudo');
    chat.type('wrong-guess\r');
    await chat.see('sudo did not accept it. Password for sudo');
    chat.type(`${password}\r`);
    await chat.see('That was all.');
    expect(chat.screen()).not.toContain(password);
    expect(chat.screen()).not.toContain('wrong-guess');
    const last = JSON.stringify(server.requests.at(-1));
    expect(last).toContain('root');
    expect(last).toContain('[redacted:');
    expect(last).not.toContain('wrong-guess');
    chat.type('\u0004');
    expect(await chat.ended).toBe(0);
  });
});
