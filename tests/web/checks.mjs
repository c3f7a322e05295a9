// checks.mjs - what the tests in a browser share: counting what failed, and waiting.
//
// A key, a click, and a new address take effect later than the call that makes them: what is read
// after them is waited for first. How long that takes is the machine's affair. A deadline is for
// what never comes.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const puppeteer = createRequire(path.join(process.env.CONSUMERS_NPM, 'package.json'))('puppeteer-core');
const patienceMs = 60000;

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

/** Runs some checks. What they throw does not hide what other checks find. */
export async function step(name, check) {
  const start = Date.now();
  await check().catch((error) => fail(`${name}: ${error.stack}`));
  if (process.env.TIMES) console.log(`${kind}: ${name}: ${Date.now() - start} ms`);
}

/* Browsers --------------------------------------------------------------------------------- */

/** Calls use(browser), and takes the browser down again, whatever happens. */
export async function withBrowser(name, executable, use) {
  kind = name;
  const isFirefox = name === 'firefox', profile = fs.mkdtempSync(path.join(os.tmpdir(), 'web-browser-'));
  let browser;
  try {
    browser = await puppeteer.launch({
      browser: isFirefox ? 'firefox' : 'chrome', executablePath: executable, userDataDir: profile, headless: true, timeout: 2 * patienceMs, protocolTimeout: 5 * patienceMs,
      args: isFirefox ? [] : ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    await use(browser);
  } finally {
    await browser?.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

export async function newPage(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}

/* Waiting ---------------------------------------------------------------------------------- */

/** Waits until something is so in the page; if it never is, that is a failure. */
export async function until(page, isSo, what, ...args) {
  await page.waitForFunction(isSo, { polling: 20 }, ...args).catch((error) => fail(`${what} (${error.message})`));
}

/** Waits until the page shows a view, whose address matches a pattern. */
export function becomes(page, pattern, what) {
  return until(page, (source) => {
    const { shown } = document.documentElement.dataset;
    return shown === window.location.hash && new RegExp(source).test(shown);
  }, what, pattern.source);
}

/** Shows the view that has an address. */
export async function show(page, hash) {
  await page.evaluate((wanted) => { window.location.hash = wanted; }, hash);
  await page.waitForFunction(() => document.documentElement.dataset.shown === window.location.hash, { polling: 'mutation' });
}

/** Presses a key that should do nothing: the page has seen it then. */
export async function pressInVain(page, key) {
  await page.evaluate(() => {
    window.wasKeySeenForTest = false;
    window.addEventListener('keyup', () => { window.wasKeySeenForTest = true; }, { once: true, capture: true });
  });
  await page.keyboard.press(key);
  await until(page, () => window.wasKeySeenForTest, `the page does not see the key ${key}`);
}

/** Waits until colours have faded. */
export const fade = (page) => page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
