import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.ts';
import type { AgentEvent } from './events.ts';

async function all(queue: EventQueue): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of queue) events.push(event);
  return events;
}

describe('events', () => {
  it('come in order, also those that were pushed before anybody listened', async () => {
    const queue = new EventQueue();
    queue.push({ type: 'notice', text: 'a' });
    const listening = all(queue);
    queue.push({ type: 'notice', text: 'b' });
    await Promise.resolve();
    queue.push({ type: 'notice', text: 'c' });
    queue.end();
    expect(await listening).toEqual(['a', 'b', 'c'].map(text => ({ type: 'notice', text })));
  });

  it('of a flood that nobody listens to cost a bounded amount', async () => {
    const queue = new EventQueue();
    for (let at = 0; at < 2000; at++) queue.push({ type: 'tool-output', id: 'a', text: 'x'.repeat(1000) });
    queue.push({ type: 'text', delta: 'He' });
    queue.push({ type: 'text', delta: 'llo' });
    queue.end();
    const [output, text] = await all(queue);
    expect(JSON.stringify(output).length).toBeLessThan(140_000);
    expect(JSON.stringify(output)).toContain('bytes left out');
    expect(text).toEqual({ type: 'text', delta: 'Hello' });
  });
});
