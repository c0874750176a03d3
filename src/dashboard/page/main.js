// The page starts here: who is it, then everything else.
import { h, render } from 'preact';
import { checkLogin, getJson } from './api.js';
import { App } from './app.js';
import { Live } from './live.js';
import { applyTheme } from './theme.js';

const root = document.getElementById('app');
applyTheme();
try {
  const me = await getJson('/api/me');
  const live = new Live(() => checkLogin(me));
  root?.replaceChildren();
  if (root) render(h(App, { me, live }), root);
} catch (error) {
  root?.replaceChildren(
    Object.assign(document.createElement('p'), { className: 'door', textContent: String(error) }),
  );
}
