// drop_browsers.mjs - old browsers, no JavaScript, and axe-core, of supprof.html.
import fs from 'node:fs';
import path from 'node:path';
import { expect, fade, fail, newPage, until } from './checks.mjs';
import {
  address,
  choose,
  fixture,
  isChromium,
  openPage,
  setOption,
  waitForReport,
} from './drop_saved.mjs';

export async function checkOld(browser) {
  const isOld = () => document.body.dataset.view === 'unsupported';
  const old = await openPage(browser, {
    before: () => {
      delete window.DecompressionStream;
    },
  });
  await until(old, isOld, 'an old browser is not known');
  expect(
    (await old.$eval('#unsupported', (element) => element.offsetHeight > 0)) &&
      (await old.$eval('#drop', (element) => element.offsetHeight === 0)),
    'an old browser is not told'
  );
  await old.close();
  const refused = await openPage(browser, {
    before: () => {
      WebAssembly.Module = function Refused() {
        throw new WebAssembly.CompileError('refused');
      };
    },
  });
  await until(refused, isOld, 'a browser that refuses WebAssembly is not known');
  expect(
    await refused.$eval('#unsupported', (element) => element.offsetHeight > 0),
    'a browser that refuses WebAssembly in the page is not told'
  );
  await refused.close();
  if (!isChromium) return; // Puppeteer cannot switch JavaScript off there
  const plain = await newPage(browser);
  await plain.setJavaScriptEnabled(false);
  await plain.goto(address);
  expect(
    await plain.$eval('noscript .unsupported', (element) => element.offsetHeight > 0),
    'without JavaScript nothing is said'
  );
  await plain.close();
}

export async function checkAxe(browser) {
  const axe = fs.readFileSync(
    path.join(process.env.WEB_NPM, 'node_modules/axe-core/axe.min.js'),
    'utf8'
  );
  let looked = 0;
  for (const scheme of ['light', 'dark']) {
    const page = await openPage(browser);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.evaluate(axe);
    const look = async (what) => {
      await fade(page);
      const { violations } = await page.evaluate(() => window.axe.run());
      looked++;
      for (const { id, nodes } of violations)
        fail(
          `axe: ${what}, ${scheme}: ${id}: ${nodes[0].html.slice(0, 200)}: ` +
            nodes[0].failureSummary
        );
    };
    await look('the start');
    await choose(page, fixture('empty.log'));
    await waitForReport(page, '');
    await look('a problem');
    await choose(page, fixture('recorded-spikes.log.gz'));
    await waitForReport(page, 'recorded-spikes.log.gz');
    await look('a report');
    const usual = page.viewport();
    await page.setViewport({ ...usual, width: 800 });
    await page.click('#show-bar');
    await look('the menu');
    await page.keyboard.press('Escape');
    await page.setViewport(usual);
    await page.click('#show-saving');
    await look('formats to save');
    await page.keyboard.press('Escape');
    await until(
      page,
      () => document.querySelector('#saving').hidden,
      'Escape does not close what can be saved'
    );
    await page.click('#show-options');
    await setOption(page, 'from', 'abc');
    await page.click('#options [type=submit]');
    await page.waitForSelector('.field-problem');
    await look('a problem of an option');
    await page.evaluate(() => {
      document.querySelector('#reading').hidden = false;
    });
    await look('a run');
    await page.click('#show-about');
    await page.waitForSelector('#about[open] summary', { visible: true });
    await page.click('#about summary');
    await look('about');
    await page.close();
  }
  expect(looked === 16, `axe looked at ${looked} views`);
}
