// What the model does in each scene: it tries to carry every planted value out by another tool, or by its own words.
import type { Heard } from '../../doubles/model-request.ts';
import type { Step } from '../../doubles/model-server.ts';
import { KEY, shortSpill, spill } from './secrets.ts';

/** Files whose names are a secret: one is sent by the model, one is asked for by a person. */
export const NAMED = `${shortSpill('name')}.txt`;
export const FETCHED = `${shortSpill('fetched')}.txt`;

/** Only what it prints has mark and secret. */
const PRINTED = `printf '%s: %s\\n' way-printed ${KEY.slice(0, 9)}''${KEY.slice(9, 17)}''${KEY.slice(17)}`;

const call = (name: string, input: unknown): readonly Step[] => [{ call: { name, input } }];
const terminal = (command: string, more: object = {}): readonly Step[] =>
  call('terminal', { command, ...more });

/** By scene: one list for each question to the model. After the last one it says that the scene is over. */
const SCENES: Readonly<Record<string, readonly (readonly Step[])[]>> = {
  terminal: [terminal(`echo ${spill('terminal')}`)],
  background: [
    terminal(`echo ${spill('output')}; exec bash -c 'sleep 300 & wait' ${spill('background')}`, {
      background: true,
    }),
    call('process', { action: 'list' }),
  ],
  files: [
    terminal(`echo ${spill('read')} > read.txt; echo ${spill('search')} > search.txt`),
    call('read_file', { path: 'read.txt' }),
    call('search_files', { pattern: 'way-search' }),
  ],
  send: [
    terminal(`echo x > '${NAMED}'; echo x > '${FETCHED}'`),
    call('send_file', { path: NAMED, caption: spill('caption') }),
  ],
  question: [call('ask_user', { question: spill('question'), options: [shortSpill('option'), 'no'] })],
  printing: [terminal(PRINTED, { background: true })],
  approval: [terminal(`false && npm publish; echo ${spill('approval')}`)],
  failing: [[{ status: 400, message: spill('failing') }]],
};

export interface LiveCue {
  /** Resolves when the chat shows what was written so far. */
  readonly seen: Promise<unknown>;
}

export function modelScript({ seen }: LiveCue) {
  return ({ lastText, results }: Heard): readonly Step[] => {
    const scene = /drive (\S+)/.exec(lastText)?.[1] ?? '';
    if (scene === 'live') return [{ text: `${spill('live')}\n\n` }, { until: seen }, { text: 'over live' }];
    return SCENES[scene]?.[results.length] ?? [{ text: `${spill(`answer-${scene}`)} over ${scene}` }];
  };
}
