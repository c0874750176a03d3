// Tells of the state of a connection when it is another than before.
import type { PlatformState } from './platform.ts';

export function tellChanges(onState: (state: PlatformState) => void): (state: PlatformState) => void {
  let told = '';
  return state => {
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    onState(state);
  };
}
