// Browser, database and doubles of remote services, all on loopback.
import { mkdtemp, rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runCommand } from './command.ts';
import { describeWith } from './use-service.ts';

describeWith('chromium', address => {
  it('runs the script of a page', async () => {
    // The path of a socket in it must be short, which that of a test's folder is not.
    const profile = await mkdtemp('/tmp/hermes-browser-');
    const page = 'data:text/html,<p id="x"></p><script>x.textContent = 6 * 7</script>';
    const flags = [...address().args, `--user-data-dir=${profile}`, '--dump-dom'];
    try {
      const { stdout } = await runCommand([address().executablePath, ...flags, page], {
        env: { TMPDIR: profile },
      });
      expect(stdout).toContain('<p id="x">42</p>');
    } finally {
      await rm(profile, { recursive: true, maxRetries: 10 });
    }
  });
});

describeWith('postgres', address => {
  it('stores and returns rows', async () => {
    const sql = 'create temporary table t (n int); insert into t values (40), (2); select sum(n) from t';
    const { stdout } = await runCommand([address().psql, '-XAtq', '-c', sql, address().url]);
    expect(stdout).toBe('42\n');
  });
});

describeWith('model', address => {
  const post = async (url: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x', 'x-api-key': 'x' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return response.json();
  };

  it('answers in the OpenAI and Anthropic formats what it was told to', async () => {
    const fixtures = [{ match: { userMessage: 'six times seven' }, response: { content: '42' } }];
    await post(`${address().controlUrl}/fixtures`, { fixtures });
    const messages = [{ role: 'user', content: 'What is six times seven?' }];
    try {
      expect(
        await post(`${address().openAiUrl}/chat/completions`, { model: 'test', messages }),
      ).toMatchObject({
        choices: [{ message: { role: 'assistant', content: '42' } }],
      });
      const question = { model: 'test', max_tokens: 10, messages };
      expect(await post(`${address().anthropicUrl}/v1/messages`, question)).toMatchObject({
        content: [{ type: 'text', text: '42' }],
      });
    } finally {
      await post(`${address().controlUrl}/reset`, {});
    }
  });
});

describeWith('telegram', address => {
  it('knows the bot', async () => {
    const response = await fetch(`${address().apiRoot}/bot123:token/getMe`);
    expect(await response.json()).toMatchObject({ ok: true, result: { username: 'TestNameBot' } });
  });
});
