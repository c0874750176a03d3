// What the doubles and the database know when a storm is over: the only facts that it is judged by.

export interface Said {
  readonly chat: string;
  readonly token: string;
  /** By the database: messages that waited together are dealt with by one run. */
  readonly run?: string;
}

/** A message of the bot, as people see it at the end. */
export interface Shown {
  readonly chat: string;
  readonly text: string;
}

export interface StormRecord {
  /** In the order in which people wrote. */
  readonly said: readonly Said[];
  /** In the order in which they appeared. */
  readonly shown: readonly Shown[];
  /** Every text that the messenger was ever asked to send, in order; also those whose sender did not live to hear of it. */
  readonly received: readonly Shown[];
  /** The lines that commands wrote in their sandboxes, by the chat of the sandbox. */
  readonly effects: readonly Said[];
  /** Tokens whose command the model was told to have worked. */
  readonly reported: readonly string[];
  /** How often the gateway died while it might have been sending. */
  readonly kills: number;
  /** Rows that are still to be dealt with, in words. */
  readonly unsettled: readonly string[];
  /** What the installation left on the machine, in words. */
  readonly left: readonly string[];
}

const ANSWER = /Answer to ((?:talk|work|noise)-\d+)\./g;

export function answerTo(token: string): string {
  return `Answer to ${token}.`;
}

/** The tokens that a text of the bot answers. */
export function answeredIn(text: string): readonly string[] {
  return [...text.matchAll(ANSWER)].map(([, token = '']) => token);
}
