// fetch for models: gives up on a server that is silent for too long, and follows nobody elsewhere with a key in hand.
import type { Clock } from '../base/clock.ts';

/** The server has said nothing for as long as we wait. */
export class Silence extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super(`nothing was heard for ${seconds} s`);
    this.name = 'Silence';
    this.seconds = seconds;
  }
}

/** Each wait is limited: for the first byte, and for every further piece that somebody wants to read. */
export function patientFetch(clock: Clock, silenceSeconds: number): typeof fetch {
  return async (input, init = {}) => {
    const silence = new AbortController();
    const listen = async <T>(promise: Promise<T>): Promise<T> => {
      const timer = clock.after(silenceSeconds * 1000, () => silence.abort(new Silence(silenceSeconds)));
      try {
        return await promise;
      } finally {
        timer.cancel();
      }
    };
    const signals = init.signal ? [init.signal, silence.signal] : [silence.signal];
    const signal = AbortSignal.any(signals);
    const response = await listen(fetch(input, { ...init, signal, redirect: 'manual' }));
    const { status, statusText, headers } = response;
    const body = response.body && listenedTo(response.body, listen);
    return new Response(body, { status, statusText, headers });
  };
}

function listenedTo(
  body: ReadableStream<Uint8Array>,
  listen: <T>(promise: Promise<T>) => Promise<T>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await listen(reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: reason => reader.cancel(reason),
  });
}
