// Every tool through the door: in a real sandbox of bubblewrap, and on a machine that has bash and busybox only.
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { describeWith, useService } from '../../services/use-service.ts';
import { useGateways } from '../sessions/use-gateways.ts';
import { newHome } from '../sessions/world.ts';
import { openDoor } from './door-world.ts';
import { everyTool } from './every-tool.ts';

const owner = () => 'yes' as const;

describeWith('bubblewrap', () => {
  const { started } = useGateways();
  let shared: ReturnType<typeof started> | undefined;
  everyTool({
    open: async chat => {
      shared = chat === 'theirs' ? shared : started();
      return openDoor(await (shared ?? started()), { owner, ...(chat === undefined ? {} : { chat }) });
    },
  });
});

describe('bash and busybox', () => {
  const { started } = useGateways();
  let shared: ReturnType<typeof started> | undefined;
  const start = async () => {
    const home = await realpath(await newHome());
    const work = join(home, 'work');
    await mkdir(work);
    const { binDir } = await useService('busybox');
    return started({
      home,
      environment: { TERMINAL_ENV: 'local', TERMINAL_CWD: work, HOME: home, PATH: binDir },
    });
  };
  everyTool({
    open: async chat => {
      shared = chat === 'theirs' ? shared : start();
      return openDoor(await (shared ?? start()), { owner, ...(chat === undefined ? {} : { chat }) });
    },
  });
});
