// Times and sizes as people read them.

const UNITS = /** @type {const} */ ([
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
]);

/** @param {number} ms */
export function span(ms) {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const [unit, size] = UNITS.find(([, length]) => whole >= 2 * length || whole === length) ?? UNITS[3];
  return `${Math.floor(whole / size)} ${unit}`;
}

/** @param {number | null | undefined} then @param {number} now */
export function age(then, now) {
  return then === null || then === undefined ? '–' : span(now - then);
}

/** @param {number | null | undefined} bytes */
export function size(bytes) {
  if (bytes === null || bytes === undefined) return '–';
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB'];
  let [value, at] = [bytes / 1024, 0];
  while (value >= 1024 && at < units.length - 1) [value, at] = [value / 1024, at + 1];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
}

/** @param {number} ms */
export function clockTime(ms) {
  return new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** @param {number} ms */
export function fullTime(ms) {
  return new Date(ms).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
}

/** @param {number} count @param {string} noun */
export function many(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param {number} ms */
export function dayTime(ms) {
  return new Date(ms).toLocaleString([], {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}
