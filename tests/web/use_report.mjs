// use_report.mjs - what the tests of the use of reports share: their arguments, and what they read
// and choose in a page.
import { runner } from './reports.mjs';

export const [supprof, fixtures, work, kind, executable] = process.argv.slice(2);
export const run = runner(supprof);
/** What pages have said, which they should not. */
export const said = [];

export const textOf = (page, what = '#page') => page.$eval(what, (element) => element.textContent);

/** What has the focus. */
export const focusOf = (page) =>
  page.evaluate(
    () =>
      document.activeElement.dataset.focus ??
      (document.activeElement.id || document.activeElement.tagName)
  );

/** What is copied becomes `window.copied`. */
export const catchCopies = (page) =>
  page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text) => {
          window.copied = text;
        },
      },
      configurable: true,
    })
  );

/** Chooses from the menu of exports what begins so. */
export async function choose(page, what) {
  await page.click('#export');
  await page.$$eval(
    '.menu button',
    (buttons, start) => buttons.find(({ textContent }) => textContent.startsWith(start)).click(),
    what
  );
}
