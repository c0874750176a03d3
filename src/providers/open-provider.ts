// One model behind one address: asks, waits where the server wants it, and hands the answer on piece by piece.
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Abortable } from '../base/abortable.ts';
import { type Clock, sleep } from '../base/clock.ts';
import { delayBefore } from './delay.ts';
import type { ModelDriver } from './driver.ts';
import { failureOf } from './failure.ts';
import type { Place } from './fault.ts';
import { listModels } from './list-models.ts';
import { patientFetch } from './patient-fetch.ts';
import { callOptions } from './prompt.ts';
import type { ModelEvent, ModelRequest, Provider, ToolCall, Usage } from './provider.ts';

export interface OpenProviderOptions {
  /** As in the configuration. */
  readonly name: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly keyVariable: string;
  readonly silenceSeconds: number;
  readonly maxOutputTokens: number | undefined;
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly redact: (text: string) => string;
}

export function openProvider(driver: ModelDriver, options: OpenProviderOptions): Provider {
  const { name, model, baseUrl, key, keyVariable, clock, random, redact } = options;
  const fetch = patientFetch(clock, options.silenceSeconds);
  const place: Place = { provider: name, model, baseUrl, keyVariable, hasKey: key !== undefined, redact };
  const library = driver.languageModel({ baseUrl, model, key, fetch });
  const limit = options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens };

  async function* stream(request: ModelRequest, { signal }: Abortable = {}): AsyncGenerator<ModelEvent> {
    const given = { ...callOptions(request), ...limit };
    const call = driver.prepare?.(given) ?? given;
    let waitedMs = 0;
    for (let made = 1; ; made++) {
      const answer: Answer = { arrived: 'nothing', calls: [] };
      try {
        signal?.throwIfAborted();
        yield* once(library, call, { answer, ...(signal ? { signal } : {}) });
        return;
      } catch (error) {
        // The library may say it in words of its own.
        signal?.throwIfAborted();
        const { fault, headers } = failureOf(error, place, answer.arrived);
        const attempts = { made, waitedMs, now: clock.now(), random: random() };
        const delayMs =
          answer.arrived === 'nothing' ? delayBefore(fault.retry, headers, attempts) : undefined;
        if (delayMs === undefined) throw fault.error;
        yield { type: 'waiting', reason: fault.reason, seconds: Math.ceil(delayMs / 1000) };
        await sleep(clock, delayMs, signal);
        waitedMs += delayMs;
      }
    }
  }

  return {
    name,
    model,
    stream,
    models: given => listModels({ ...driver.modelList({ baseUrl, key }), fetch, place }, given),
  };
}

const CUT_SHORT = 'the stream ended before the answer did';

/** What is known of one attempt. */
interface Answer {
  arrived: 'nothing' | 'something';
  readonly calls: ToolCall[];
}

/** Throws whatever comes; who has enough of it ends the connection by leaving. */
async function* once(
  library: ReturnType<ModelDriver['languageModel']>,
  call: LanguageModelV4CallOptions,
  { answer, signal }: { answer: Answer } & Abortable,
): AsyncGenerator<ModelEvent> {
  const { stream } = await library.doStream({ ...call, ...(signal ? { abortSignal: signal } : {}) });
  for await (const part of stream) {
    const event = read(part, answer);
    if (event === undefined) continue;
    // Calls wait for the end: of an answer that breaks off none is carried out.
    if (event.type === 'end') yield* answer.calls.map(one => ({ type: 'call' as const, call: one }));
    yield event;
    if (event.type === 'end') return;
  }
  throw new Error(CUT_SHORT);
}

function read(part: LanguageModelV4StreamPart, answer: Answer): ModelEvent | undefined {
  switch (part.type) {
    case 'text-delta':
      if (part.delta === '') return undefined;
      answer.arrived = 'something';
      return { type: 'text', delta: part.delta };
    case 'reasoning-delta':
    case 'tool-input-start':
      answer.arrived = 'something';
      return undefined;
    case 'tool-call':
      answer.arrived = 'something';
      answer.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
      return undefined;
    case 'finish':
      return { type: 'end', reason: endReason(part.finishReason, answer), usage: usageOf(part.usage) };
    case 'error':
      throw part.error;
    default:
      return undefined;
  }
}

type EndReason = Extract<ModelEvent, { type: 'end' }>['reason'];

function endReason({ unified, raw }: LanguageModelV4FinishReason, { calls }: Answer): EndReason {
  if (unified === 'error' || unified === 'interrupted' || (unified === 'other' && raw === undefined)) {
    throw new Error(CUT_SHORT);
  }
  if (unified === 'length') return 'length';
  if (unified === 'content-filter') return 'refused';
  // Some servers say `stop` although there are calls.
  return calls.length > 0 ? 'calls' : 'stop';
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return { inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 };
}
