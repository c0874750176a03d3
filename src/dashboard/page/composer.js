// Where one writes: text, files by button, drop or paste, the commands of the chat, and the stop.
import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from './icons.js';
import { size } from './words.js';

const MOST_SHOWN = 6;
const MOST_FILES = 10;
const LONGEST = 32_768;

/** @param {{ onSend: (text: string, files: readonly File[]) => Promise<boolean>, commands: readonly { name: string, doc: string }[], isRunning: boolean, onStop: () => void }} props */
export function Composer({ onSend, commands, isRunning, onStop }) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState(/** @type {File[]} */ ([]));
  const [isBusy, setBusy] = useState(false);
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const add = list => setFiles(before => [...before, ...list].slice(0, MOST_FILES));
  const isEmpty = text.trim() === '' && files.length === 0;
  const send = async () => {
    if (isBusy || isEmpty) return;
    setBusy(true);
    if (await onSend(text, files)) {
      setText('');
      setFiles([]);
    }
    setBusy(false);
    area.current?.focus();
  };
  const choose = name => {
    setText(`/${name} `);
    area.current?.focus();
  };
  const handled = (event, work) => {
    event.preventDefault();
    work();
  };
  return h(
    'form',
    {
      class: 'composer',
      onSubmit: event => handled(event, send),
      onDragOver: event => event.preventDefault(),
      onDrop: event => handled(event, () => add(event.dataTransfer?.files ?? [])),
    },
    h(Hints, { text, commands, choose }),
    h(Attached, { files, onRemove: at => setFiles(all => all.filter((_, nth) => nth !== at)) }),
    h(
      'div',
      { class: 'row' },
      h(Attach, { add }),
      h(Area, { area, text, setText, send, add }),
      isRunning &&
        h('button', { type: 'button', class: 'danger', onClick: onStop }, h(Icon, { name: 'stop' }), 'Stop'),
      h(
        'button',
        { type: 'submit', class: 'primary', 'aria-label': 'Send', disabled: isBusy || isEmpty },
        h(Icon, { name: 'send' }),
        h('span', null, 'Send'),
      ),
    ),
  );
}

/** @param {any} props */
function Area({ area, text, setText, send, add }) {
  const onKeyDown = event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return h('textarea', {
    ref: area,
    rows: Math.min(8, text.split('\n').length),
    value: text,
    placeholder: 'Message or !command',
    'aria-label': 'Message',
    maxLength: LONGEST,
    onInput: event => setText(event.currentTarget.value),
    onKeyDown,
    onPaste: event => add(event.clipboardData?.files ?? []),
  });
}

/** @param {{ add: (files: Iterable<File>) => void }} props */
function Attach({ add }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const take = () => {
    add(input.current?.files ?? []);
    // The same file can be chosen again.
    if (input.current) input.current.value = '';
  };
  const look = { type: 'button', class: 'plain', 'aria-label': 'Attach files', title: 'Attach files' };
  return [
    h('input', {
      ...{ key: 'input', ref: input, type: 'file', multiple: true, class: 'hidden', tabIndex: -1 },
      'aria-label': 'Files',
      onChange: take,
    }),
    h('button', { ...look, key: 'button', onClick: () => input.current?.click() }, h(Icon, { name: 'clip' })),
  ];
}

/** @param {{ text: string, commands: readonly { name: string, doc: string }[], choose: (name: string) => void }} props */
function Hints({ text, commands, choose }) {
  const isCommand = /^\/[a-z]*$/.test(text);
  const fitting = isCommand
    ? commands.filter(({ name }) => `/${name}`.startsWith(text)).slice(0, MOST_SHOWN)
    : [];
  if (fitting.length === 0) return null;
  return h(
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
  );
}

/** @param {{ files: readonly File[], onRemove: (at: number) => void }} props */
function Attached({ files, onRemove }) {
  if (files.length === 0) return null;
  return h(
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
            onClick: () => onRemove(at),
          },
          '×',
        ),
      ),
    ),
  );
}
