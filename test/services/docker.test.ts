// Docker and its images really run containers, with the limits that were asked for.
import { expect, it } from 'vitest';
import { dockerCommand } from './docker.ts';
import { describeWith } from './use-service.ts';

describeWith('image-bookworm', address => {
  const run = (...args: string[]) =>
    dockerCommand(address().docker, 'run', '--rm', '--network', 'none', ...args);

  it('runs a command in a container with bash and Python', async () => {
    const script = 'echo "$BASH_VERSION"; python3 -c "print(6 * 7)"';
    expect(await run(address().image, 'bash', '-c', script)).toMatch(/^5\.\d.*\n42\n$/);
  });

  it('applies memory, process and CPU limits', async () => {
    const limits = ['--memory', '64m', '--pids-limit', '20', '--cpus', '0.5', '--init'];
    const python = 'a = bytearray(200 * 1024 * 1024)';
    const script = `python3 -c '${python}'; echo "ended with $?"`;
    expect(await run(...limits, address().image, 'bash', '-c', script)).toBe('ended with 137\n');
    const forks = [
      'import os, signal',
      'children = []',
      'try:',
      '  for _ in range(40):',
      '    pid = os.fork()',
      '    if pid == 0: signal.pause()',
      '    children.append(pid)',
      'except BlockingIOError: pass',
      'print(len(children))',
    ].join('\n');
    const started = Number(await run(...limits, address().image, 'python3', '-c', forks));
    expect(started).toBeGreaterThan(10);
    expect(started).toBeLessThan(20);
  });

  it('gives a container without network only a loopback interface', async () => {
    expect(await run(address().image, 'ls', '/sys/class/net')).toBe('lo\n');
  });
});

describeWith('image-busybox', address => {
  it('has bash, and busybox for everything else', async () => {
    const script = 'echo "${BASH_VERSION%%.*}"; readlink -f "$(command -v dd)"';
    const args = ['run', '--rm', '--network', 'none', address().image, 'bash', '-c', script];
    expect(await dockerCommand(address().docker, ...args)).toBe('5\n/bin/busybox\n');
  });
});

describeWith('image-nobash', address => {
  it('has no bash', async () => {
    const args = [
      'run',
      '--rm',
      '--network',
      'none',
      address().image,
      'sh',
      '-c',
      'command -v bash || echo none',
    ];
    expect(await dockerCommand(address().docker, ...args)).toBe('none\n');
  });
});
