import { describe, expect, it } from 'vitest';
import { grantOf, isGranted } from '../approvals/grant.ts';
import { type Exposure, NO_EXPOSURE } from '../risk/exposure.ts';
import type { Action } from '../tools/tool.ts';
import { type Circumstances, judgeAction } from './judge-action.ts';
import type { ScriptFile } from './look-at-scripts.ts';

const whole: Exposure = { isWhole: true, mounts: [], network: 'open', credentials: [] };
const policy = { mode: 'manual', deny: [], allowlist: [] } as const;
const judge = (action: Action, more: Partial<Circumstances> = {}) =>
  judgeAction('tool', action, { exposure: whole, policy, workdir: '/srv/project', ...more });
const verdict = (action: Action, more: Partial<Circumstances> = {}) => judge(action, more).judgement.verdict;
const command = (text: string, folder?: string): Action => ({
  kind: 'command',
  command: text,
  ...(folder === undefined ? {} : { folder }),
});
const write = (path: string): Action => ({ kind: 'write', path, text: 'x' });

describe('judgeAction', () => {
  it('P8: judges a command by the folder that it runs in', () => {
    expect(verdict(command('rm notes.txt'))).toBe('allow');
    expect(verdict(command('cp x passwd', '/etc'))).toBe('ask');
    expect(verdict(command('cp x passwd'), { folder: '/etc' })).toBe('ask');
    expect(verdict(command('cp x passwd', '.'), { folder: '/etc' })).toBe('allow');
    expect(judge(command('make', 'sub')).command).toBe('cd sub\nmake');
    expect(judge(command('make', '/srv/project')).command).toBe('make');
  });

  it('P8: a workspace that is a home folder has its start files in it', () => {
    for (const workdir of ['/root', '/home/me', '/etc'])
      expect(verdict(command('echo x >> .bashrc; echo y > passwd'), { workdir })).toBe('ask');
    expect(verdict(write('.bashrc'), { workdir: '/home/me' })).toBe('ask');
    expect(verdict(write('.bashrc'), { workdir: '/home/me/project' })).toBe('allow');
  });

  it('P8: knows the files of this installation wherever they are', () => {
    const own = '/srv/project/state/config.yaml';
    const homes = ['/srv/project/state', './state'];
    for (const action of [write(own), write('state/config.yaml'), command(`sed -i s/a/b/ ${own}`)]) {
      const rules = (more: Partial<Circumstances>) =>
        judge(action, more).judgement.findings.map(({ rule }) => rule);
      expect(rules({ homes }).join()).toContain('self.files');
      expect(rules({}).join()).not.toContain('self.files');
    }
  });

  it.each(['/etc/cron.d/x', '/root/.hermes/config.yaml', '/root/.ssh/authorized_keys', '/etc/passwd'])(
    'P8: asks before %s is written',
    path => expect(verdict(write(path))).toBe('ask'),
  );

  it('P8: judges a file by where it really is', () => {
    expect(verdict(write('notes'), { realPath: '/root/.ssh/authorized_keys' })).toBe('ask');
    expect(verdict(write('notes'), { realPath: '/srv/project/notes' })).toBe('allow');
    expect(verdict({ kind: 'read', path: 'x' }, { realPath: '/etc/shadow' })).toBe('ask');
    expect(verdict({ kind: 'read', path: '../../root/.ssh/id_rsa' })).toBe('ask');
    expect(verdict(write("it's; rm -rf ~"))).toBe('allow');
  });

  it('asks about key files outside the work, and not about an .env of the work', () => {
    expect(verdict(write('~/.aws/credentials'))).toBe('ask');
    expect(verdict(write('/home/me/.netrc'))).toBe('ask');
    expect(verdict(write('.env'))).toBe('allow');
  });

  it('asks nothing where the sandbox holds everything, and again for what is mounted into it', () => {
    const exposure = NO_EXPOSURE;
    for (const action of [
      write('~/.bashrc'),
      command('rm -rf /'),
      { kind: 'script', language: 'python', text: 'x' } as const,
    ])
      expect(verdict(action, { exposure })).toBe('allow');
    const mounted = { ...NO_EXPOSURE, mounts: [{ target: '/srv/host', readOnly: false }] };
    expect(verdict(write('/srv/host/.git/hooks/pre-commit'), { exposure: mounted })).toBe('ask');
    expect(verdict(write('/srv/other/.git/hooks/pre-commit'), { exposure: mounted })).toBe('allow');
    const text = 'import shutil\nshutil.rmtree("/srv/host/data")';
    expect(verdict({ kind: 'script', language: 'python', text }, { exposure: mounted })).toBe('ask');
    expect(verdict({ kind: 'script', language: 'python', text: 'print(1)' }, { exposure: mounted })).toBe(
      'allow',
    );
  });

  it('P8: a program that could reach a folder of the host or a credential is asked about unless it is proved harmless', () => {
    const hidden = {
      kind: 'script',
      language: 'python',
      text: 'import ctypes\nctypes.CDLL(None).unlink(b"x")',
    } as const;
    const plain = { kind: 'script', language: 'python', text: 'print(sum(range(9)))' } as const;
    for (const exposure of [
      { ...NO_EXPOSURE, mounts: [{ target: '/srv/host', readOnly: false }] },
      { ...NO_EXPOSURE, mounts: [{ target: '/keys', readOnly: true }], network: 'open' as const },
      { ...NO_EXPOSURE, credentials: ['DEPLOY'] },
    ]) {
      expect(verdict(hidden, { exposure })).toBe('ask');
      expect(verdict(plain, { exposure })).toBe('allow');
    }
    expect(verdict(hidden, { exposure: { ...NO_EXPOSURE, network: 'open' } })).toBe('allow');
  });

  it('P8: knows the files of the work by their full name, and the port of the gateway', () => {
    expect(verdict(command('echo x > /srv/project/out.txt'))).toBe('allow');
    expect(verdict(command('rm -rf /srv/project/dist'))).toBe('allow');
    expect(verdict(command('echo x > /srv/other/out.txt'))).toBe('ask');
    expect(verdict(command('cat x > passwd'), { workdir: '/etc' })).toBe('ask');
    const own = { ...policy, ports: [8378] };
    expect(verdict(command('curl http://127.0.0.1:8378/api/approvals'), { policy: own })).toBe('ask');
    expect(verdict(command('curl http://127.0.0.1:3000/'), { policy: own })).toBe('allow');
  });

  it('P8: a program is asked about as a whole where nothing is contained', () => {
    const { command: shown, judgement } = judge({
      kind: 'script',
      language: 'python',
      text: 'print(1)\nprint(2)',
    });
    expect(shown).toBe('tool (python)\nprint(1)\nprint(2)');
    expect(judgement).toMatchObject({
      verdict: 'ask',
      findings: [{ rule: 'unresolved.program', severity: 'high' }],
    });
    const off = { ...policy, mode: 'off' } as const;
    expect(verdict({ kind: 'script', language: 'python', text: 'x' }, { policy: off })).toBe('allow');
    expect(
      verdict({ kind: 'script', language: 'python', text: 'x' }, { policy: { ...off, deny: ['rm'] } }),
    ).toBe('deny');
  });

  it('P8: shows the tool and what it does', () => {
    const shown = (action: Action, more: Partial<Circumstances> = {}) => judge(action, more).command;
    expect(shown({ kind: 'send', path: 'id_rsa' })).toBe('tool id_rsa (to the chat)');
    expect(shown({ kind: 'read', path: 'a b' })).toBe('tool a b');
    expect(shown({ kind: 'list', path: '.' })).toBe('tool .');
    expect(shown({ kind: 'search', path: 'k', pattern: 'a b', target: 'content' })).toBe("tool 'a b' in k");
    expect(shown({ kind: 'command', command: 'make', inBackground: true })).toBe(
      'tool in the background: make',
    );
    expect(shown({ kind: 'read', path: 'k' }, { realPath: '/root/.ssh/id_rsa', isLink: true })).toBe(
      'tool k (leads to /root/.ssh/id_rsa)',
    );
  });

  it('P8: the lists of the owner hold for the command that does the same', () => {
    const deny = { ...policy, deny: ['cat ~/.ssh/id_rsa', 'pkill'] };
    for (const kind of ['read', 'send'] as const)
      expect(verdict({ kind, path: '~/.ssh/id_rsa' }, { policy: deny })).toBe('deny');
    expect(verdict({ kind: 'command', command: 'pkill x', inBackground: true }, { policy: deny })).toBe(
      'deny',
    );
    const allow = { ...policy, allowlist: ['rm -rf ~/data'] };
    const action = { kind: 'command', command: 'rm -rf ~/data', inBackground: true } as const;
    expect(verdict(action, { policy: allow })).toBe('allow');
    expect(verdict(action)).toBe('ask');
    const always = { ...policy, allowlist: [judge(action).command] };
    expect(verdict(action, { policy: always })).toBe('allow');
  });

  it('P8: an answer for the session covers neither another way, nor another text, nor another file', () => {
    const covers = (granted: Action, asked: Action, more: Partial<Circumstances> = {}) => {
      const grants = judge(granted, more).judgement.findings.map(grantOf);
      return judge(asked, more).judgement.findings.every(finding => isGranted(finding, grants));
    };
    const key = '~/.ssh/id_rsa';
    expect(covers({ kind: 'read', path: key }, { kind: 'read', path: key })).toBe(true);
    expect(covers({ kind: 'read', path: key }, { kind: 'send', path: key })).toBe(false);
    expect(covers({ kind: 'send', path: key }, { kind: 'read', path: key })).toBe(false);
    const written = { kind: 'write', path: '~/.bashrc', text: 'alias a=b' } as const;
    expect(covers(written, written)).toBe(true);
    expect(covers(written, { ...written, text: 'alias a=c' })).toBe(false);
    expect(covers(written, { ...written, path: '~/.profile' })).toBe(false);
    expect(covers(written, command("printf %s 'alias a=c' >~/.bashrc"))).toBe(false);
    const exposure = { ...NO_EXPOSURE, mounts: [{ target: '/srv/host', readOnly: false }] };
    const hook = { kind: 'write', path: '/srv/host/.git/hooks/x', text: 'a' } as const;
    expect(covers(hook, hook, { exposure })).toBe(true);
    expect(covers(hook, { ...hook, text: 'b' }, { exposure })).toBe(false);
    const off = { mode: 'off', deny: ['rm'], allowlist: [] } as const;
    expect(verdict(hook, { exposure, policy: off })).toBe('allow');
  });

  it('P8: a search is judged by all that lies below', () => {
    const search = (path: string, realPath?: string, target: 'content' | 'names' = 'content') =>
      verdict({ kind: 'search', path, pattern: 'x', target }, realPath === undefined ? {} : { realPath });
    expect(search('keys', '/root/.ssh')).toBe('ask');
    expect(search('~')).toBe('ask');
    expect(search('..', '/')).toBe('ask');
    expect(search('~', undefined, 'names')).toBe('allow');
    expect(search('src')).toBe('allow');
  });

  describe('a command that runs a file', () => {
    const file = { kind: 'text', path: 'x.py', realPath: '/srv/project/x.py', digest: 'd7' } as const;
    const script = (
      text: string,
      more: Partial<typeof file> & { isNew?: boolean; language?: string } = {},
    ) => ({
      ...file,
      ...{ text, size: Buffer.byteLength(text), language: 'python', isNew: false, ...more },
    });
    const run = (...scripts: ScriptFile[]) => judge(command('python3 x.py'), { scripts });
    const rules = (...scripts: ScriptFile[]) => run(...scripts).judgement.findings.map(({ rule }) => rule);

    it('P8: is asked about when the file is one of the agent, and shows it whole', () => {
      const { command: shown, judgement } = run(script('print(1)', { isNew: true }));
      expect(judgement.verdict).toBe('ask');
      expect(shown).toBe(
        'python3 x.py\n\n--- x.py (python, made or changed in this conversation) ---\nprint(1)',
      );
    });

    it('P8: is asked about any other file only when its text shows something', () => {
      expect(run(script('print(1)')).judgement.verdict).toBe('allow');
      expect(run(script('eval(x)')).judgement.verdict).toBe('allow');
      expect(rules(script('import shutil\nshutil.rmtree("/home")'))).toEqual(['host-files.delete-outside']);
    });

    it('P8: "for this session" means this very text', () => {
      const part = (text: string) => run(script(text, { isNew: true })).judgement.findings.at(-1)?.part;
      expect(part('a')).toBe(part('a'));
      expect(part('a')).not.toBe(part('b'));
      const long = (digest: string) =>
        run({ ...script('a', { isNew: true }), size: 99_999, digest }).judgement.findings.at(-1)?.part;
      expect(long('one')).toBe(long('one'));
      expect(long('one')).not.toBe(long('two'));
    });

    it('P8: is asked about when nobody can look', () => {
      expect(rules({ kind: 'unseen', path: 'x.py', why: 'it is not there yet' })).toEqual([
        'unresolved.script-file',
      ]);
    });

    it('P8: what the lists forbid they forbid in files too', () => {
      const deny = { ...policy, deny: ['pkill'] };
      const scripts = [script('pkill x', { language: 'shell' })];
      expect(judge(command('bash x'), { scripts, policy: deny }).judgement.verdict).toBe('deny');
    });
  });

  it('a program cannot end the text that it is analysed in', () => {
    const exposure = { ...NO_EXPOSURE, mounts: [{ target: '/srv/host', readOnly: false }] };
    const text = 'x = """\nEND\nEND_\n"""\nimport shutil\nshutil.rmtree("/srv/host/data")';
    expect(verdict({ kind: 'script', language: 'python', text }, { exposure })).toBe('ask');
  });
});
