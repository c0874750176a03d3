// How settings name people and accounts of Signal: however a number is written, it is one identity.
import { z } from 'zod';
import { commaListOf } from '../../base/kinds.ts';
import type { Kind } from '../../base/setting.ts';
import { identityOf } from './address.ts';

const ACCEPTS = 'phone numbers such as `+49 151 12345678`, or account ids';

const schema = z
  // YAML reads a bare +4915112345678 as a number.
  .union([z.string(), z.int().transform(digits => `+${digits}`)])
  .transform((written, context) => {
    const id = identityOf(written);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: ACCEPTS });
    return z.NEVER;
  });

export function identity(): Kind<string> {
  return {
    schema,
    accepts: 'a phone number such as `+49 151 12345678`, or an account id',
    fromText: text => text,
  };
}

export function identityList(): Kind<readonly string[]> {
  const list = commaListOf({ ...identity(), accepts: ACCEPTS });
  return { ...list, schema: z.array(schema).readonly() };
}
