// Slack's whole way.
import { column } from '../../conformance-platforms/columns/slack.ts';
import { platformScenario } from './scenario-of.ts';

platformScenario(column);
