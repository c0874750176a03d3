// How smooth a page stays, seen from inside the browser.
import type { Page } from 'playwright-core';

/** Of the browser, where the functions that are given to it run. */
declare const requestAnimationFrame: (draw: () => void) => number;

/** The longest time in which the page drew nothing while `work` went on, in ms. */
export async function longestPause(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const seen = { last: performance.now(), longest: 0, isOn: true };
    Object.assign(globalThis, { seen });
    const look = (): void => {
      const now = performance.now();
      seen.longest = Math.max(seen.longest, now - seen.last);
      seen.last = now;
      if (seen.isOn) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await work();
  return page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { longest: number; isOn: boolean } }; // put there above
    seen.isOn = false;
    return seen.longest;
  });
}
