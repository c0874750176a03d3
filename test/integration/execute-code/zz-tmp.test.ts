import { it } from 'vitest';
import { useService } from '../../services/use-service.ts';
import { measure } from '../../../bench/bench.ts';
import { report } from '../../../bench/report.ts';
import { executeCodeDocker } from '../../../bench/execute-code.ts';
it('measures', async () => {
  const a = await useService('image-bookworm');
  process.env['DOCKER_HOST'] = a.docker.host; process.env['HERMES_BENCH_IMAGE'] = a.image;
  const opened = await executeCodeDocker.open();
  console.log(report(await measure(opened.cases, { ...executeCodeDocker, rounds: 15 }), 100));
  await opened.close();
}, 100_000);
