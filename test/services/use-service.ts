// What tests import: a service's address by name, and test groups that run only where the service does.
import { beforeAll, beforeEach, describe, inject } from 'vitest';
import type { AddressOf, ServiceName } from './registry.ts';
import { isRequired } from './required.ts';
import { NotAvailable } from './service.ts';
import { ask } from './wire.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Unix socket of the process that owns the services. */
    servicesSocket: string;
    /** Where each test file gets its temporary folder. */
    servicesTmpDir: string;
    servicesCacheDir: string;
  }
}

/** The address of a service, started if it was not. Throws `NotAvailable` with the reason when it cannot run here. */
export async function useService<Name extends ServiceName>(name: Name): Promise<AddressOf<Name>> {
  // The registry ties the name to the type at the other end.
  return (await ask(inject('servicesSocket'), name)) as AddressOf<Name>;
}

/**
 * A group of tests against a real component. Where it cannot run they are skipped and say `not run: <name>: <why>`;
 * in CI they fail instead if the component is a required one. The address is there inside tests and hooks.
 */
export function describeWith<Name extends ServiceName>(
  name: Name,
  body: (address: () => AddressOf<Name>) => void,
): void {
  describe(name, () => body(needService(name)));
}

/** The same for the group in whose body it is called. */
export function needService<Name extends ServiceName>(name: Name): () => AddressOf<Name> {
  let address: AddressOf<Name> | undefined;
  let notRun: string | undefined;
  beforeAll(async () => {
    try {
      address = await useService(name);
    } catch (error) {
      if (!(error instanceof NotAvailable) || isRequired(name)) throw error;
      notRun = `not run: ${name}: ${error.message}`;
    }
  });
  beforeEach(context => {
    if (notRun !== undefined) context.skip(notRun);
  });
  return () => {
    if (address === undefined) throw new Error(`the address of ${name} is known inside tests and hooks only`);
    return address;
  };
}
