// Whether a webhook is WhatsApp's: its body is signed with the secret of the app, and the word that sets it up is ours. Nothing
// can be learned from how long a wrong one takes. Pure.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** `header`: that of X-Hub-Signature-256; `body`: as it came, before anything has read it. */
export function isSigned(body: Uint8Array, header: string | undefined, appSecret: string): boolean {
  const given = SIGNATURE.exec(header ?? '')?.[1];
  const wanted = createHmac('sha256', appSecret).update(body).digest();
  return given !== undefined && timingSafeEqual(Buffer.from(given, 'hex'), wanted);
}

export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
