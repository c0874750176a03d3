// Where one writes: text, files by button, drop or paste, the commands of the chat, and the stop.
import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from './icons.js';
import { size } from './words.js';

const MOST_SHOWN = 6;

/** @param {{ onSend: (text: string, files: readonly File[]) => Promise<boolean>, commands: readonly { name: string, doc: string }[], isRunning: boolean, onStop: () => void }} props */
export function Composer({ onSend, commands, isRunning, onStop }) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState(/** @type {File[]} */ ([]));
  const [isBusy, setBusy] = useState(false);
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const add = list => setFiles(before => [...before, ...list].slice(0, 10));
  const send = async () => {
    if (isBusy || (text.trim() === '' && files.length === 0)) return;
    setBusy(true);
    if (await onSend(text, files)) {
      setText('');
      setFiles([]);
    }
    setBusy(false);
    area.current?.focus();
  };
  const onKeyDown = event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  const fitting = /^\/[a-z]*$/.test(text)
    ? commands.filter(({ name }) => `/${name}`.startsWith(text)).slice(0, MOST_SHOWN)
    : [];
  const choose = name => {
    setText(`/${name} `);
    area.current?.focus();
  };
  return h(
    'form',
    {
      class: 'composer',
      onSubmit: event => {
        event.preventDefault();
        send();
      },
      onDragOver: event => event.preventDefault(),
      onDrop: event => {
        event.preventDefault();
        add(event.dataTransfer?.files ?? []);
      },
    },
    fitting.length > 0 &&
      h(
        'ul',
        { class: 'hints', 'aria-label': 'Commands' },
        fitting.map(({ name, doc }) =>
          h(
            'li',
            { key: name },
            h(
              'button',
              { type: 'button', class: 'plain', onClick: () => choose(name) },
              h('code', null, `/${name}`),
              h('span', { class: 'dim' }, doc),
            ),
          ),
        ),
      ),
    files.length > 0 &&
      h(
        'ul',
        { class: 'files' },
        files.map((file, at) =>
          h(
            'li',
            { key: at, class: 'file' },
            h(Icon, { name: 'file' }),
            file.name,
            h('span', { class: 'dim' }, size(file.size)),
            h(
              'button',
              {
                type: 'button',
                class: 'plain',
                'aria-label': `Remove ${file.name}`,
                onClick: () => setFiles(all => all.filter((_, nth) => nth !== at)),
              },
              '×',
            ),
          ),
        ),
      ),
    h(
      'div',
      { class: 'row' },
      h('input', {
        ref: input,
        type: 'file',
        multiple: true,
        class: 'hidden',
        tabIndex: -1,
        'aria-label': 'Files',
        onChange: () => add(input.current?.files ?? []),
      }),
      h(
        'button',
        {
          type: 'button',
          class: 'plain',
          'aria-label': 'Attach files',
          title: 'Attach files',
          onClick: () => input.current?.click(),
        },
        h(Icon, { name: 'clip' }),
      ),
      h('textarea', {
        ref: area,
        rows: Math.min(8, text.split('\n').length),
        value: text,
        placeholder: 'Message or !command',
        'aria-label': 'Message',
        maxLength: 32_768,
        onInput: event => setText(event.currentTarget.value),
        onKeyDown,
        onPaste: event => add(event.clipboardData?.files ?? []),
      }),
      isRunning &&
        h('button', { type: 'button', class: 'danger', onClick: onStop }, h(Icon, { name: 'stop' }), 'Stop'),
      h(
        'button',
        {
          type: 'submit',
          class: 'primary',
          'aria-label': 'Send',
          disabled: isBusy || (text.trim() === '' && files.length === 0),
        },
        h(Icon, { name: 'send' }),
        h('span', null, 'Send'),
      ),
    ),
  );
}
