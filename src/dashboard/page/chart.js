// A figure over time: a line with an area below it, and the same in words.
import { h } from 'preact';
import { clockTime } from './words.js';

const [WIDTH, HEIGHT] = [240, 56];

/** @param {{ title: string, points: readonly { at: number, value: number }[], show: (value: number) => string }} props */
export function Chart({ title, points, show }) {
  const last = points.at(-1);
  const [first] = points;
  const most = Math.max(1, ...points.map(({ value }) => value));
  const label = last
    ? `${title}: ${show(last.value)} now, at most ${show(Math.max(...points.map(({ value }) => value)))} since ${clockTime(first?.at ?? last.at)}`
    : title;
  return h(
    'figure',
    { class: 'chart' },
    h('figcaption', null, h('span', null, title), h('strong', null, last ? show(last.value) : '–')),
    points.length < 2
      ? h('div', { class: 'chart-wait' }, 'gathering figures…')
      : h(
          'svg',
          {
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
            preserveAspectRatio: 'none',
            role: 'img',
            'aria-label': label,
          },
          h('path', { class: 'area', d: `${lineOf(points, most)} L${WIDTH},${HEIGHT} L0,${HEIGHT} Z` }),
          h('path', { class: 'line', d: lineOf(points, most) }),
        ),
    points.length >= 2 &&
      h(
        'div',
        { class: 'chart-foot' },
        h('span', null, clockTime(first?.at ?? 0)),
        h('span', null, `max ${show(Math.max(...points.map(({ value }) => value)))}`),
        h('span', null, 'now'),
      ),
  );
}

/** @param {readonly { at: number, value: number }[]} points @param {number} most */
function lineOf(points, most) {
  const [start, end] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  return points
    .map(({ at, value }, nth) => {
      const x = ((at - start) / Math.max(1, end - start)) * WIDTH;
      const y = HEIGHT - 3 - (value / most) * (HEIGHT - 8);
      return `${nth === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
