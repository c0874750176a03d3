// The basics once more, against a double of the Bot API that somebody else wrote.
import { TelegramClient } from 'telegram-test-api/lib/modules/telegramClient.js';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { connectTelegram } from './telegram-line.ts';

describeWith('telegram', address => {
  it('carries a message, an answer, an edit and a press', async () => {
    const token = '123456:independent-double';
    const { apiRoot } = address();
    const line = await connectTelegram({ apiRoot, token });
    const person = new TelegramClient(apiRoot, token, { userId: 42, chatId: 42, firstName: 'Ada' });
    try {
      expect(line.connection.account).toBe('connected as @TestNameBot');
      await person.sendMessage(person.makeMessage('hello'));
      const event = await line.event(({ kind }) => kind === 'message');
      expect(event).toMatchObject({
        text: 'hello',
        sender: { id: '42', name: 'Ada' },
        chat: { id: '42', kind: 'private' },
      });

      const buttons = [[{ label: 'Yes', data: 'yes' }]];
      const { ids } = await line.connection.send(event.chat, { text: '**May I?**', buttons });
      await line.connection.edit?.(event.chat, ids[0] ?? '', { text: 'May I really?', buttons });
      const [update] = (await person.getUpdates()).result;
      expect(update).toMatchObject({ message: { text: 'May I really?' } });

      await person.sendCallback(person.makeCallbackQuery('yes', { message: { message_id: Number(ids[0]) } }));
      const press = await line.event(({ kind }) => kind === 'button');
      expect(press).toMatchObject({ data: 'yes', sender: { id: '42' } });
      await line.connection.answerButton?.(press.id, 'Thank you');
    } finally {
      await line.connection.close();
    }
  });
});
