// tasks.mjs SUPPROF FIXTURES WORK BROWSER [EXECUTABLE]
//
// Ten questions that a modder has, and how many clicks lead from a report's first screen to the
// answer: at most those that are listed. What the answer is, other formats of supprof say.
import path from 'node:path';
import { expect, failedCount, show, step, until, withBrowser } from './checks.mjs';
import { openReport, readCsv, runner } from './reports.mjs';

const [supprof, fixtures, work, kind, executable] = process.argv.slice(2);
const run = runner(supprof),
  inFixtures = (name) => path.join(fixtures, name);
const spikes = inFixtures('recorded-spikes.log.gz'),
  zoo = inFixtures('game/zoo.log.gz'),
  sources = `--lua-root=${inFixtures('sources')}`;
const rowsOf = (...options) => readCsv(run('-f', 'csv', ...options));
const [slowest] = rowsOf('--ticks', spikes).sort((a, b) => b.time_us - a.time_us),
  [first] = rowsOf(spikes).sort((a, b) => b.self_us - a.self_us),
  firstName = first.function,
  [, caller] = new RegExp(`(\\w+)[^;]*;${firstName}\\b`).exec(run('-f', 'folded', spikes));
const changed = run('--diff', inFixtures('compared-old.log'), inFixtures('compared-new.log')),
  [, verdict] = /(\d+\.\d% less time)/.exec(changed);
const woken = rowsOf('--threads', zoo).sort((a, b) => b.wakes - a.wakes)[0];

/**
 * Each: the question, the most clicks, what the report is of, the clicks (a selector, and a text in
 * what it finds), and the answer: a selector, and a text in what it finds. `blob` is what was
 * saved, `clipboard` what was copied.
 */
const tasks = [
  [
    `what calls ${firstName}`,
    1,
    [spikes],
    [['#page tbody a.name', firstName]],
    ['#page table', caller],
  ],
  [
    `why tick ${slowest.tick} took long`,
    1,
    [spikes],
    [['.keys a', `#${slowest.tick}`]],
    ['#page tbody tr:first-child', firstName],
  ],
  ['what a mod costs', 1, [zoo], [['nav a', 'Files']], ['#page tbody tr:first-child', 'game']],
  [
    `which line of ${firstName} takes long`,
    1,
    [sources, spikes],
    [['#page tbody a.name', firstName]],
    ['.source code', 'GetThreatAtPosition(units[i])'],
  ],
  [
    'whether it helped',
    0,
    ['--diff', inFixtures('compared-old.log'), inFixtures('compared-new.log')],
    [],
    ['#page .first', verdict],
  ],
  [
    'what changed most',
    1,
    ['--diff', inFixtures('compared-old.log'), inFixtures('compared-new.log')],
    [['.first a', 'Open']],
    ['.path', 'OnDamage'],
  ],
  [
    `what ticks would be without ${firstName}`,
    1,
    [spikes],
    [['#page tbody a.name', firstName]],
    ['#whatif-then tr', 'if it took nothing'],
  ],
  [
    'the view in speedscope',
    2,
    [spikes],
    [
      ['#export', 'Export'],
      ['.menu button', 'speedscope'],
    ],
    ['blob', 'https://www.speedscope.app/file-format-schema.json'],
  ],
  ['a link to the view', 1, [spikes], [['button', 'Copy link']], ['clipboard', '#/overview']],
  ['what grows', 1, [spikes], [['.switch a', 'late v. early']], ['#page h2', 'late and early']],
  [
    'which thread wakes too often',
    2,
    [zoo],
    [
      ['nav a', 'Threads'],
      ['thead a', 'wakes'],
    ],
    ['#page tbody tr:first-child [data-key=wakes]', woken.wakes],
  ],
];

/** Clicks on what is found; once more where the page was drawn anew between the two. */
async function clickOn(page, of, wanted, tries = 3) {
  const found = await page.waitForFunction(
    (where, part) =>
      [...document.querySelectorAll(where)].find(
        (element) => element.textContent.includes(part) && element.getClientRects().length > 0
      ),
    {},
    of,
    wanted
  );
  const error = await found.click().catch((why) => why);
  if (error && (tries === 0 || !/detached/.test(error.message))) throw error;
  if (error) await clickOn(page, of, wanted, tries - 1);
}

async function checkTask(browser, [what, most, args, clicks, [selector, text]]) {
  const said = [],
    { page } = await openReport(browser, run, args.at(-1), work, said, ...args.slice(0, -1));
  expect(clicks.length <= most, `${what}: ${clicks.length} clicks, not ${most}`);
  await page.setViewport({ width: 1440, height: 900 });
  await page.evaluate(() => {
    window.givenForTest = {};
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      blob.text().then((saved) => (window.givenForTest.blob = saved));
      return create(blob);
    };
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (copied) => (window.givenForTest.clipboard = copied) },
    });
  });
  await show(page, '#/overview');
  for (const [of, wanted] of clicks) await clickOn(page, of, wanted);
  await until(
    page,
    (where, part) =>
      window.givenForTest[where]?.includes(part) ||
      [...document.querySelectorAll(where)].some(
        (element) => element.textContent.includes(part) && element.getClientRects().length > 0
      ),
    `${what}: after ${clicks.length} clicks there is no '${text}' in ${selector}`,
    selector,
    text
  );
  expect(said.length === 0, `${what}: ${said.join('\n')}`);
  await page.close();
}

await withBrowser(kind, executable, async (browser) => {
  for (const task of tasks) await step(task[0], () => checkTask(browser, task));
});
console.log(`${kind}: ${tasks.length} questions, ${failedCount} failed`);
process.exitCode = failedCount > 0 ? 1 : 0;
