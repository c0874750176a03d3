// Texts made to be slow: whatever they consist of, the work grows with their length and not with its square.
import { it } from 'vitest';
import { expectLinear } from '../../../test/cpu.ts';
import { drawFrom } from '../../../test/fixtures/redaction/parts.ts';
import { effort } from '../../../test/property.ts';
import { createRedactor } from './redactor.ts';

const draw = drawFrom(31);
const secrets = Array.from({ length: 50 }, () => draw('alnum', 32));
const redactor = createRedactor({ secrets: [...secrets, 'ab'.repeat(50)], shapes: 'on' });
/** Characters. */
const LENGTH = effort === 1 ? 100_000 : 1_000_000;

it.each([
  ...['a', 'ab', '1', 'f', ' ', '=', '\\', '\n', '\r', '"', '-', '.', ':', '😀', 'M'],
  ...[
    'token',
    'password=',
    'password="',
    "password='",
    'password: ',
    'password =\t',
    'secret_token_',
    '_key=',
  ],
  ...[
    '{"token":',
    '\\"password\\":\\"',
    'cookie:',
    'cookie: session=',
    'curl -u ',
    'docker login ',
    'mysql -',
  ],
  ...[
    'Bearer ',
    'basic ',
    '://a:',
    '://',
    'eyJ',
    'eyJhbGci.',
    'sk-',
    'pat',
    'xoxb-',
    'AKIA',
    '12345678:',
    's.',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----END PRIVATE KEY-----\n',
    'MIIEvQIBADANBgkq\n',
    `${'A'.repeat(64)}\n`,
  ],
  ...[secrets[0]?.slice(0, -1) ?? '', `${'x'.repeat(19)}\n`, '[redacted:', '%3D', '\u001b[31m'],
  ...[':*:', 'a:5432:', '$6$', '$argon2', 'token: >-\n', '\u200b', '\\x61', '61 ', 'fw_', 'cio'],
])('takes no more than linear time for %j', part => {
  expectLinear(LENGTH, length => {
    const text = part.repeat(Math.ceil(length / part.length));
    redactor.redact(text);
    const stream = redactor.stream();
    for (let at = 0; at < length; at += 1000) stream.push(text.slice(at, at + 1000));
    stream.flush();
  });
});
