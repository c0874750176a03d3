// Signal's whole way, once answered by reactions, and once in words.
import type { Column } from '../../conformance-platforms/column.ts';
import { column } from '../../conformance-platforms/columns/signal.ts';
import { platformScenario } from './scenario-of.ts';

platformScenario(column);

const inWords: Column = {
  ...column,
  name: 'signal, answered in words',
  async open() {
    const ground = await column.open();
    const { press: _, ...peer } = ground.peer;
    return { ...ground, peer };
  },
};
platformScenario(inWords);
