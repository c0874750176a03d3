// The models that a server offers; the APIs give the list in the same form.

import { z } from 'zod';
import type { Abortable } from '../base/abortable.ts';
import { HermesError } from '../base/errors.ts';
import { jsonOf } from '../base/json-of.ts';
import { failureOf } from './failure.ts';
import { judge, type Place } from './fault.ts';
import { readAnswer } from './server-said.ts';

interface ModelList {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly place: Place;
}

const list = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Sorted. Asked once: whoever lists models sits before a screen. */
export async function listModels(
  { url, headers, fetch, place }: ModelList,
  { signal }: Abortable = {},
): Promise<readonly string[]> {
  const { response, text } = await ask();
  if (!response.ok) throw judge(readAnswer(response, text, place.redact), place).error;
  const parsed = list.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data.data.map(({ id }) => id).toSorted();
  const message = `${url} answers, but with no list of models. Is model.base_url the address of a model server?`;
  throw new HermesError('UNAVAILABLE_MODEL', message, { details: { url }, cause: parsed.error });

  async function ask(): Promise<{ response: Response; text: string }> {
    try {
      const response = await fetch(url, { headers, ...(signal ? { signal } : {}) });
      return { response, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(error, place, 'nothing').fault.error;
    }
  }
}
