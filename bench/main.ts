// `npm run bench -- [NAME …] [--check] [--short] [--json]`: runs benchmarks, each in a process of its own, on the components
// of test/services. Exits 1 when a limit is missed. --check without --short writes docs/performance.md; with names, it
// replaces their sections only.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isServiceName } from '../test/services/registry.ts';
import { isRequired } from '../test/services/required.ts';
import { openServiceRun } from '../test/services/service-run.ts';
import { onInterrupt } from '../test/services/signals.ts';
import { benchNames, loadBenches } from './all.ts';
import type { Order, Outcome } from './one.ts';
import { pageFile, readResults, renderPage, resultsFile } from './page.ts';
import { benchReport, type Ending, endingReport } from './report.ts';
import { type BenchResult, machineText, type NotRun, type Results, verdicts } from './results.ts';

const SHORT_BUDGET_MS = 3500;
const BUDGET_MS = 20_000;
/** Only ends a hang. */
const LONGEST_MS = 10 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, short: { type: 'boolean' }, json: { type: 'boolean' } },
});
const isShort = values.short === true;
const benches = await loadBenches();
const names = positionals.length > 0 ? positionals : benchNames.filter(takesPart);
for (const name of names) {
  if (benches.has(name)) continue;
  console.error(`There is no benchmark ${name}. Known: ${benchNames.join(', ')}.`);
  process.exit(2);
}

const services = await openServiceRun(text => process.stderr.write(`[services] ${text}\n`));
let running: ChildProcess | undefined;
let isInterrupted = false;
onInterrupt(async () => {
  isInterrupted = true;
  running?.kill();
  await services.close();
});
const load = loadavg()[0] ?? 0;
const found: Record<string, BenchResult | NotRun> = {};
const ending = { limits: [], failed: [], notRun: [] } as { [Key in keyof Ending]: Ending[Key][number][] };
for (const name of names) {
  await runOne(name);
  // `onInterrupt` ends this process when the services have stopped.
  if (isInterrupted) await new Promise(() => {});
}
await services.close();

const results: Results = {
  day: new Date().toISOString().slice(0, 10),
  machine: machineText(load),
  benches: found,
};
if (values.check && !isShort) {
  const others = positionals.length === 0 ? {} : readResults().benches;
  const all: Results = { ...results, benches: { ...others, ...found } };
  writeFileSync(resultsFile, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(pageFile, renderPage(benches, all));
}
const { text, isGood } = endingReport(ending);
if (values.json) console.log(JSON.stringify({ ...results, ...ending }, null, 2));
else console.log(`\n${text}`);
process.exit(isGood ? 0 : 1);

function takesPart(name: string): boolean {
  return !isShort || Object.values(benches.get(name)?.cases ?? {}).some(it => it.isShort);
}

async function runOne(name: string): Promise<void> {
  const bench = benches.get(name);
  const outcome = await outcomeOf(name);
  if (!bench || !outcome) {
    ending.failed.push(`${name}: it ended without a result; see above`);
    found[name] = { notRun: 'it failed' };
  } else if ('notRun' in outcome) {
    const { notRun, service = '' } = outcome;
    ending.notRun.push({
      text: `${name}: ${notRun}`,
      isFailure: isServiceName(service) && isRequired(service),
    });
    found[name] = { notRun };
  } else {
    ending.limits.push(...verdicts(name, bench, outcome.result));
    found[name] = outcome.result;
    if (!values.json)
      console.log(`\n${benchReport(name, bench, outcome.result, process.stdout.columns ?? 100)}`);
  }
}

/** Undefined when it ended without one. */
async function outcomeOf(name: string): Promise<Outcome | undefined> {
  const budgetMs = isShort ? SHORT_BUDGET_MS : BUDGET_MS;
  const order: Order = { name, servicesSocket: services.socket, isShort, budgetMs };
  const env = { ...process.env, TMPDIR: join(services.tmpDir, name) };
  mkdirSync(env.TMPDIR);
  running = fork(join(import.meta.dirname, 'one.ts'), [JSON.stringify(order)], { env });
  let outcome: Outcome | undefined;
  running.on('message', message => {
    outcome = message as Outcome; // the only message of one.ts
  });
  const timer = setTimeout(() => {
    console.error(`${name}: stopped after ${LONGEST_MS / 60_000} minutes`);
    running?.kill('SIGKILL');
  }, LONGEST_MS);
  const [code] = await once(running, 'exit');
  clearTimeout(timer);
  return code === 0 ? outcome : undefined;
}
