// A process beside others on one store. It says `ready`, begins with the first line it is given, and says what the store
// has acknowledged, one line each.
import { once } from 'node:events';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';

const [home = '', task = '', name = '', times = '0'] = process.argv.slice(2);
const person = { platform: 'web', userId: 'counter' };

const tasks: Readonly<Record<string, (store: Store, at: number) => Promise<unknown>>> = {
  /** Reads a number and writes the next one: loses updates unless the transaction keeps all others out. */
  count: store =>
    store.transaction(async inside => {
      const count = Number((await inside.people.find(person))?.name ?? 0);
      await inside.people.decide({
        ...{ ...person, name: String(count + 1), role: 'user', standing: 'allowed', decidedBy: name },
      });
    }),
  /** Two rows that belong together, and then one by itself. */
  pairs: async (store, at) => {
    await store.transaction(async inside => {
      const { id } = await inside.sessions.enter({
        ...{ key: `${name} ${at}`, kind: 'cli', platform: 'cli', chat: name },
      });
      await inside.audit.append({
        actor: name,
        sessionId: id,
        action: 'put',
        subject: `${at}`,
        outcome: '',
      });
    });
    await store.audit.append({ actor: name, action: 'get', subject: `${at}`, outcome: '' });
  },
};

const store = await openStore(home);
console.log('ready');
await once(process.stdin, 'data');
process.stdin.unref?.();
process.stdin.pause();
for (let at = 0; at < Number(times); at += 1) {
  await tasks[task]?.(store, at);
  console.log(at);
}
await store.close();
