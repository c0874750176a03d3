// The files of a sandbox: look, take out, put in.
import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { saveLink, upload } from './api.js';
import { useAction, useCommand } from './hooks.js';
import { Icon } from './icons.js';
import { Card, Empty, Failure, Loading, Table } from './parts.js';
import { fullTime, size } from './words.js';

/** @param {{ sandbox: any }} props */
export function Files({ sandbox }) {
  const [path, setPath] = useState('.');
  const [isWoken, setWoken] = useState(false);
  const answer = useCommand('sandbox files', { id: sandbox.id, path }, isWoken ? { wake: true } : {});
  const { act, isBusy } = useAction();
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const here = answer.data?.path ?? path;
  const put = async () => {
    for (const file of input.current?.files ?? []) {
      const query = new URLSearchParams({ sandbox: sandbox.id, path: here, name: file.name });
      await act(() => upload(`/api/file?${query}`, file), `${file.name} is in the sandbox.`);
    }
    answer.reload();
  };
  if (answer.error?.code === 'SANDBOX_SUSPENDED')
    return h(
      Empty,
      { text: 'The sandbox is suspended. ' },
      h('button', { type: 'button', onClick: () => setWoken(true) }, 'Wake it to look'),
    );
  if (answer.error) return h(Failure, { error: answer.error, onRetry: answer.reload });
  if (!answer.data) return h(Loading, null);
  const rows = answer.data.files.map(file => rowOf(file, { here, id: sandbox.id, setPath }));
  return h(
    Card,
    {
      title: here,
      actions: [
        h('input', {
          key: 'input',
          ref: input,
          type: 'file',
          multiple: true,
          class: 'hidden',
          tabIndex: -1,
          'aria-label': 'Files for the sandbox',
          onChange: put,
        }),
        h(
          'button',
          { key: 'up', type: 'button', disabled: isBusy, onClick: () => input.current?.click() },
          h(Icon, { name: 'up' }),
          'Put a file here',
        ),
        here !== '/' &&
          h(
            'button',
            { key: 'parent', type: 'button', onClick: () => setPath(here.replace(/\/[^/]*\/?$/, '') || '/') },
            'Folder above',
          ),
      ],
    },
    rows.length === 0
      ? h(Empty, { text: 'This folder is empty.' })
      : h(Table, { label: `Files in ${here}`, head: ['name', 'size', 'mode', 'changed', ''], rows }),
  );
}

/** @param {any} file @param {{ here: string, id: string, setPath: (path: string) => void }} given */
function rowOf({ name, type, size: bytes, mode, modifiedMs }, { here, id, setPath }) {
  const full = `${here.replace(/\/$/, '')}/${name}`;
  const query = new URLSearchParams({ sandbox: id, path: full });
  return [
    type === 'folder'
      ? h(
          'button',
          { type: 'button', class: 'plain link', onClick: () => setPath(full) },
          h(Icon, { name: 'folder' }),
          name,
        )
      : h('span', { class: 'file-name' }, h(Icon, { name: 'file' }), name, type === 'link' ? ' →' : ''),
    type === 'folder' ? '' : size(bytes),
    h('code', null, mode.toString(8).padStart(4, '0')),
    fullTime(modifiedMs),
    type === 'folder'
      ? ''
      : h(
          'button',
          {
            type: 'button',
            class: 'plain',
            'aria-label': `Download ${name}`,
            onClick: () => saveLink(`/api/file?${query}`, name),
          },
          h(Icon, { name: 'down' }),
        ),
  ];
}
