// Discord's whole way.
import { column } from '../../conformance-platforms/columns/discord.ts';
import { platformScenario } from './scenario-of.ts';

platformScenario(column);
