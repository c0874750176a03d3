import { describe, expect, it } from 'vitest';
import { type Exposure, NO_EXPOSURE } from '../risk/exposure.ts';
import type { Action } from '../tools/tool.ts';
import { type Circumstances, judgeAction } from './judge-action.ts';

const whole: Exposure = { isWhole: true, mounts: [], network: 'open', credentials: [] };
const policy = { mode: 'manual', deny: [], allowlist: [] } as const;
const judge = (action: Action, more: Partial<Circumstances> = {}) =>
  judgeAction('tool', action, { exposure: whole, policy, workdir: '/srv/work', ...more });
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
    expect(judge(command('make', '/srv/work')).command).toBe('make');
  });

  it('P8: a workspace that is a home folder has its start files in it', () => {
    for (const workdir of ['/root', '/home/me', '/etc'])
      expect(verdict(command('echo x >> .bashrc; echo y > passwd'), { workdir })).toBe('ask');
    expect(verdict(write('.bashrc'), { workdir: '/home/me' })).toBe('ask');
    expect(verdict(write('.bashrc'), { workdir: '/home/me/project' })).toBe('allow');
  });

  it('P8: judges a file by where it really is', () => {
    expect(verdict(write('notes'), { realPath: '/root/.ssh/authorized_keys' })).toBe('ask');
    expect(verdict(write('notes'), { realPath: '/srv/work/notes' })).toBe('allow');
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

  it('a program cannot end the text that it is analysed in', () => {
    const exposure = { ...NO_EXPOSURE, mounts: [{ target: '/srv/host', readOnly: false }] };
    const text = 'x = """\nEND\nEND_\n"""\nimport shutil\nshutil.rmtree("/srv/host/data")';
    expect(verdict({ kind: 'script', language: 'python', text }, { exposure })).toBe('ask');
  });
});
