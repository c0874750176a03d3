// Removes terminal control from text that is shown elsewhere: the whole of ECMA-48, 7-bit and 8-bit (C1) forms.

// DCS, SOS, OSC, PM and APC carry a string up to ST; xterm also ends them with BEL; CAN and SUB abort them.
// One that is never ended is cut where the line ends, so that a stray introducer cannot hide the rest of a text.
const STRING =
  '(?:\\x1b[PX\\]^_]|[\\x90\\x98\\x9d\\x9e\\x9f])[^\\x07\\x18\\x1a\\x1b\\x9c\\n]*(?:\\x07|\\x18|\\x1a|\\x9c|\\x1b\\\\)?';
// CSI: parameter bytes, intermediate bytes, one final byte; cut short by anything that cannot belong to it.
const CSI = '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?';
// nF, Fp, Fe and Fs escape sequences: intermediates and a final byte.
const ESCAPE = '\\x1b[ -/]*[0-~]?';
// Remaining C1 controls, and C0 but for tab, newline and carriage return.
const CONTROL = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1a\\x1c-\\x1f\\x7f\\x80-\\x9f]';

const SEQUENCES = new RegExp([STRING, CSI, ESCAPE, CONTROL].join('|'), 'g');

export function stripAnsi(text: string): string {
  return text.replace(SEQUENCES, '');
}
