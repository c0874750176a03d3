// What a change of the settings means for a sandbox that was made before, in words: for its chat, and for those who look at
// the ledger. Pure.
import type { LedgerEntry } from '../store/ledger.ts';
import { changeOf } from './change.ts';
import { driftOf, driftText } from './live-terms.ts';
import type { SandboxPolicy } from './policy.ts';

const NOT_KEPT =
  'Not kept: installed software, files elsewhere, shell variables, background processes. /new starts with an empty sandbox.';

/** Its files were taken along. */
export function movedText(old: LedgerEntry, policy: SandboxPolicy): string {
  return `The settings have changed (${whatChanged(old, policy)}): the sandbox was rebuilt. Kept: this conversation and the files of its workspace. ${NOT_KEPT}`;
}

/** What its commands saw belongs to a machine, and stays there. */
export function leftText(old: LedgerEntry, policy: SandboxPolicy): string {
  return `The settings have changed (${whatChanged(old, policy)}): commands run in a new sandbox now. Kept: this conversation. Not copied: the files that commands used on ${old.backend}; they are still there. ${NOT_KEPT}`;
}

/** For anybody in the chat. */
export function notMovedText({ backend }: LedgerEntry, policy: SandboxPolicy): string {
  return `The files of this chat are in a sandbox on ${backend}. The settings say ${policy.backend.value} now, where nothing is contained: they were not moved there, and no command was run. ${WAY_OUT}`;
}

/** For anybody in the chat. */
export function leftBehindText({ backend }: LedgerEntry, policy: SandboxPolicy): string {
  return `The files of this chat are on ${backend}, which cannot be reached, and the settings say ${policy.backend.value} now. No command was run. Try again later. ${WAY_OUT}`;
}

const WAY_OUT =
  '/new starts without these files; they are kept until the sandbox is cleaned up. (In a terminal: a chat without --continue.)';

/** What will become of one that the settings have left. `running`: its background processes. */
export function outlookOf(old: LedgerEntry, policy: SandboxPolicy, running = 0): string {
  switch (changeOf(old, policy)) {
    case 'move':
      return `it is rebuilt ${whenRebuilt(running)}, with the files of its workspace`;
    case 'leave':
      return 'the next command runs in a new sandbox; its files stay where they are';
    case 'refuse':
      return `no command runs in it, and its files do not get out of it by themselves; /new starts without them`;
  }
}

/** When a sandbox is replaced that was made by earlier settings. */
export function whenRebuilt(running: number): string {
  if (running === 0) return 'with the next command';
  const them = running === 1 ? 'its background process has' : `its ${running} background processes have`;
  return `when ${them} ended`;
}

function whatChanged(old: LedgerEntry, policy: SandboxPolicy): string {
  // Other settings may have changed with the backend, which says most.
  const drift = driftOf(old, policy);
  const backend = drift.filter(({ part }) => part === 'backend');
  return driftText(backend.length > 0 ? backend : drift);
}
