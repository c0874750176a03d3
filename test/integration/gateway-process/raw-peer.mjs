// Speaks to the control socket without our client, and claims to be the process that it is told to be.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [path, name] = process.argv.slice(2);
writeFileSync('/proc/self/comm', name);

async function ask(pid) {
  const socket = connect(path);
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const say = async request => {
    socket.write(`${JSON.stringify(request)}\n`);
    return JSON.parse((await answers.next()).value);
  };
  const { ok } = await say({ verb: 'hello', pid });
  writeFileSync('/proc/self/comm', ok.name);
  await say({ verb: 'hello', pid });
  const { error } = await say({ verb: 'status' });
  writeFileSync('/proc/self/comm', name);
  socket.end();
  return error?.code ?? 'served';
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  console.log(await ask(line === 'own' ? process.pid : Number(line)));
}
