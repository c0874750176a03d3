// A double of WhatsApp's Cloud API on loopback: the Graph API, signed webhooks, people who write and press, what they see, and
// faults that are injected per call. Its rules are those of the real one as far as our adapter meets them.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readForm } from './multipart.ts';
import { waitFor } from './wait-for.ts';
import { type Person, type SayOptions, WhatsAppBusiness } from './whatsapp-business.ts';
import {
  type Fault,
  type FaultList,
  faultList,
  type Refusal,
  refusalOf,
  UNAUTHORIZED,
} from './whatsapp-faults.ts';
import type { SentMessage } from './whatsapp-sending.ts';
import { type Json, Webhooks } from './whatsapp-webhooks.ts';

export interface Call {
  /** `phone`, `messages`, `media`, `media-url`, `file` or `conversational_automation`. */
  readonly name: string;
  readonly params: Json;
}

export interface WhatsAppDouble {
  readonly apiRoot: string;
  readonly token: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly phoneNumberId: string;
  /** Of the business, in digits. */
  readonly number: string;
  readonly webhooks: Webhooks;
  readonly business: WhatsAppBusiness;
  /** Somebody writes. Returns the id of the message. */
  say(from: Person, text: string, options?: SayOptions): string;
  press(from: Person, messageId: string, data: string): string;
  /** What the business has sent, in order. */
  readonly sent: readonly SentMessage[];
  whenSent(holds: (message: SentMessage) => boolean): Promise<SentMessage>;
  /** Every call that arrived, refused ones too. */
  readonly calls: readonly Call[];
  whenCalled(name: string, holds?: (params: Json) => boolean): Promise<Call>;
  /** The next calls of that name, or of one of them, go wrong; `*` = of any. */
  fault(call: string | readonly string[], fault: Fault, options?: { times?: number }): void;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

const PHONE_NUMBER_ID = '106540352242922';
const NUMBER = '15550783881';

export async function startWhatsApp(): Promise<WhatsAppDouble> {
  const token = `EAAdouble${randomBytes(12).toString('hex')}`;
  const appSecret = randomBytes(16).toString('hex');
  const metadata = { display_phone_number: NUMBER, phone_number_id: PHONE_NUMBER_ID };
  let isCut = false;
  const webhooks = new Webhooks({ appSecret, metadata, isCut: () => isCut });
  const business = new WhatsAppBusiness(webhooks, metadata);
  const faults = faultList();
  const calls: Call[] = [];
  const callWatchers = new Set<() => void>();
  const heard = (call: Call): void => {
    calls.push(call);
    for (const watcher of callWatchers) watcher();
  };
  const apiRoot = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v25.0`; // it listens on TCP
  const answer = answerer({ token, business, faults, apiRoot, heard });
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error)); // only we throw there
  });
  server.on('connection', socket => {
    if (isCut) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { sent, watchers } = business;
  return {
    ...{ apiRoot: apiRoot(), token, appSecret, verifyToken: 'a-word-of-the-tests' },
    ...{ phoneNumberId: PHONE_NUMBER_ID, number: NUMBER, webhooks, business, sent, calls },
    say: (from, text, options) => business.say(from, text, options),
    press: (from, messageId, data) => business.press(from, messageId, data),
    whenSent: holds =>
      waitFor({
        look: () => sent.find(holds),
        watchers: [watchers],
        missing: () => `no such message; there are ${JSON.stringify(sent.map(({ text }) => text))}`,
      }),
    whenCalled: (name, holds = () => true) =>
      waitFor({
        look: () => calls.find(call => call.name === name && holds(call.params)),
        watchers: [callWatchers],
        missing: () => `no such call of ${name}`,
      }),
    fault: (call, fault, { times = 1 } = {}) => faults.add([call].flat(), fault, times),
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    mend() {
      isCut = false;
      webhooks.wake();
    },
    async close() {
      await webhooks.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Desk {
  readonly token: string;
  readonly business: WhatsAppBusiness;
  readonly faults: FaultList;
  readonly apiRoot: () => string;
  readonly heard: (call: Call) => void;
}

/** Answers one request, or does what its fault says. */
function answerer({ token, business, faults, apiRoot, heard }: Desk) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request);
    heard(call);
    if (request.headers.authorization !== `Bearer ${token}`) return refuse(response, UNAUTHORIZED);
    const fault = faults.take(call.name);
    if (fault === 'hang') return;
    if (fault === 'drop') return void response.destroy();
    if (fault === 'bad-gateway') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (typeof fault === 'object' && 'redirectTo' in fault) {
      return void response.writeHead(302, { location: fault.redirectTo + (request.url ?? '') }).end();
    }
    const refusal = fault === undefined ? undefined : refusalOf(fault);
    if (refusal) return refuse(response, refusal);
    if (call.name === 'file') return sendFile(response, business.file(String(call.params['id'])));
    const outcome = business.call(call.name, call.params, apiRoot());
    if (fault === 'drop-after') return void response.destroy();
    if ('code' in outcome) return refuse(response, outcome as Refusal); // answers have no code
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(outcome));
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [, , first = '', second] = pathname.split('/');
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/')) {
    const { fields, files } = readForm(body, type);
    const { file } = files;
    const upload = file ? { file: { ...file, mime: fields['type'] ?? '' } } : {};
    return { name: 'media', params: { ...fields, ...upload } };
  }
  const params = body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Json); // of our own adapter
  if (first === 'file') return { name: 'file', params: { id: second } };
  if (first === PHONE_NUMBER_ID) return { name: second ?? 'phone', params };
  return { name: 'media-url', params: { id: first } };
}

function refuse(response: ServerResponse, { status, code, details, headers = {} }: Refusal): void {
  const error = {
    message: `(#${code}) ${details}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details },
    fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
  };
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error }));
}

function sendFile(response: ServerResponse, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
}
