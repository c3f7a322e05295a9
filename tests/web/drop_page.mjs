// drop_page.mjs SUPPROF FIXTURES WORK BROWSER EXECUTABLE PAGE
//
// Uses supprof.html as a reader does, in a browser (chromium or firefox), from file://: logs are
// chosen and dropped, reports open, and what is saved must have the bytes that the program writes.
// Checked on the way:
//
// - two logs are compared, the older one is the old one, and they can be swapped; of several, a
//   table has the sides;
// - options apply, and the program's messages about them are beside them;
// - damaged and hostile logs, folders and pictures leave a message and a page that still works; so
//   do a worker that runs out of memory, and a run that is cancelled;
// - links and Back; old browsers; no JavaScript; axe-core;
// - nothing is loaded, and what tries to connect is stopped.
//
// The checks are in drop_*.mjs, by subject.
import fs from 'node:fs';
import { expect, fail, failedCount, step, withBrowser } from './checks.mjs';
import { checkAxe, checkOld } from './drop_browsers.mjs';
import { checkConnections } from './drop_connections.mjs';
import { checkCancel, checkHostile } from './drop_hostile.mjs';
import {
  checkComparison,
  checkDrop,
  checkFixtures,
  checkSavedView,
  checkSeveral,
} from './drop_logs.mjs';
import { checkOptions } from './drop_options.mjs';
import {
  compared,
  executable,
  fixtures,
  isChromium,
  kind,
  openPage,
  pageFile,
  said,
} from './drop_saved.mjs';
import { checkRealDownload, checkSecondLog, checkViews } from './drop_views.mjs';

process.chdir(fixtures);
await withBrowser(kind, executable, async (browser) => {
  const { size } = fs.statSync(pageFile);
  expect(size <= 1e6, `the page has ${size} bytes`);
  const page = await openPage(browser);
  for (const check of [
    checkFixtures,
    checkSavedView,
    checkComparison,
    checkSeveral,
    checkOptions,
    checkHostile,
  ])
    await step(check.name, () => check(page));
  await page.close();
  const checks = [
    checkCancel,
    checkDrop,
    checkViews,
    checkSecondLog,
    checkConnections,
    checkOld,
    ...(isChromium ? [checkRealDownload, checkAxe] : []),
  ];
  for (const check of checks) await step(check.name, () => check(browser));
});
for (const what of said) fail(what);
console.log(`${kind}: ${compared.outputs} outputs of supprof.html compared, ${failedCount} failed`);
process.exitCode = failedCount > 0 || compared.outputs < 40 ? 1 : 0;
