// axe.mjs EXECUTABLE PAGE...: looks with axe-core at all that each report shows, light and dark,
// wide and narrow.
// CONSUMERS_NPM and WEB_NPM are where the packages are.
import fs from 'node:fs';
import path from 'node:path';
import { fade, fail, failedCount, newPage, show, step, withBrowser } from './checks.mjs';
import { functionAddresses } from './reports.mjs';

const [executable, ...pages] = process.argv.slice(2);
const axe = fs.readFileSync(
  path.join(process.env.WEB_NPM, 'node_modules/axe-core/axe.min.js'),
  'utf8'
);
let looked = 0;

async function check(browser, file, scheme, width) {
  const page = await newPage(browser);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForSelector('html[data-ready]');
  await page.evaluate(axe);
  const names = await page.$$eval('nav a', (links) =>
    links.map((link) => link.getAttribute('href'))
  );
  const hashes = [...names, '#/nothing'];
  if (names.includes('#/ticks')) hashes.push('#/ticks?tick=0');
  if (names.includes('#/functions')) {
    const [first, second] = await functionAddresses(page);
    hashes.push(first, '#/functions?chip=only~pattern~a');
    if (second) hashes.push(`${first},${second.replace('#/path/', '')}`);
  }
  if (names.includes('#/files')) {
    await show(page, '#/files');
    hashes.push(await page.$eval('#page tbody a', (link) => link.getAttribute('href')));
  }
  for (const hash of hashes) {
    await show(page, hash);
    await fade(page);
    const { violations } = await page.evaluate(() =>
      window.axe.run({ rules: { 'target-size': { enabled: true } } })
    );
    looked++;
    for (const { id, nodes } of violations)
      fail(
        `${path.basename(file)} ${hash}, ${scheme}, ${width} px: ${id}: ` +
          `${nodes[0].html.slice(0, 200)}: ${nodes[0].failureSummary}`
      );
  }
  await page.close();
}

await withBrowser('chromium', executable, async (browser) => {
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 800],
    ['light', 390],
  ])
    for (const file of pages)
      await step(`${path.basename(file)}, ${scheme}`, () => check(browser, file, scheme, width));
});
console.log(`axe: ${looked} pages looked at, ${failedCount} failed`);
process.exitCode = failedCount > 0 || looked < 10 ? 1 : 0;
