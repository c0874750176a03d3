// Which services a run tests for real instead of by their doubles: `HERMES_TEST_LIVE=daytona,telegram` with credentials in the
// environment. Without the variable no test dials out.
import { readEnvironment } from '../../src/config/environment.ts';
import { NotAvailable } from './service.ts';

/** Whether the run asks for this service itself. `name`: as in the column of its conformance suite. */
export function isLive(name: string): boolean {
  const wanted = readEnvironment()['HERMES_TEST_LIVE'] ?? '';
  return wanted.split(',').some(each => each.trim() === name);
}

/**
 * The credentials of a service that the run asks for, by the names of their variables. Throws `NotAvailable` with what is
 * missing.
 */
export function liveCredentials<Name extends string>(
  service: string,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const environment = readEnvironment();
  const missing = [
    ...(isLive(service) ? [] : [`HERMES_TEST_LIVE=${service}`]),
    ...names.filter(name => !environment[name]),
  ];
  if (missing.length > 0) throw new NotAvailable(`needs ${missing.join(', ')} in the environment`);
  const entries = names.map(name => [name, environment[name] ?? ''] as const);
  return Object.fromEntries(entries) as Record<Name, string>; // every name has an entry
}
