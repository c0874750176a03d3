// P7: whoever shows the events of a run, a chat, a page or a terminal, gets no secret in any of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AgentEvent } from '../../../src/agent/events.ts';
import { type Script, startModelServer } from '../../doubles/model-server.ts';
import { useGateways } from '../sessions/use-gateways.ts';
import type { Gateway } from '../sessions/world.ts';
import { CANARY, type Said, say, stageOn } from './stage.ts';

const gateways = useGateways();
const MARK = '[redacted:known]';

/** In a folder of its own, since the files of the test are written on this machine. */
async function onTheHost(): Promise<Gateway> {
  const work = await mkdtemp(join(tmpdir(), 'hermes-work-'));
  onTestFinished(() => rm(work, { recursive: true }));
  return gateways.started({ environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: work } });
}

async function eventsOf(
  script: Script,
  said: Said = {},
  onAsked = 'nobody is asked',
): Promise<readonly AgentEvent[]> {
  await using server = await startModelServer(script);
  const gateway = await onTheHost();
  const { agent, desk, asked } = await stageOn(gateway, { server });
  const { events } = await say(agent, await gateway.session('a'), 'go', {
    ...said,
    async onEvent(event) {
      if (event.type !== 'approval-asked') return;
      const owner = { who: 'test:1', isOwner: true };
      await desk.answer(asked[0]?.id ?? '', owner, { kind: 'deny', reason: onAsked });
    },
  });
  expect(JSON.stringify(events)).not.toContain(CANARY);
  return events;
}

const found = (events: readonly AgentEvent[], type: AgentEvent['type']) =>
  events.find(event => event.type === type);

it('hides secrets in the name and caption of a file', async () => {
  const path = `${CANARY}.txt`;
  const events = await eventsOf([
    [{ call: { name: 'write_file', input: { path, content: 'x' } } }],
    [{ call: { name: 'send_file', input: { path, caption: `of ${CANARY}` } } }],
    [{ text: 'ok' }],
  ]);
  expect(found(events, 'file')).toMatchObject({ file: { name: `${MARK}.txt`, caption: `of ${MARK}` } });
});

it('hides secrets in a question and its options', async () => {
  const answered: unknown[] = [];
  const events = await eventsOf(
    [
      [{ call: { name: 'ask_user', input: { question: `Is ${CANARY} it?`, options: [CANARY, 'no'] } } }],
      [{ text: 'ok' }],
    ],
    {
      async answer(...given) {
        answered.push(given);
        return 'no';
      },
    },
  );
  expect(found(events, 'question')).toMatchObject({ text: `Is ${MARK} it?`, options: [MARK, 'no'] });
  expect(answered).toEqual([[`Is ${MARK} it?`, [MARK, 'no']]]);
});

it('hides secrets in the audit of a call before it cuts what was given', async () => {
  const content = Array(2000).fill(CANARY).join(' ');
  await using server = await startModelServer([
    [{ call: { name: 'write_file', input: { path: 'x', content } } }],
    [{ text: 'ok' }],
  ]);
  const gateway = await onTheHost();
  const { agent } = await stageOn(gateway, { server });
  await say(agent, await gateway.session('a'), 'go');
  const rows = JSON.stringify(await gateway.world.store.audit.list({ limit: 10 }));
  expect(rows).toContain(`${MARK} ${MARK}`);
  expect(rows).not.toContain(CANARY.slice(0, 6));
  expect(rows).not.toContain(CANARY.slice(-6));
});

it('hides secrets in an approval that is asked for, and in why it was denied', async () => {
  const command = `false && npm publish; echo ${CANARY}`;
  const script: Script = [[{ call: { name: 'terminal', input: { command } } }], [{ text: 'ok' }]];
  const events = await eventsOf(script, {}, `because of ${CANARY}`);
  expect(found(events, 'approval-asked')).toMatchObject({
    question: { command: `false && npm publish; echo ${MARK}` },
  });
  expect(found(events, 'approval-settled')).toMatchObject({
    text: expect.stringContaining(`because of ${MARK}`),
  });
});
