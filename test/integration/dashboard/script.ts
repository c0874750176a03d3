// What the model of these tests does: the last word of what was said decides.
import type { Script } from '../../doubles/model-server.ts';

const call = (name: string, input: unknown) => ({ call: { name, input } });

export const ATTACK = `<img src=x onerror="alert(1)"><script>alert(2)</script>[link](javascript:alert(3))`;
/** Asked about where a folder of the host is mounted there. */
export const DANGER = 'cd /data && rm -rf /data/old; ls /data';
/** Five megabytes. */
const FLOOD = 'seq 1 800000; echo the-end';

export function scriptWith(gate: () => Promise<unknown>): Script {
  return ({ lastText, results }) => {
    const isFirst = results.length === 0;
    if (/stream$/.test(lastText))
      return [
        { text: 'The beginning of a longer answer, with **bold** words. ' },
        { until: gate() },
        { text: 'And its end.' },
      ];
    if (/work$/.test(lastText))
      return isFirst
        ? [call('terminal', { command: 'echo first; until [ -e go ]; do sleep 0.05; done; echo last' })]
        : [{ text: 'Worked.' }];
    if (/my file/.test(lastText))
      return isFirst
        ? [call('send_file', { path: 'inbox/notes.txt', caption: 'here' })]
        : [{ text: 'Sent.' }];
    if (/danger$/.test(lastText))
      return isFirst
        ? [call('terminal', { command: DANGER })]
        : [{ text: `It said: ${results.at(-1)?.slice(0, 300)}` }];
    if (/flood$/.test(lastText))
      return isFirst ? [call('terminal', { command: FLOOD })] : [{ text: 'It is over.' }];
    if (/slow$/.test(lastText)) return [call('terminal', { command: 'sleep 4711' })];
    if (/attack$/.test(lastText))
      return isFirst
        ? [call('terminal', { command: `touch '${ATTACK.replaceAll('/', '_')}'; echo '${ATTACK}'` })]
        : [{ text: ATTACK }];
    return [{ text: `You said: ${lastText.slice(0, 200)}` }];
  };
}
