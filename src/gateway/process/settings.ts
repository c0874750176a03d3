// The settings of the gateway as a process: where it answers, what it writes down, how long it takes to stop.
import { choice, duration, integer, text } from '../../base/kinds.ts';
import { defineSection, setting } from '../../base/setting.ts';

export const section = defineSection({
  title: 'Gateway process',
  doc: 'Where the gateway answers, what it writes into its log, and how it stops.',
  settings: {
    'gateway.http_host': setting(text('an address of this machine'), {
      default: '127.0.0.1',
      doc: 'Where `/healthz`, `/readyz` and `/metrics` are answered. They ask for no password: leave it on loopback.',
    }),
    'gateway.http_port': setting(integer(0, 65_535), {
      default: 8377,
      doc: 'Port of `/healthz`, `/readyz` and `/metrics`; 0 takes any free one.',
    }),
    'gateway.log_level': setting(choice(['trace', 'debug', 'info', 'warn', 'error']), {
      default: 'info',
      doc: 'What is written into the log of the gateway: this and worse.',
    }),
    'gateway.log_max_mb': setting(integer(1, 10_240, 'MB'), {
      default: 10,
      doc: 'Size at which a new file of the log is begun.',
    }),
    'gateway.log_files': setting(integer(1, 100), {
      default: 5,
      doc: 'How many files of the log are kept, the newest included.',
    }),
    'gateway.stop_timeout': setting(duration(0, 600), {
      default: 20,
      doc: 'How long a stop waits for runs that are under way; what is left then is ended, and the next start decides what becomes of it.',
    }),
  },
});
