// axe.mjs EXECUTABLE PAGE...: looks with axe-core at all that each report shows, light and dark.
// CONSUMERS_NPM and WEB_NPM are where the packages are.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [executable, ...pages] = process.argv.slice(2);
const puppeteer = createRequire(path.join(process.env.CONSUMERS_NPM, 'package.json'))('puppeteer-core');
const axe = fs.readFileSync(path.join(process.env.WEB_NPM, 'node_modules/axe-core/axe.min.js'), 'utf8');
const browser = await puppeteer.launch({ executablePath: executable, headless: true, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
let looked = 0, found = 0;

for (const scheme of ['light', 'dark']) {
  for (const file of pages) {
    const page = await browser.newPage();
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(`file://${path.resolve(file)}`);
    await page.waitForSelector('html[data-ready]');
    await page.evaluate(axe);
    const names = await page.$$eval('nav a', (links) => links.map((link) => link.getAttribute('href')));
    const inFile = await page.evaluate(() => new Promise((resolve) => {
      window.addEventListener('hashchange', () => setTimeout(() => resolve(document.querySelector('#page tbody a')?.getAttribute('href') ?? '')), { once: true });
      window.location.hash = '#/files';
    }));
    for (const hash of [...names, '#/path/0', '#/path/0,1', '#/ticks?tick=0', '#/functions?chip=only~pattern~a', inFile]) {
      await page.evaluate((wanted) => new Promise((resolve) => {
        if (window.location.hash === wanted) return resolve();
        window.addEventListener('hashchange', () => setTimeout(resolve, 100), { once: true });
        window.location.hash = wanted;
      }), hash);
      const { violations } = await page.evaluate(() => window.axe.run());
      looked++;
      for (const { id, nodes } of violations) {
        found++;
        console.log(`FAILED ${path.basename(file)} ${hash}, ${scheme}: ${id}: ${nodes[0].html.slice(0, 200)}: ${nodes[0].failureSummary}`);
      }
    }
    await page.close();
  }
}
await browser.close();
console.log(`axe: ${looked} pages looked at, ${found} failed`);
process.exitCode = found > 0 || looked < 10 ? 1 : 0;
