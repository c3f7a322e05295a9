// use.mjs SUPPROF FIXTURES WORK BROWSER [EXECUTABLE]
//
// Uses HTML reports as people do: the focus stays where it was, a pattern that never ends is given
// up, what is printed is complete and light, a copy has what is shown, a finger finds a tick, long
// lists come in parts, ten tasks need no mouse (where the window has the focus: in Chromium), and
// no address breaks a page. The checks are in use_*.mjs, by subject.
import path from 'node:path';
import { fail, failedCount, step, withBrowser } from './checks.mjs';
import { openReport } from './reports.mjs';
import {
  checkAddresses,
  checkBack,
  checkBeside,
  checkLinks,
  checkPattern,
} from './use_addresses.mjs';
import { checkBoth, checkCompared, checkRepeated, checkWatches } from './use_comparisons.mjs';
import { checkCard, checkCopy, checkSave } from './use_copies.mjs';
import {
  checkBudget,
  checkCalls,
  checkFunction,
  checkMany,
  checkOrder,
  checkWhatIf,
} from './use_functions.mjs';
import {
  checkFocus,
  checkKeyboard,
  checkPlace,
  checkSearch,
  checkSourceLine,
} from './use_keys.mjs';
import {
  checkBlame,
  checkFirst,
  checkMetric,
  checkPrint,
  checkTouch,
  checkUnrecorded,
  checkWords,
} from './use_look.mjs';
import { executable, fixtures, kind, run, said, work } from './use_report.mjs';
import { checkGaps, checkGrowth, checkPlay, checkSlow } from './use_ticks.mjs';

await withBrowser(kind, executable, async (browser) => {
  const log = path.join(fixtures, 'recorded-spikes.log.gz'),
    { page } = await openReport(browser, run, log, work, said);
  for (const check of [
    checkFirst,
    checkFocus,
    checkPattern,
    checkSearch,
    checkCalls,
    checkSlow,
    checkPrint,
    checkMetric,
    checkCopy,
    checkTouch,
    checkWhatIf,
    checkPlace,
    checkAddresses,
    checkBack,
    checkBudget,
    checkGrowth,
    checkSave,
  ])
    await step(check.name, () => check(page, log));
  await page.close();
  for (const check of [
    ...(kind === 'firefox' ? [] : [checkKeyboard]),
    checkBlame,
    checkWords,
    checkSourceLine,
    checkMany,
    checkOrder,
    checkRepeated,
    checkWatches,
    checkCompared,
    checkBoth,
    checkLinks,
    checkFunction,
    checkGaps,
    checkBeside,
    checkCard,
    checkPlay,
    checkUnrecorded,
  ])
    await step(check.name, () => check(browser));
});
for (const what of said) fail(what);
console.log(`${kind}: the use of pages, ${failedCount} failed`);
process.exitCode = failedCount > 0 ? 1 : 0;
