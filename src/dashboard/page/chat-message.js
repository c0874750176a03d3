// Something said: whose, when, its text, files and buttons.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icons.js';
import { Markdown } from './markdown.js';
import { memo } from './memo.js';
import { clockTime, size } from './words.js';

/** The line that says what is being done; the steps show it better. */
const DOING = /\n*⚙ [^\n]*$/;
const APPROVAL = /^a:/;

/** @param {{ message: import('./chat-line.js').Said, press: (id: string, data: string) => Promise<void>, isLive: boolean }} props */
function MessageView({ message, press }) {
  const { id, from, text, at, buttons, files, isPending, problem } = message;
  const isMine = from === 'you';
  const isApproval = buttons?.some(row => row.some(({ data }) => APPROVAL.test(data))) ?? false;
  const shown = isMine ? text : text.replace(DOING, '');
  if (shown === '' && !files?.length && !buttons) return null;
  return h(
    'article',
    {
      class: `message ${from}${isApproval ? ' approval' : ''}`,
      'aria-label': isMine ? 'You' : isApproval ? 'Question of the agent' : 'Agent',
    },
    shown && (isMine ? h('div', { class: 'words' }, shown) : h(Markdown, { text: shown })),
    files && files.length > 0 && h(Files, { files }),
    buttons && h(Buttons, { buttons, press: data => press(id, data) }),
    h(
      'footer',
      null,
      problem
        ? h('span', { class: 'problem', role: 'alert' }, problem)
        : isPending
          ? 'sending…'
          : h('time', { dateTime: new Date(at).toISOString() }, clockTime(at)),
    ),
  );
}

export const Message = memo(MessageView, ['message']);

/** @param {{ files: readonly { id: string, name: string, size: number }[] }} props */
function Files({ files }) {
  return h(
    'ul',
    { class: 'files' },
    files.map((file, at) =>
      h(
        'li',
        { key: at },
        file.id === ''
          ? h(
              'span',
              { class: 'file' },
              h(Icon, { name: 'file' }),
              file.name,
              h('span', { class: 'dim' }, size(file.size)),
            )
          : h(
              'a',
              { class: 'file', href: `/files/${file.id}`, download: file.name },
              h(Icon, { name: 'down' }),
              file.name,
              h('span', { class: 'dim' }, size(file.size)),
            ),
      ),
    ),
  );
}

/** @param {{ buttons: readonly (readonly { label: string, data: string }[])[], press: (data: string) => Promise<void> }} props */
function Buttons({ buttons, press }) {
  const [isBusy, setBusy] = useState(false);
  const onPress = async data => {
    setBusy(true);
    await press(data);
    setBusy(false);
  };
  return h(
    'div',
    { class: 'buttons' },
    buttons.flat().map(({ label, data }) =>
      h(
        'button',
        {
          key: data,
          type: 'button',
          disabled: isBusy,
          class: /^deny/i.test(label) ? 'danger' : '',
          onClick: () => onPress(data),
        },
        label,
      ),
    ),
  );
}
