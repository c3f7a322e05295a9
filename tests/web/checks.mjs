// checks.mjs - what the tests in a browser share: counting what failed, and waiting.
//
// A key, a click or a new address takes effect some time after the call. So a test first waits for
// what it reads after them, however long that takes. A deadline is for what never comes.
import { launch } from '../consumers/browser.mjs';

export { newPageOf as newPage } from '../consumers/browser.mjs';

/** What failed begins with the browser's name. */
let kind = '';
export let failedCount = 0;

export function fail(what) {
  console.log(`FAILED ${kind}: ${what}`);
  failedCount++;
}

export function expect(isSo, what) {
  if (!isSo) fail(what);
}

/**
 * Runs some checks. What they throw does not hide what other checks find. With ONLY=TEXT in the
 * environment, only those with that in their name are run; with TIMES=1, it says how long it took.
 */
export async function step(name, check) {
  if (!name.includes(process.env.ONLY ?? '')) return;
  const start = Date.now();
  await check().catch((error) => fail(`${name}: ${error.stack}`));
  if (process.env.TIMES) console.log(`${kind}: ${name}: ${Date.now() - start} ms`);
}

/* Browsers --------------------------------------------------------------------------------- */

/** Calls use(browser), and takes the browser down again, whatever happens. */
export async function withBrowser(name, executable, use) {
  kind = name;
  await launch(name === 'firefox' ? 'firefox' : 'chrome', executable, use);
}

/* Waiting ---------------------------------------------------------------------------------- */

/** Waits until something is so in the page; if it never is, that is a failure. */
export async function until(page, isSo, what, ...args) {
  await page
    .waitForFunction(isSo, { polling: 20 }, ...args)
    .catch((error) => fail(`${what} (${error.message})`));
}

/** Waits until the page shows a view, whose address matches a pattern. */
export function becomes(page, pattern, what) {
  return until(
    page,
    (source) => {
      const { shown } = document.documentElement.dataset;
      return shown === window.location.hash && new RegExp(source).test(shown);
    },
    what,
    pattern.source
  );
}

/** Shows the view that has an address. */
export async function show(page, hash) {
  await page.evaluate((wanted) => {
    window.location.hash = wanted;
  }, hash);
  await page.waitForFunction(
    () => document.documentElement.dataset.shown === window.location.hash,
    { polling: 'mutation' }
  );
}

/** Presses a key that should do nothing: the page has seen it then. */
export async function pressInVain(page, key) {
  await page.evaluate(() => {
    window.wasKeySeenForTest = false;
    window.addEventListener(
      'keyup',
      () => {
        window.wasKeySeenForTest = true;
      },
      { once: true, capture: true }
    );
  });
  await page.keyboard.press(key);
  await until(page, () => window.wasKeySeenForTest, `the page does not see the key ${key}`);
}

/** Waits until colours have faded. */
export const fade = (page) =>
  page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))
  );
