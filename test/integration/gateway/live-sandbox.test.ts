// What chats are told about the sandbox that they have: its own terms, whatever the settings say by now (P5, P9).
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { answered, type House, type HouseOptions, OWNER } from './house.ts';
import { realAgent } from './real-agent.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

/** A gateway whose agent runs what it is told, as the real one does. */
async function openHouse(options: HouseOptions = {}): Promise<House> {
  let house: House | undefined;
  house = await houses.open({
    ...options,
    async *script(turn, session) {
      const { sandboxes } = (house as House).ground; // it is there before anybody writes
      await using lease = await sandboxes.lease(session, { purpose: 'run', actor: 'test' });
      const { stdout, stderr } = await lease.exec(turn.text, { persistent: true });
      yield {
        type: 'tool-finished',
        id: '1',
        tool: 'terminal',
        isError: false,
        text: stdout + stderr,
        durationMs: 1,
      };
      yield answered(`ran: ${stdout}${stderr}`);
    },
  });
  return house;
}

async function say({ platform }: House, text: string, shows: string): Promise<string> {
  const before = platform.chat(OWNER).length;
  const answers = (): string => platform.texts(OWNER).slice(before).join('\n');
  await platform.say(OWNER, text);
  await platform.until(() => answers().includes(shows));
  return answers();
}

async function endAll({ ground }: House): Promise<void> {
  for (const { id } of await ground.world.store.ledger.list({ states: ['ready'] })) {
    for (const process of (await ground.sandboxes.life.handle(id)?.processes()) ?? []) await process.kill();
  }
}

describeWith('bubblewrap', () => {
  it('P5: a process that a command left running is in the status', async () => {
    const house = await openHouse();
    await say(house, 'sleep 600 & echo started', 'ran: started');
    expect(await say(house, '/status', 'Processes: ')).toMatch(/Processes: \w+ \(sleep 600 & echo started\)/);
    await endAll(house);
  });

  it('an opened network is promised for when the background processes have ended, and the sandbox shown as it is', async () => {
    const house = await openHouse();
    await say(house, 'sleep 600 & echo started', 'ran: started');
    expect(await say(house, '/network open', 'is to be open')).toContain(
      'is rebuilt when its background process has ended',
    );
    const status = await say(house, '/status', 'Settings: ');
    expect(status).toMatch(/^Network: none$/m);
    expect(status).toMatch(/^Limits: cpu .*time of a command \d+ s: enforced \(this sandbox\)$/m);
    expect(status).toContain(
      '(network none → open); it is rebuilt when its background process has ended, with the files of its workspace.',
    );
    const hint = await say(
      house,
      'echo "curl: (6) Could not resolve host: example.org"',
      'A connection failed',
    );
    expect(hint).toContain('has no network yet');
    // The hint comes while it runs, and the sandbox is free afterwards.
    await house.platform.shows(OWNER, 'ran: curl');
    await endAll(house);
    await say(house, 'echo again', 'ran: again');
    expect(await say(house, '/status', 'Network: open')).not.toContain('Settings: ');
  });

  it('no hint about the network where the sandbox still has one', async () => {
    const house = await openHouse({ settings: '  sandbox_network: open\n' });
    await say(house, 'sleep 600 & echo started', 'ran: started');
    await say(house, '/network none', 'is to be none');
    const text = await say(house, 'echo "curl: (6) Could not resolve host: example.org"', 'ran: curl');
    expect(text).not.toContain('A connection failed');
    await endAll(house);
  });

  it('P7: the name of a file that is sent shows no secret', async () => {
    const house = await openHouse();
    await say(house, 'echo x >report-hunter2.txt; echo made', 'ran: made');
    await house.platform.say(OWNER, '/get report-hunter2.txt');
    await house.platform.until(() => house.platform.chat(OWNER).some(({ file }) => file !== undefined));
    const names = house.platform.chat(OWNER).flatMap(({ file }) => (file ? [file.name] : []));
    expect(names).toEqual(['report-***.txt']);
  });

  it('P9: warns about `local` as long as the sandbox of the chat is there', async () => {
    const { home, platform, ...first } = await openHouse({ environment: { TERMINAL_ENV: 'local' } });
    await say({ home, platform, ...first }, 'echo here', 'ran: here');
    await first.gateway.drained();
    await first.crash();
    const second = await houses.open({ home, platform, environment: { TERMINAL_ENV: 'bubblewrap' } });
    const status = await say(second, '/status', 'Backend: ');
    expect(status).toMatch(/^Backend: local$/m);
    expect(status).toContain('⚠ Gateway is running with local terminal backend.');
    expect(status).toContain('backend local → bubblewrap');
  });
});

describeWith('bubblewrap', () => {
  it('says what a rebuilt sandbox has kept, what it has not, and the way out', async () => {
    const model = await startModelServer([[{ text: 'nothing' }]]);
    onTestFinished(() => model[Symbol.asyncDispose]());
    const { platform } = await houses.open({
      agent: (ground, desk) => realAgent(ground, desk, model.openAiUrl),
    });
    await platform.say(OWNER, '!echo precious >note; echo $((40 + 1))');
    await platform.shows(OWNER, '41');
    await platform.say(OWNER, '/network open');
    await platform.shows(OWNER, 'is to be open');
    await platform.say(OWNER, '!cat note');
    await platform.shows(
      OWNER,
      'The settings have changed (network none → open): the sandbox was rebuilt. Kept:',
    );
    await platform.shows(OWNER, 'precious');
    // A message of its own, not only a line in what the command printed.
    const told = platform.texts(OWNER).filter(text => text.startsWith('The settings have changed'));
    expect(told).toEqual([expect.stringMatching(/Not kept: installed software.*\/new starts with/)]);
  });
});
