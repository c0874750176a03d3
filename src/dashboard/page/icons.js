// The few pictures of the page, as lines that take the colour of the text.
import { h } from 'preact';

const PATHS = {
  chat: 'M4 5h16v11H9l-5 4z',
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  sandboxes: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  approvals: 'M12 3l7 3v6c0 4.5-3 7.5-7 9-4-1.500-7-4.500-7-9V6zM9 12l2 2 4-4',
  people:
    'M9 11a3.500 3.500 0 100-7 3.500 3.500 0 000 7zM3 20c0-3.500 2.500-6 6-6s6 2.500 6 6M16 4.500a3.500 3.500 0 010 6.500M17.500 14.300c2.200.800 3.500 3 3.500 5.700',
  audit: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  security: 'M7 11V8a5 5 0 0110 0v3M5 11h14v10H5zM12 15v2',
  theme: 'M20 14.5A8.500 8.500 0 119.500 4 6.500 6.500 0 0020 14.500z',
  clip: 'M20 11l-8.500 8.500a5 5 0 01-7-7L13 4a3.300 3.300 0 014.700 4.700L9.200 17.200a1.700 1.700 0 01-2.400-2.400L14.500 7',
  send: 'M4 12l16-8-6 17-3-7z',
  stop: 'M7 7h10v10H7z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h6l2 2h10v11H3z',
  down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  up: 'M12 20V9M7 13l5-5 5 5M5 4h14',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.500',
  tool: 'M4 17l6-6-6-6M12 19h8',
};

/** @param {{ name: keyof typeof PATHS }} props */
export function Icon({ name }) {
  return h(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    h('path', { d: PATHS[name] }),
  );
}
