// How much the model can read at once, and how much of that one result may take.
import type { SettingsReader } from '../base/setting.ts';
import type { AgentSettings } from './agent-parts.ts';
import { bytesOf } from './tokens.ts';

const USUAL_TOKENS = 128_000;
const RESULT_SHARE = 0.25;

export function contextTokensOf(config: SettingsReader<AgentSettings>): number {
  return config.get('model.context_tokens') ?? USUAL_TOKENS;
}

/** A small model would see nothing but it otherwise. */
export function mostOfAResult(config: SettingsReader<AgentSettings>): number {
  return bytesOf(contextTokensOf(config) * RESULT_SHARE);
}
