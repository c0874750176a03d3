// A connection through which no secret gets into a chat (P7). Rows of the outbox were redacted when they were written;
// cards about strangers, answers to them and notes on buttons go out without it and are redacted here.
import type { Connection, OutgoingFileMessage, OutgoingText } from '../platforms/platform.ts';

type Redact = (text: string) => string;

/** Texts, labels, captions and names of files are redacted; bytes are not. What a button carries is an id of ours. */
export function redactedConnection(connection: Connection, redact: Redact): Connection {
  const { edit, typing, answerButton, announce, invite } = connection;
  return {
    get account() {
      return connection.account;
    },
    send: (chat, message) => connection.send(chat, redactedText(message, redact)),
    sendFile: (chat, file) => connection.sendFile(chat, redactedFile(file, redact)),
    fetchFile: (...given) => connection.fetchFile(...given),
    pause: () => connection.pause(),
    close: () => connection.close(),
    ...(edit && {
      edit: (chat, id, message) => edit.call(connection, chat, id, redactedText(message, redact)),
    }),
    ...(typing && { typing: chat => typing.call(connection, chat) }),
    ...(answerButton && { answerButton: (id, text) => answerButton.call(connection, id, redact(text)) }),
    ...(announce && { announce: commands => announce.call(connection, commands) }),
    ...(invite && { invite: person => invite.call(connection, person) }),
  };
}

export function redactedText<Message extends Pick<OutgoingText, 'text' | 'buttons'>>(
  message: Message,
  redact: Redact,
): Message {
  const { text, buttons } = message;
  const labelled = buttons?.map(row => row.map(({ label, data }) => ({ label: redact(label), data })));
  return { ...message, text: redact(text), ...(labelled ? { buttons: labelled } : {}) };
}

export function redactedFile<File extends Pick<OutgoingFileMessage, 'name' | 'caption'>>(
  file: File,
  redact: Redact,
): File {
  const { name, caption } = file;
  return {
    ...file,
    name: plainMarks(redact(name)),
    ...(caption === undefined ? {} : { caption: redact(caption) }),
  };
}

/** A mark in the name of a file is written with letters that every platform takes. */
function plainMarks(redacted: string): string {
  return redacted.replaceAll(/\[redacted:([\w-]+)\]/g, 'redacted-$1');
}
