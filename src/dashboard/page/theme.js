// Light or dark: as the system has it, or as the person has chosen in this browser.

const KEY = 'hermes-theme';
const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };

/** @returns {'auto' | 'light' | 'dark'} */
export function theme() {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function applyTheme() {
  document.documentElement.dataset['theme'] = theme();
}

export function nextTheme() {
  localStorage.setItem(KEY, NEXT[theme()]);
  applyTheme();
  return theme();
}
