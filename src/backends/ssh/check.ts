// Whether the machine can be used, by really connecting: what is in the way, and the exact remedy.

import type { Abortable } from '../../base/abortable.ts';
import { HermesError } from '../../base/errors.ts';
import type { Problem } from '../backend.ts';
import type { Link, Report } from './link.ts';

const OLDEST_BASH = 404;

export async function checkMachine(link: Link, options: Abortable): Promise<readonly Problem[]> {
  try {
    return problemsOf(await link.errand({ script: 'facts', args: [] }, options), link.address);
  } catch (error) {
    if (!(error instanceof HermesError)) throw error;
    return [asProblem(error)];
  }
}

function problemsOf({ fields }: Report, address: string): Problem[] {
  const [bash = '', missing = '', writable, home] = fields;
  const problems: Problem[] = [];
  const [major = 0, minor = 0] = bash.split('.').map(Number);
  if (bash === '') {
    problems.push({ message: `There is no bash on ${address}.`, fix: 'Install bash there, 4.4 or newer.' });
  } else if (major * 100 + minor < OLDEST_BASH) {
    problems.push({ message: `The bash on ${address} is ${bash}.`, fix: 'Install bash 4.4 or newer there.' });
  }
  if (missing !== '') {
    const names = missing.trim().replaceAll(' ', ', ');
    problems.push({ message: `${address} lacks ${names}.`, fix: 'Install coreutils there.' });
  }
  if (writable !== 'yes') {
    problems.push({
      message: `The home folder ${home} on ${address} cannot be written to.`,
      fix: 'Make it writable for the account, or use another account (terminal.ssh_user).',
    });
  }
  return problems;
}

function asProblem({ message, details }: HermesError): Problem {
  const { message: what, fix } = details;
  return typeof what === 'string' && typeof fix === 'string'
    ? { message: what, fix }
    : { message, fix: 'Correct what the message names.' };
}
