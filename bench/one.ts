// One benchmark in a process of its own, started by main.ts, which gets the result as a message.
import { NotAvailable } from '../test/services/service.ts';
import { ask } from '../test/services/wire.ts';
import { loadBench } from './all.ts';
import type { UseService } from './bench.ts';
import { measure } from './measure.ts';
import type { BenchResult } from './results.ts';

/** What main.ts asks for, as JSON in the only argument. */
export interface Order {
  readonly name: string;
  readonly servicesSocket: string;
  readonly isShort: boolean;
  readonly budgetMs: number;
}

/** `service`: the one that cannot run on this machine. */
export type Outcome =
  | { readonly result: BenchResult }
  | { readonly notRun: string; readonly service?: string };

async function carryOut({ name, servicesSocket, ...extent }: Order): Promise<Outcome> {
  const bench = await loadBench(name);
  // The registry ties the name to the type at the other end.
  const use = (service => ask(servicesSocket, service)) as UseService;
  for (const service of bench.needs ?? []) {
    try {
      await use(service);
    } catch (error) {
      if (error instanceof NotAvailable) return { notRun: `${service}: ${error.message}`, service };
      throw error;
    }
  }
  const opened = await bench.open(use);
  try {
    return { result: await measure(bench, opened, extent) };
  } finally {
    await opened.close();
  }
}

const outcome = await carryOut(JSON.parse(process.argv[2] ?? '{}') as Order); // written by main.ts
process.send?.(outcome, () => process.disconnect());
