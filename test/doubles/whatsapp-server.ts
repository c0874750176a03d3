// A double of WhatsApp's Cloud API on loopback: the Graph API, signed webhooks, people who write and press, what they see, and
// faults that are injected per call. Its rules are those of the real one as far as our adapter meets them.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../src/base/clock.ts';
import {
  controlsOf,
  type DoubleControls,
  DoubleServer,
  readBytes,
  sendBytes,
  sendJson,
  type WaitOptions,
} from './double-server.ts';
import { answerWithFault } from './fault-script.ts';
import { readForm } from './multipart.ts';
import { type Person, type SayOptions, WhatsAppBusiness } from './whatsapp-business.ts';
import { type Fault, type Refusal, refusalOf, UNAUTHORIZED } from './whatsapp-faults.ts';
import type { SentMessage } from './whatsapp-sending.ts';
import { type Json, Webhooks } from './whatsapp-webhooks.ts';

export interface Call {
  /** `phone`, `messages`, `media`, `media-url`, `file` or `conversational_automation`. */
  readonly name: string;
  readonly params: Json;
}

/** An answer that was made and does not leave before it is released. */
export interface HeldAnswer {
  /** The id of the message that it accepts. */
  readonly accepted: Promise<string>;
  release(): void;
}

export interface WhatsAppDouble extends DoubleControls<Call, Fault> {
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
  /** Of the next message that is sent: webhooks about it come first. */
  holdAnswer(): HeldAnswer;
  /** What the business has sent and people see, in order. */
  readonly sent: readonly SentMessage[];
  whenSent(holds: (message: SentMessage) => boolean, options?: WaitOptions): Promise<SentMessage>;
}

const PHONE_NUMBER_ID = '106540352242922';
const NUMBER = '15550783881';

export interface WhatsAppOptions {
  /** Limits and expiry go by it; absent = the system's. */
  readonly clock?: Clock;
}

export async function startWhatsApp(options: WhatsAppOptions = {}): Promise<WhatsAppDouble> {
  const token = `EAAdouble${randomBytes(12).toString('hex')}`;
  const appSecret = randomBytes(16).toString('hex');
  const metadata = { display_phone_number: NUMBER, phone_number_id: PHONE_NUMBER_ID };
  const server: DoubleServer<Call, Fault> = new DoubleServer({
    nameOf: ({ name }) => name,
    serve: (request, response) => answer(desk, request, response),
    clock: options.clock,
  });
  const webhooks = new Webhooks({ appSecret, metadata, isCut: () => server.isCut });
  const business = new WhatsAppBusiness({ webhooks, metadata, clock: server.clock });
  const desk: Desk = { token, business, server };
  const { sent, watchers } = business;
  watchers.add(() => server.changed());
  await server.listen();
  return {
    ...controlsOf(server),
    ...{ apiRoot: apiRootOf(server), token, appSecret, verifyToken: 'a-word-of-the-tests' },
    ...{ phoneNumberId: PHONE_NUMBER_ID, number: NUMBER, webhooks, business, sent },
    say: (from, text, say) => business.say(from, text, say),
    holdAnswer() {
      const [accepted, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
      desk.held = { accepted, released };
      return { accepted: accepted.promise, release: () => released.resolve() };
    },
    press: (from, messageId, data) => business.press(from, messageId, data),
    whenSent: (holds, wait) => server.whenAmong(() => sent, holds, wait),
    restore() {
      server.restore();
      webhooks.wake();
    },
    async close() {
      await webhooks.close();
      await server.close();
    },
  };
}

const apiRootOf = ({ origin }: { readonly origin: string }): string => `${origin}/v25.0`;

interface Desk {
  readonly token: string;
  readonly business: WhatsAppBusiness;
  readonly server: DoubleServer<Call, Fault>;
  held?:
    | { readonly accepted: PromiseWithResolvers<string>; readonly released: PromiseWithResolvers<void> }
    | undefined;
}

/** Answers one request, or does what its fault says. */
async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { token, business, server } = desk;
  const call = await readCall(request);
  server.record(call);
  if (request.headers.authorization !== `Bearer ${token}`) return refuse(response, UNAUTHORIZED);
  const fault = await server.takeFault(call.name);
  if (answerWithFault(response, fault, request.url ?? '')) return;
  const refusal = fault === undefined ? undefined : refusalOf(fault);
  if (refusal) return refuse(response, refusal);
  if (call.name === 'file') return sendFile(response, business.file(String(call.params['id'])));
  const outcome = business.call(call.name, call.params, apiRootOf(server));
  await held(desk, outcome);
  if (fault === 'drop-after') return void response.destroy();
  if ('code' in outcome) return refuse(response, outcome as Refusal); // answers have no code
  sendJson(response, outcome);
}

async function held(desk: Desk, outcome: Json | Refusal): Promise<void> {
  const { held: holding } = desk;
  if (!holding || !('messages' in outcome)) return;
  desk.held = undefined;
  const [message] = outcome['messages'] as readonly { readonly id: string }[]; // as the business wrote it
  holding.accepted.resolve(message?.id ?? '');
  await holding.released.promise;
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [, , first = '', second] = pathname.split('/');
  const body = await readBytes(request);
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
  sendJson(response, { error }, { status, headers });
}

function sendFile(response: ServerResponse, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) response.writeHead(404).end();
  else sendBytes(response, bytes);
}
