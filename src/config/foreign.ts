// Keys that other parts of an existing installation keep in the same file. They are left alone and named as ignored.

const SECTIONS: ReadonlySet<string> = new Set([
  '_config_version',
  'auxiliary',
  'browser',
  'checkpoints',
  'compression',
  'cron',
  'custom_providers',
  'delegation',
  'display',
  'fallback_model',
  'honcho',
  'hooks',
  'human_delay',
  'mcp_servers',
  'memory',
  'model',
  'personalities',
  'platforms',
  'prefill_messages_file',
  'privacy',
  'provider_routing',
  'quick_commands',
  'skills',
  'smart_model_routing',
  'streaming',
  'stt',
  'timezone',
  'toolsets',
  'tts',
  'voice',
  'website_blocklist',
]);

const KEYS: ReadonlySet<string> = new Set([
  'agent.personalities',
  'agent.reasoning_effort',
  'agent.system_prompt',
  'agent.verbose',
]);

/** Whether a path that is no setting of ours is known to belong to somebody else. */
export function isForeign(path: readonly string[]): boolean {
  return SECTIONS.has(path[0] ?? '') || KEYS.has(path.join('.'));
}
