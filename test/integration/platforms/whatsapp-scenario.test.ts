// WhatsApp's whole way.
import { column } from '../../conformance-platforms/columns/whatsapp.ts';
import { platformScenario } from './scenario-of.ts';

platformScenario(column);
