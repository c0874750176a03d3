// Telegram's whole way.
import { column } from '../../conformance-platforms/columns/telegram.ts';
import { platformScenario } from './scenario-of.ts';

platformScenario(column);
