// Somebody's first minute, in a process of its own beside the gateway: opens the link that a start has printed (on standard
// input), looks at the page, says the words that are given, and prints what came back as JSON.
import { text } from 'node:stream/consumers';
import { webPerson } from '../../doubles/web-person.ts';

const LONGEST_MS = 50_000;

const [words = '', marker = ''] = process.argv.slice(2);
const link = /http:\/\/\S+\/login\?token=\S+/.exec(await text(process.stdin))?.[0];
if (link === undefined) throw new Error('the start has printed no link');
const person = await webPerson(link);
const page = await fetch(`${person.origin}/`, { headers: { cookie: person.cookie } });
const again = await fetch(link, { redirect: 'manual' });

let heard = '';
const answered = Promise.withResolvers<void>();
const late = setTimeout(() => answered.reject(new Error(`no answer but: ${heard}`)), LONGEST_MS);
await person.open({
  onFrame(frame) {
    if (frame.from === 'you') return;
    heard += `${frame.text ?? ''}${frame.append ?? ''}\n`;
    if (heard.includes(marker)) answered.resolve();
  },
});
person.send({ type: 'message', id: 'm1', text: words });
try {
  await answered.promise;
} finally {
  clearTimeout(late);
  person.leave();
}
const title = /<title>(.*?)<\/title>/.exec(await page.text())?.[1] ?? '';
console.log(JSON.stringify({ heard, page: { status: page.status, title }, again: again.status }));
