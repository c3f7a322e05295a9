// picture.mjs SUPPROF FIXTURES WORK BROWSER [EXECUTABLE]
//
// README's picture is what a report shows now: the text of its page is that of pictures/report.txt,
// which begins with the hash of the picture that was taken with it. BLESS=1 takes both anew, in
// Chromium; then look at the picture, and read the difference of the text.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, failedCount, step, withBrowser } from './checks.mjs';
import { openReport, runner } from './reports.mjs';

const [supprof, fixtures, work, kind, executable] = process.argv.slice(2);
const picture = path.join(fixtures, 'pictures/report.png'),
  golden = path.join(fixtures, 'pictures/report.txt');
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

async function checkPicture(browser) {
  const said = [];
  const sources = path.join(fixtures, 'sources');
  const log = path.join(fixtures, 'recorded-spikes.log.gz');
  const { page } = await openReport(
    browser,
    runner(supprof),
    log,
    work,
    said,
    '--lua-root',
    sources
  );
  await page.setViewport({ width: 1200, height: 760 });
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  if (process.env.BLESS === '1') await page.screenshot({ path: picture });
  const text = await page.evaluate(() => document.body.innerText);
  const found = `report.png ${hashOf(fs.readFileSync(picture))}\n${text.trimEnd()}\n`;
  if (process.env.BLESS === '1') fs.writeFileSync(golden, found);
  const lines = found.split('\n'),
    wanted = fs.readFileSync(golden, 'utf8').split('\n');
  const at = lines.findIndex((line, i) => line !== wanted[i]);
  expect(
    at < 0 && lines.length === wanted.length,
    `README's picture shows what a report no longer does, repaired by BLESS=1; the first line ` +
      `that differs is\n${lines[at] ?? ''}\nand was\n${wanted[at < 0 ? lines.length : at] ?? ''}`
  );
  expect(said.length === 0, said.join('\n'));
}

await withBrowser(kind, executable, (browser) => step('picture', () => checkPicture(browser)));
process.exit(failedCount > 0 ? 1 : 0);
