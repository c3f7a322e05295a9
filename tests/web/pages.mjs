// pages.mjs SUPPROF FIXTURES WORK BROWSER [EXECUTABLE]
//
// Opens HTML reports in a browser (chromium or firefox) and compares every figure of every
// function with what `supprof -f csv` says: of each fixture, and after each kind of filter, of
// thread and of both, with supprof's own options. Checked on the way:
//
// - every page opens by its address, with nothing in the console and nothing loaded;
// - Back and a reload keep the view; the keyboard reaches search, pages and menus;
// - names from a log do nothing;
// - without JavaScript the first functions are there.
import fs from 'node:fs';
import path from 'node:path';
import {
  becomes,
  expect,
  fail,
  failedCount,
  newPage,
  show,
  step,
  until,
  withBrowser,
} from './checks.mjs';
import { formatTime } from '../../src/report/pages/html/report_format.js';
import {
  chip,
  functionAddresses,
  openReport,
  plainCell,
  quote,
  readCsv,
  runner,
} from './reports.mjs';

const [supprof, fixtures, work, kind, executable] = process.argv.slice(2);
const run = runner(supprof);
const openPage = (browser, log, said, ...more) =>
  openReport(browser, run, path.join(fixtures, log), work, said, ...more);
let compared = 0;

/* What supprof says ------------------------------------------------------------------------ */

const ns = (us) => (us === '' ? '-1' : us.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1'));

// A line for each function: name, calls, self, total, longest call, errors, heap.
function tableOfCsv(text, hasLongest = true) {
  return readCsv(text)
    .map((row) =>
      [
        plainCell(row.function),
        row.calls,
        ns(row.self_us),
        ns(row.total_us),
        hasLongest ? ns(row.max_us) : '-1',
        row.errors || '0',
        row.alloc_kb || '0',
      ].join('\t')
    )
    .sort();
}

/* What the page says ----------------------------------------------------------------------- */

async function readRows() {
  document.querySelector('.show-all')?.click();
  while (document.querySelector('[data-growing]')) await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll('#page tbody tr')]
    .map((row) => {
      const of = Object.fromEntries(
        [...row.querySelectorAll('td[data-key]')].map(({ dataset }) => [dataset.key, dataset.value])
      );
      return [
        row.querySelector('.name').textContent,
        of.calls,
        of.self,
        of.total,
        of.longest ?? '-1',
        of.errors ?? '0',
        of.heap ?? '0',
      ].join('\t');
    })
    .sort();
}

async function compare(page, query, log, options, hasLongest = true) {
  let text = '';
  try {
    text = run('-f', 'csv', ...options, path.join(fixtures, log));
  } catch (error) {
    if (error.status !== 3) throw error;
    text = 'function,calls,self_us,total_us,max_us,errors,alloc_kb\n';
  }
  await show(page, `#/functions${query ? `?${query}` : ''}`);
  const found = await page.evaluate(readRows),
    wanted = tableOfCsv(text, hasLongest);
  // What filters leave without anything of its own is no row of supprof's, which knows no such
  // stack.
  const problem = await page.evaluate(() => document.querySelector('.problem')?.textContent ?? '');
  const at = wanted.findIndex((line, i) => line !== found[i]);
  compared += wanted.length;
  if (problem !== '') fail(`${log} ${options.join(' ')}: ${problem}`);
  else if (wanted.length !== found.length)
    fail(`${log} ${options.join(' ')}: ${found.length} functions, not ${wanted.length}`);
  else if (at >= 0) fail(`${log} ${options.join(' ')}: ${found[at]}, not ${wanted[at]}`);
}

/* Pages ------------------------------------------------------------------------------------ */

const options = { only: '--focus', without: '--ignore', hide: '--hide', from: '--show-from' };

async function checkPages(page, log) {
  const names = await page.$$eval('nav a', (links) =>
    links.map((link) => link.getAttribute('href'))
  );
  expect(names.length >= 5, `${log}: there are only ${names.length} pages`);
  const [first, second = first] = await functionAddresses(page);
  for (const name of [
    ...names,
    first,
    `${first},${second.replace('#/path/', '')}`,
    '#/nothing',
    '#/path/99999',
    '#/path/0.5',
    '#/functions?metric=toString&thread=x&chip=toString~function~x',
    '#/ticks?tick=38&over=x',
    '#/flame?zoom=1&find=a',
  ]) {
    await show(page, name);
    expect(
      (await page.$eval('#page', (element) => element.childElementCount)) > 0,
      `${log}: ${name} is empty`
    );
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth
    );
    expect(wide <= 0, `${log}: ${name} is ${wide} pixels too wide`);
  }
}

const textOf = (page) => page.$eval('#page', (element) => element.textContent);

// A filter or a search without a match says so, and what leads to the notes leads there.
async function checkNothing(page) {
  for (const name of ['overview', 'functions', 'flame', 'files']) {
    await show(page, `#/${name}?${chip('only', 'pattern', 'zzzz')}`);
    expect(
      (await page.$eval('.unmatched', (element) => element.textContent)).startsWith(
        "'zzzz' matches no function"
      ),
      `${name}: a filter without a match does not say so`
    );
    expect(
      (await textOf(page)).startsWith('The choice above leaves nothing') &&
        (await page.$('h2')) === null,
      `${name} has headings of nothing`
    );
  }
  await page.click('.unmatched a');
  await becomes(page, /^(?!.*chip=)/, 'a filter without a match cannot be removed');
  await show(page, '#/functions?find=zzzz');
  expect(
    (await textOf(page)).includes("'zzzz' is in no name"),
    'a search without a match does not say so'
  );
}

// A zoom is a step of Back, and a chosen pattern is one.
async function checkSteps(page) {
  await show(page, '#/overview');
  await show(page, '#/flame');
  await page.focus('.flame canvas');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await becomes(page, /zoom=/, 'a zoom is not in the address');
  await page.goBack();
  await becomes(page, /^#\/flame$/, 'Back after a zoom leaves the flame graph');
  await page.click('.adder');
  await page.type('.add input', '((');
  await page.click('.add button');
  await until(
    page,
    () => document.querySelector('.add input').validationMessage !== '',
    'an invalid pattern has no message'
  );
  expect(
    await page.evaluate(
      () => document.querySelector('.choice .remove') === null && window.location.hash === '#/flame'
    ),
    'an invalid pattern is a filter'
  );
}

// The functions that one calls, and its own time, are all of its time.
async function checkSelf(page) {
  await show(page, '#/functions?sort=total');
  const all = await page.$$eval('#page tbody .name', (links) =>
    links.map((link) => link.getAttribute('href'))
  );
  let seen = 0;
  for (const link of all.slice(0, 6)) {
    await show(page, link);
    const [total, edges] = await page.evaluate(() => [
      Number(document.querySelector('.facts [data-key=total]').dataset.value),
      [...document.querySelectorAll('[aria-label=Callees] tbody tr')].map((row) => ({
        total: Number(row.querySelector('[data-key=total]').dataset.value),
        bar: row.querySelector('i').style.width,
      })),
    ]);
    if (edges.length === 0 || (await textOf(page)).includes('more than once')) continue;
    seen++;
    expect(
      edges.reduce((sum, edge) => sum + edge.total, 0) === total,
      `${link}: callees and the function itself are not its time`
    );
    expect(
      edges.every(
        (edge) =>
          Math.abs(Number.parseFloat(edge.bar) - (100 * Math.max(0, edge.total)) / total) < 0.1
      ),
      `${link}: bars are not parts of the function`
    );
  }
  expect(seen > 0, 'no function has callees');
}

async function checkHistory(page) {
  const read = () => page.evaluate(() => document.getElementById('page').textContent);
  await show(page, '#/functions?sort=calls');
  const byCalls = await read();
  await show(page, '#/functions?sort=total');
  const byTotal = await read();
  expect(byCalls !== byTotal, 'sorting changes nothing');
  await page.goBack();
  await until(
    page,
    (text) => document.getElementById('page').textContent === text,
    'Back does not bring the view back',
    byCalls
  );
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  expect((await read()) === byCalls, 'a reload loses the view');
}

async function checkKeyboard(page) {
  await show(page, '#/overview');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.press('/');
  await until(page, () => document.activeElement.id === 'search', '/ does not go to the search');
  await page.keyboard.type('a');
  await page.keyboard.press('Enter');
  await becomes(page, /^#\/path\/./, 'the search opens nothing');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.press('1');
  await becomes(page, /^#\/overview/, '1 is not the first page');
  const isFocused = (at) =>
    document.activeElement === document.querySelectorAll('.menu button')[at];
  const stops = await page.$$eval('#page tbody tr', (rows) =>
    rows.map(
      (row) => [...row.querySelectorAll('a, button')].filter((one) => one.tabIndex >= 0).length
    )
  );
  expect(
    stops.every((count) => count <= 1) && stops.includes(1),
    `rows have ${stops} stops of the key Tab`
  );
  await page.$eval('a.name', (link) => link.focus());
  await page.keyboard.press('m');
  await until(page, isFocused, 'the menu has no focus', 0);
  await page.keyboard.press('Escape');
  await until(
    page,
    () => document.querySelector('.menu') === null,
    'Escape does not close the menu'
  );
  await until(
    page,
    () => document.activeElement.className === 'name',
    'the focus is lost with the menu'
  );
  await page.keyboard.press('m');
  await until(page, isFocused, 'the menu does not open again', 0);
  await page.keyboard.press('ArrowDown');
  await until(page, isFocused, 'an arrow does not go down in the menu', 1);
  await page.keyboard.press('Enter');
  await becomes(page, /chip=/, 'the menu makes no filter');
  expect((await page.$('.chip .remove')) !== null, 'the filter of the menu is not shown');
  await show(page, '#/flame');
  await page.evaluate(() => document.querySelector('.flame canvas').focus());
  await page.keyboard.press('ArrowDown');
  await until(
    page,
    () => document.querySelector('.flame-status').textContent.length > 3,
    'the flame graph does not say where one is'
  );
}

async function checkStatic(browser, file) {
  const page = await newPage(browser);
  await page.setJavaScriptEnabled(false);
  await page.goto(`file://${file}`);
  const html = fs.readFileSync(file, 'utf8');
  expect(
    /<p id="sentences">.*<b>/.test(html) && html.includes('<th scope="row">'),
    'without JavaScript there is nothing'
  );
  expect(html.length < 205000, `a page with hardly any data has ${html.length} bytes`);
  const text = await page.$eval('#page', (element) => element.textContent).catch(() => null);
  expect(
    text === null || text.includes('Functions by self time'),
    'without JavaScript there is no table'
  );
  await page.close();
}

// A page that may not be as large folds what is small, says so, and keeps all of the time.
async function checkSize(browser, said) {
  const log = 'small-float.log.gz',
    bytes = 210000;
  const { page, file } = await openPage(browser, log, said, `--max-size=${bytes / 1e6}`);
  const { size } = fs.statSync(file);
  expect(size <= bytes && size > 0.8 * bytes, `a page of at most ${bytes} bytes has ${size}`);
  await show(page, '#/functions');
  const sum = (await page.evaluate(readRows)).reduce(
    (all, row) => all + BigInt(row.split('\t')[2]),
    0n
  );
  const wanted = tableOfCsv(run('-f', 'csv', path.join(fixtures, log))).reduce(
    (all, row) => all + BigInt(row.split('\t')[2]),
    0n
  );
  expect(sum === wanted, `a small page has ${sum} ns, not ${wanted}`);
  const marked = await page.$$eval('tbody .mark', (all) =>
    all.map((mark) => mark.textContent + mark.closest('tr').querySelector('.name').textContent)
  );
  expect(
    marked.includes('!pcall') && !marked.includes('!Rnd'),
    `the functions with wrong callers are not marked: ${marked}`
  );
  await show(page, '#/about');
  expect(
    (await page.$eval('#page', (element) => element.textContent)).includes(
      'were folded into their callers'
    ),
    'a small page does not say so'
  );
  await page.close();
}

// Chosen ticks: rows of them, slow ones, and both with filters and threads.
async function checkTicks(browser, said) {
  const logs =
    kind === 'firefox'
      ? ['recorded-spikes.log.gz']
      : fs.readdirSync(fixtures).filter((name) => /^recorded-.*\.log\.gz$/.test(name));
  for (const log of logs) {
    const { page } = await openPage(browser, log, said);
    const ticks = readCsv(run('-f', 'ticks-csv', path.join(fixtures, log))).map((row) =>
      Number(row.tick)
    );
    const first = ticks[0],
      last = ticks.at(-1),
      third = Math.floor((last - first) / 3);
    for (const [from, to] of [
      [first, last],
      [first, first],
      [last, last],
      [first + third, last - third],
      [first + third, first + third],
      [last + 1, last + 9],
    ])
      await compare(
        page,
        `ticks=${from}-${to}`,
        log,
        ['--from', `#${from}`, '--to', `#${to + 1}`],
        false
      );
    const some = `ticks=${first + third}-${last}`,
      window = ['--from', `#${first + third}`];
    await compare(
      page,
      `${some}&${chip('hide', 'pattern', 'e')}`,
      log,
      [...window, '--hide=e'],
      false
    );
    await compare(
      page,
      `${some}&${chip('only', 'pattern', '^[A-M]')}`,
      log,
      [...window, '--focus=^[A-M]'],
      false
    );
    for (const thread of await page.$$eval('#thread option', (all) =>
      all.map(({ value }) => value).filter((value) => value !== 'all')
    ))
      await compare(
        page,
        `${some}&thread=${thread}`,
        log,
        [...window, `--thread=${thread}`],
        false
      );
    for (const over of [0.2, 4, 100])
      await compare(page, `ticks=over${over}`, log, ['--ticks-over', String(over)], false);
    await page.close();
  }
  const { page } = await openPage(browser, 'recorded-spikes.log.gz', said);
  await checkPages(page, 'recorded-spikes.log.gz');
  await show(page, '#/ticks?tick=38');
  const slowest = await page.$$eval('h2', (all) => all.map((heading) => heading.textContent));
  expect(
    slowest.some((text) => text.startsWith('Tick #38')),
    `tick=38 opens ${slowest}`
  );
  await show(page, '#/ticks');
  expect(
    (await page.$$('[aria-label="The slowest ticks"] tbody tr')).length === 10,
    'the list of slow ticks has not 10'
  );
  await show(page, '#/functions');
  const names = await page.$$eval('tbody tr .name', (all) => all.map((name) => name.textContent));
  expect(
    names.length > 10 && !names.some((name) => /^\(profiler\)$|^calibrate$/.test(name)),
    `the recorder is a row: ${names}`
  );
  await show(page, '#/ticks');
  const box = await (await page.$('.strip')).boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.up();
  await becomes(page, /ticks=\d+-\d+/, 'a drag chooses no ticks');
  const [most] = await functionAddresses(page);
  await show(page, `#/ticks?ticks=60-120`);
  for (const name of ['overview', 'functions', 'flame', 'files', most.slice(2)]) {
    if (name.startsWith('path')) await show(page, `#/${name}?ticks=60-120`);
    await page.click(name.startsWith('path') ? 'nav a' : `nav a[href^="#/${name}"]`);
    await becomes(
      page,
      new RegExp(`^#/${name.startsWith('path') ? 'overview' : name}.*ticks=`),
      `${name} loses the chosen ticks`
    );
  }
  await page.click('[aria-label="Remove: choice of ticks"]');
  await becomes(page, /^(?!.*ticks=)/, 'the choice of ticks cannot be removed');
  await page.close();
}

// The wakes of a tick in their order (order.mjs compares their data), and the notes that --threads
// has.
async function checkWakes(browser, said) {
  const log = 'recorded-spikes.log.gz',
    { page } = await openPage(browser, log, said),
    file = path.join(fixtures, log);
  await show(page, '#/flame');
  await page.click('a[href*="order=time"]');
  await becomes(page, /ticks=(\d+)-\1&order=time/, 'the order of time is of no tick');
  await show(page, '#/ticks?tick=38');
  await page.click('a[href*="order=time"]');
  await becomes(page, /ticks=38-38&order=time/, 'a tick does not lead to its wakes');
  // What the recorder calls itself is one frame.
  const calls = readCsv(run('-f', 'csv', '--from=#38', '--to=#39', file))
    .filter((row) => row.function !== '(profiler)')
    .reduce((sum, row) => sum + Number(row.calls), 0);
  const lead = await page.$eval('#page .lead', (element) => element.textContent);
  expect(
    lead.endsWith(`${calls.toLocaleString('en')} calls in order of time.`),
    `tick 38 has ${calls} calls, but the page says: ${lead}`
  );
  const { page: slow } = await openPage(browser, 'game/zoo.log.gz', said);
  await show(slow, '#/flame?ticks=101-101&order=time');
  const cut = await slow.$eval('#page .lead', (element) => element.textContent);
  expect(
    /413 calls in order of time; of the engine between threads, 213\.8 ms are cut out\.$/.test(cut),
    `of a tick in which the engine ran for 215 ms, the page says: ${cut}`
  );
  await slow.close();
  await page.focus('.flame canvas');
  await page.keyboard.press('ArrowDown');
  const frame = await page.$eval('.flame-status', (element) => element.textContent);
  expect(/: total .* of all/.test(frame), `of a frame in order of time, the page says '${frame}'`);
  const rows = await page.$$eval('[aria-label=Wakes] tbody tr', (all) =>
    all.map((row) => [
      row.querySelector('.name').textContent,
      Number(row.querySelector('[data-key=self]').dataset.value),
      Number(row.querySelector('[data-key=calls]').dataset.value),
    ])
  );
  const wanted = readCsv(run('--threads', '-f', 'csv', '--from=#38', '--to=#39', file)),
    sums = {};
  for (const [name] of rows) sums[name] = (sums[name] ?? 0) + 1;
  expect(
    rows.length > 0 &&
      JSON.stringify(Object.entries(sums).sort()) ===
        JSON.stringify(wanted.map((row) => [row.function, Number(row.wakes)]).sort()),
    `tick 38 has the wakes ${JSON.stringify(sums)}, not ${JSON.stringify(wanted)}`
  );
  compared += wanted.length;
  await show(page, '#/threads');
  const notes = run('--threads', file)
      .replace(/\n {2,}/g, ' ')
      .split('\n')
      .filter((line) => line.startsWith('Note: '))
      .map((line) => `${line[6].toUpperCase()}${line.slice(7)}.`),
    text = await textOf(page);
  expect(
    notes.length > 0 && notes.every((note) => text.includes(note)),
    `the page of threads lacks a note: ${notes}`
  );
  const longest = await page.evaluate(
    () => document.querySelectorAll('[aria-label=Threads] tbody a.name').length
  );
  expect(longest > 0, 'there are no threads');
  const periods = await page.$$eval('[aria-label=Threads] tbody tr', (all) =>
    all.map((row) =>
      ['.name', '[data-key=period_ticks]']
        .map((one) => row.querySelector(one).textContent)
        .join(' ')
    )
  );
  // fixtures/README.md: one thread sleeps 37 ticks, one 5, and the others from 2 to 5.
  expect(
    ['ThreatMapThread 37', 'EngineerManagerThread 5'].every((one) => periods.includes(one)),
    `threads wake: ${periods}`
  );
  await show(page, '#/functions');
  await page.click('tbody tr:has(.name[title^=BuildThreatMap]) .name');
  await becomes(page, /path/, 'a function does not open');
  await page.click('.facts [data-key=longest] a');
  await becomes(
    page,
    /^#\/ticks.*tick=38/,
    'the longest call of BuildThreatMap was not in tick 38'
  );
  await page.close();
}

// How long calls took: the figures of the format json, and the rows of --peek; of both logs of a
// comparison. Where a recording is not shown as a whole, nothing is said.
async function checkDurations(browser, said) {
  const [log, old] = ['recorded-spikes.log.gz', 'recorded-coroutines.log.gz'].map((name) =>
    path.join(fixtures, name)
  );
  const known = (file) =>
    new Map(
      JSON.parse(run('-f', 'json', file))
        .functions.filter(({ durations }) => durations)
        .map((one) => [one.label, one])
    );
  const words = ({ min_ns: shortest, durations, mean_ns: mean, max_ns: longest }) =>
    Object.entries({ shortest, median: durations.median_ns, mean, longest })
      .map(([key, ns]) => `${key} ${formatTime(ns)}`)
      .join(', ');
  const inRow = ({ durations }, from, to) =>
    durations.steps.reduce((sum, [ns, calls]) => sum + (ns >= from && ns < to ? calls : 0), 0);
  const borders = new Map(
    [0, ...Array.from({ length: 50 }, (_, i) => 2 ** i)].map((ns) => [formatTime(ns), ns])
  );
  const read = () => ({
    text: [...document.querySelectorAll('h2')]
      .find((heading) => heading.firstChild.textContent === 'How long a call took')
      ?.querySelector('small').textContent,
    rows: [...document.querySelectorAll('.durations tbody tr')].map((row) => [
      ...[...row.querySelectorAll('[data-key=calls]')].map(({ dataset }) => Number(dataset.value)),
      row.querySelector('th').textContent,
    ]),
  });
  const rowsOfPeek = (label, file) =>
    run(`--peek=^${quote(label)}$`, '--unit=ns', file)
      .split('\n')
      .map((line) => /^ *([\d,]+) - +([\d,]+) +([\d,]+)(  #+)?$/.exec(line))
      .filter(Boolean)
      .map((found) => found.slice(1, 4).map((text) => Number(text.replaceAll(',', ''))));
  const inPage = ([from, to, ...calls]) => [...calls, `${formatTime(from)} to ${formatTime(to)}`];
  const [now, before] = [known(log), known(old)];
  for (const sides of [[now], [now, before]]) {
    const { page } = await openReport(
      browser,
      run,
      log,
      work,
      said,
      ...(sides.length > 1 ? [`--diff=${old}`] : ['--verbose'])
    );
    const addresses = await functionAddresses(page),
      labels = await page.$$eval('#page tbody a.name', (links) => links.map(({ title }) => title));
    let seen = 0;
    for (const [i, label] of labels.entries()) {
      const of = sides.map((side) => side.get(label));
      await show(page, addresses[i]);
      const found = await page.evaluate(read);
      // A nameless function of one log can be another one in the other.
      if (sides.length > 1 && (/^\?/.test(label) || of.includes(undefined))) continue;
      if (!of[0]) {
        expect(found.text === undefined, `${label}: the page says ${found.text}`);
        continue;
      }
      seen++;
      const wanted = sides.length === 1 ? words(of[0]) : `old ${words(of[1])}; new ${words(of[0])}`;
      expect(
        found.text.replace(/ +/g, ' ') === `with all that it calls: ${wanted}`,
        `${label}: '${found.text}', not '${wanted}'`
      );
      if (sides.length === 1) {
        const rows = rowsOfPeek(label, log).map(inPage);
        expect(
          JSON.stringify(found.rows) === JSON.stringify(rows),
          `${label}: ${JSON.stringify(found.rows)}, not ${JSON.stringify(rows)}`
        );
      } else
        for (const row of found.rows) {
          const [from, to] = row
            .at(-1)
            .split(' to ')
            .map((text) => borders.get(text));
          const calls = [of[1], of[0]].map((one) => inRow(one, from, to));
          expect(
            calls.join() === row.slice(0, 2).join() && row.length === 3,
            `${label}: ${row}, not ${calls}`
          );
        }
    }
    expect(seen >= (sides.length > 1 ? 2 : 15), `calls of only ${seen} functions have a length`);
    compared += seen;
    await show(page, `${addresses[0]}?${chip('hide', 'pattern', 'zzzz')}`);
    expect(
      (await page.evaluate(read)).text === undefined,
      'the page of a part has how long all calls took'
    );
    await page.close();
  }
}

// Ticks that were chosen by chance: the errors of sums, what the mark means, why no ticks can be
// chosen, and how long the game's ticks took, as supprof says it.
async function checkSampled(browser, said) {
  for (const log of ['sampled.log.gz', 'sampled-slow.log.gz']) {
    const file = path.join(fixtures, log),
      { page } = await openPage(browser, log, said);
    const errorsOf = (what, keys) =>
      page.evaluate(
        async (wanted, parts) => {
          document.querySelector('.show-all')?.click();
          while (document.querySelector('[data-growing]')) await new Promise(requestAnimationFrame);
          const all = Number(document.getElementById('left').dataset.value);
          return [...document.querySelectorAll(`[aria-label=${wanted}] tbody tr`)]
            .map((row) => {
              const of = (key) => row.querySelector(`[data-key="${key}"]`)?.dataset.value;
              return [
                ...parts.map((key) => of(key)),
                ...['self_error_percent', 'total_error_percent'].map((key) =>
                  ((100 * of(key)) / all).toFixed(2)
                ),
              ];
            })
            .map((row) => row.join())
            .sort();
        },
        what,
        keys
      );
    for (const [hash, what, ...more] of [
      ['#/functions', 'Functions'],
      ['#/files', 'Files', '--by=file'],
      ['#/files', 'Mods', '--by=mod'],
    ]) {
      await show(page, hash);
      const found = await errorsOf(what, ['self', 'total', 'calls']),
        wanted = readCsv(run('-f', 'csv', ...more, file))
          .map((row) =>
            [
              ns(row.self_us),
              ns(row.total_us),
              row.calls,
              row.self_error_percent,
              row.total_error_percent,
            ].join()
          )
          .sort();
      const at = wanted.findIndex((line, i) => line !== found[i]);
      compared += wanted.length;
      expect(
        wanted.length === found.length && at < 0,
        `${log}, ${what}: ${found[at]} of ${found.length}, not ${wanted[at]} of ${wanted.length}`
      );
    }
    const [{ function: name, source, line, ...first }] = readCsv(run('-f', 'csv', file));
    await show(page, `#/path/${encodeURIComponent(`${name} ${source}:${line}`)}`);
    const facts = await page.$$eval('.facts [data-key$=_error_percent]', (all) =>
      all.map((fact) => [fact.dataset.value, fact.textContent])
    );
    const whole = await page.$eval('#left', (left) => Number(left.dataset.value));
    expect(
      facts.map(([error]) => ((100 * error) / whole).toFixed(2)).join() ===
        [first.self_error_percent, first.total_error_percent].join() &&
        facts.every(([error, text]) => text === formatTime(Number(error))),
      `${log}: the page of ${name} has the errors ${facts}`
    );
    await show(page, '#/overview');
    const legend = /^(~ [^;]+?)(?=;|\n)/m.exec(run(file))[1],
      marks = await page.$eval('.marks', (element) => element.textContent),
      text = await textOf(page);
    expect(marks === legend, `${log}: the page explains '${marks}', not '${legend}'`);
    expect(
      text.includes('recorded by chance, and all sums are estimates') &&
        !text.includes('it is of a part of what was recorded'),
      `${log}: the page does not say why no ticks can be chosen`
    );
    const { statistics } = JSON.parse(run('-f', 'json', file)).ticks;
    await show(page, '#/ticks');
    const lead = await page.$eval('.lead', (element) => element.textContent);
    expect(
      /^0 of \d+ recorded ticks /.test(lead) &&
        lead.endsWith(
          `Median ${formatTime(statistics.median_ns)}; 95% of the ticks took at most ` +
            `${formatTime(statistics.percentile_95_ns)}, 99% at most ` +
            `${formatTime(statistics.percentile_99_ns)}.`
        ),
      `${log}: the page of ticks says '${lead}'`
    );
    await show(page, `#/functions?${chip('hide', 'pattern', 'Rnd')}`);
    expect(
      (await page.$('[data-key=self_error_percent]')) === null,
      `${log}: a part has the errors of the whole`
    );
    await page.close();
  }
}

// Negative times, which delins' profiler has: shares, or that there is none, are those of supprof's
// own tables, and what a call took keeps its sign.
async function checkNegative(browser, said) {
  for (const log of ['negative-self.log', 'small-float.log.gz']) {
    const { page } = await openPage(browser, log, said);
    await show(page, '#/functions');
    const found = await page.evaluate(async () => {
      document.querySelector('.show-all')?.click();
      while (document.querySelector('[data-growing]')) await new Promise(requestAnimationFrame);
      return [...document.querySelectorAll('[aria-label=Functions] tbody tr')].map((row) =>
        ['self%', 'total%', 'each']
          .map((key) => row.querySelector(`[data-key="${key}"]`).textContent)
          .map((text, i) => (i < 2 ? text : text.startsWith('−')))
          .join()
      );
    });
    const markdown = run('-f', 'md', '--top', '0', path.join(fixtures, log)),
      wanted = [...markdown.matchAll(/^\| (-?[\d.]*) \| (-?[\d.]*) \|(?:.*?\|){3} (\S+) \|/gm)].map(
        ([, self, total, each]) =>
          [
            ...[self, total].map((part) => (part === '-' ? '–' : part)),
            Number(each.replaceAll(',', '')) < 0,
          ].join()
      );
    compared += wanted.length;
    expect(
      wanted.length > 2 && wanted.sort().join('\n') === found.sort().join('\n'),
      `${log}: the page has the shares ${found.filter((row) => !wanted.includes(row)).join(' | ')}`
    );
    await page.close();
  }
}

// Where a page may not be as large, ticks within the budget share a bin, and slow ones do not.
async function checkBins(browser, said) {
  const log = 'recorded-midgame.log.gz',
    whole = path.join(work, 'whole.html');
  run('-o', whole, path.join(fixtures, log));
  const { page, file } = await openPage(
    browser,
    log,
    said,
    `--max-size=${(0.99 * fs.statSync(whole).size) / 1e6}`
  );
  expect(fs.statSync(file).size < fs.statSync(whole).size, 'bins do not make the page smaller');
  await show(page, '#/functions?ticks=45-45');
  expect(
    (await page.$eval('.problem', (element) => element.textContent).catch(() => '')).includes(
      'some ticks are joined'
    ),
    'a page with bins does not say so'
  );
  const shown = await page.$$eval('.chip .amount', (all) => all[0].textContent);
  expect(/^10 of 21$/.test(shown), `a bin has ${shown} ticks`);
  await compare(page, 'ticks=40-49', log, ['--from', '#40', '--to', '#50'], false);
  await page.close();
}

// A comparison says what changed, and what it cannot tell.
async function checkComparison(browser, said) {
  const { page } = await openPage(
    browser,
    'compared-new.log',
    said,
    `--diff=${path.join(fixtures, 'compared-old.log')}`
  );
  await checkPages(page, 'a comparison');
  // Its records have no ticks, and so no cards.
  await page.click('#export');
  const entries = await page.$$eval('.menu button', (all) => all.map((one) => one.textContent));
  expect(
    entries.includes('Copy a summary for a chat') && !entries.join().includes('card'),
    `Export of a comparison has ${entries}`
  );
  await page.keyboard.press('Escape');
  await show(page, '#/overview');
  expect(
    (await textOf(page)).startsWith('10.0% less time: '),
    'a comparison does not begin with its answer'
  );
  await page.click('#page p a[href$=about]');
  await becomes(page, /^#\/about$/, 'the link to the notes leads elsewhere');
  const notes = await textOf(page);
  expect(
    notes.includes('two games differ by chance') &&
      notes.includes(': small functions look many times too slow'),
    'the page lacks notes of the terminal'
  );
  expect(
    !notes.includes('9,007,199') && !notes.includes('1 to 7'),
    'the page says what does not apply'
  );
  await show(page, '#/overview');
  await page.click('.show-all').catch(() => {});
  expect(
    (await textOf(page)).includes('two games differ by chance'),
    'a comparison does not speak of chance'
  );
  const rows = await page.$$eval('[aria-label="Functions by change"] tbody tr', (all) =>
    all
      .map((row) =>
        [
          row.querySelector('.name').textContent,
          ...['oldSelf', 'self', 'change'].map(
            (key) => row.querySelector(`[data-key=${key}]`).dataset.value
          ),
        ].join('\t')
      )
      .sort()
  );
  const wanted = readCsv(
    run(
      '-f',
      'csv',
      `--diff=${path.join(fixtures, 'compared-old.log')}`,
      path.join(fixtures, 'compared-new.log')
    )
  )
    .map((row) =>
      [row.function, ns(row.old_self_us), ns(row.new_self_us), ns(row.diff_self_us)].join('\t')
    )
    .sort();
  expect(
    rows.join('\n') === wanted.join('\n'),
    `the comparison has ${rows.join('; ')}, not ${wanted.join('; ')}`
  );
  compared += wanted.length;
  await page.close();
}

// Ticks chosen in a comparison: those of both logs, as supprof chooses them in both.
async function checkComparedTicks(browser, said) {
  const pairs = [
    ['recorded-coroutines.log.gz', 'recorded-spikes.log.gz'],
    ['recorded-spikes.log.gz', 'recorded-spikes.log.gz'],
    ['recorded-callbacks.log.gz', 'recorded-errors.log.gz'],
  ];
  const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
  for (const [log, old] of kind === 'firefox' ? pairs.slice(0, 1) : pairs) {
    const diff = `--diff=${path.join(fixtures, old)}`,
      { page } = await openPage(browser, log, said, diff);
    const ticksOf = (name) => readCsv(run('-f', 'ticks-csv', path.join(fixtures, name))),
      numbers = ticksOf(log).map((row) => Number(row.tick)),
      [first] = numbers,
      third = first + Math.floor(numbers.length / 3);
    const timesOf = (name) =>
        ticksOf(name)
          .map((row) => Number(row.time_us) / 1000)
          .sort((a, b) => a - b),
      medianOf = (name) => timesOf(name)[Math.floor(timesOf(name).length / 2)];
    const some = Math.min(medianOf(log), medianOf(old)).toFixed(3);
    const choices = [
      [`${first}-${first}`, '--from', `#${first}`, '--to', `#${first + 1}`],
      [`${third}-${numbers.at(-1)}`, '--from', `#${third}`, '--to', `#${numbers.at(-1) + 1}`],
      ['over0.01', '--ticks-over', '0.01'],
      [`over${some}`, '--ticks-over', some],
    ];
    for (const [ticks, ...window] of choices)
      for (const [more, ...options] of [
        [''],
        [`&${chip('hide', 'pattern', '^[a-f]')}`, '--hide=^[a-f]'],
      ]) {
        await show(page, `#/overview?ticks=${ticks}${more}`);
        const what = `${log} and ${old}, ticks=${ticks}${more}`;
        const rows = await page.evaluate(async () => {
          document
            .querySelector('[aria-label="Functions by change"] ~ .show-all, .show-all')
            ?.click();
          while (document.querySelector('[data-growing]')) await new Promise(requestAnimationFrame);
          return [...document.querySelectorAll('[aria-label="Functions by change"] tbody tr')]
            .map((row) =>
              [
                row.querySelector('.name').textContent,
                ...['oldSelf', 'self', 'change', 'changeTotal'].map(
                  (key) => row.querySelector(`[data-key=${key}]`).dataset.value
                ),
                row.querySelector('[data-key=calls]').textContent,
              ].join('\t')
            )
            .filter((line) => !line.startsWith('?'))
            .sort();
        });
        // Which nameless functions are the same in both logs depends on those that ran in the
        // chosen ticks.
        const wanted = readCsv(
          run('-f', 'csv', diff, ...window, ...options, path.join(fixtures, log))
        )
          .map((row) =>
            [
              plainCell(row.function),
              ns(row.old_self_us),
              ns(row.new_self_us),
              ns(row.diff_self_us),
              ns(row.diff_total_us),
              row.old_calls !== row.new_calls
                ? `${grouped(row.old_calls)} → ${grouped(row.new_calls)}`
                : row.new_calls === '0'
                  ? '–'
                  : `= ${grouped(row.new_calls)}`,
            ].join('\t')
          )
          .filter((line) => !line.startsWith('?'))
          .sort();
        compared += wanted.length;
        const at = wanted.findIndex((line, i) => line !== rows[i]);
        expect(
          rows.length > 0 && rows.length === wanted.length && at < 0,
          `${what}: ${rows.length} rows, ${rows[at]}, not ${wanted.length}, ${wanted[at]}`
        );
      }
    await show(page, `#/overview?ticks=${first}-${first + 2}`);
    expect(
      /^3 of \d+, old \d+ of \d+$/.test(
        await page.$eval('.chip .amount', (amount) => amount.textContent)
      ),
      `${log}: the chip does not count the ticks of both logs`
    );
    await page.close();
  }
  // Where the old log is scaled, its ticks are not known: the page says so.
  const { page } = await openPage(
    browser,
    pairs[0][0],
    said,
    `--diff=${path.join(fixtures, pairs[0][1])}`,
    '--normalize=tick'
  );
  await show(page, '#/overview?ticks=30-31');
  expect(
    (await textOf(page)).includes('Ticks cannot be chosen in this comparison'),
    'a scaled comparison does not say why no ticks can be chosen'
  );
  await page.close();
}

// Each kind of filter, threads, and both.
async function checkFilters(page, log) {
  await show(page, '#/functions?sort=total');
  const labels = await page.$$eval('#page tbody .name', (links) => links.map((link) => link.title));
  const picked = [
    labels[1],
    labels[Math.floor(labels.length / 3)],
    labels.find((label) => label.endsWith('[C]')) ?? labels[0],
  ];
  const file = labels.map((label) => / (\S+):\d+$/.exec(label)?.[1]).find(Boolean);
  for (const [word, option] of Object.entries(options)) {
    for (const label of picked)
      await compare(page, chip(word, 'function', label), log, [`${option}=^${quote(label)}$`]);
    if (file)
      await compare(page, chip(word, 'file', file), log, [`${option}= ${quote(file)}:\\d+$`]);
    await compare(page, chip(word, 'pattern', '^[A-F]'), log, [`${option}=^[A-F]`]);
  }
  const threads = await page.$$eval('#thread option', (all) =>
    all.map(({ value }) => value).filter((value) => value !== 'all')
  );
  if (threads.length === 0) expect(/recorded/.test(log), `${log}: threads cannot be chosen`);
  for (const thread of threads)
    await compare(page, `thread=${thread}`, log, [`--thread=${thread}`]);
  await compare(
    page,
    `${chip('hide', 'pattern', 'e')}&${chip('only', 'function', picked[0])}&thread=coroutine`,
    log,
    [
      ...(threads.length > 0 ? ['--thread=coroutine'] : []),
      '--hide=e',
      `--focus=^${quote(picked[0])}$`,
    ]
  );
  await compare(
    page,
    `${chip('from', 'function', picked[1])}&${chip('hide', 'function', picked[2])}&` +
      chip('without', 'pattern', '(?i)THREAD'),
    log,
    [`--show-from=^${quote(picked[1])}$`, `--hide=^${quote(picked[2])}$`, '--ignore=(?i)THREAD']
  );
  await show(page, `#/functions?${chip('only', 'pattern', '(')}`);
  expect((await page.$('.problem')) !== null, 'a pattern that is none has no message');
}

// A log's functions; of some logs, all pages.
async function checkLog(browser, log, few, said) {
  try {
    run('-f', 'csv', path.join(fixtures, log));
  } catch {
    return; // nothing to report
  }
  // Times that no number of JavaScript can hold to the nanosecond.
  if (['overflow.log', 'numbers.log'].includes(log)) return;
  const { page, file } = await openPage(browser, log, said);
  // Where the clock was too coarse, no call has a time.
  await compare(page, '', log, [], log !== 'coarse-clock.log');
  if (few.includes(log)) await checkPages(page, log);
  if (log === 'recursion.log' && kind !== 'firefox') await checkStatic(browser, file);
  await page.close();
}

/* All of it -------------------------------------------------------------------------------- */

const said = [];
await withBrowser(kind, executable, async (browser) => {
  const everything = fs.readdirSync(fixtures).filter((name) => /\.log(\.gz)?$/.test(name));
  const few = [
    'recursion.log',
    'hostile-names.log',
    'bad-utf8.log',
    'chunk-source.log',
    'recorded-memory.log.gz',
    'small-float.log.gz',
  ];
  for (const log of kind === 'firefox' ? few : everything)
    await step(log, () => checkLog(browser, log, few, said));

  const filtered =
    kind === 'firefox'
      ? ['recorded-coroutines.log.gz']
      : [
          'recursion.log',
          'small-float.log.gz',
          'recorded-coroutines.log.gz',
          'recorded-memory.log.gz',
        ];
  for (const log of filtered) {
    const { page } = await openPage(browser, log, said);
    await step(`filters of ${log}`, () => checkFilters(page, log));
    if (log === filtered.at(-1))
      for (const check of [checkHistory, checkNothing, checkSteps, checkSelf, checkKeyboard])
        await step(check.name, () => check(page));
    await page.close();
  }
  for (const check of [
    checkTicks,
    checkWakes,
    checkDurations,
    checkSampled,
    checkNegative,
    checkBins,
    checkSize,
    checkComparison,
    checkComparedTicks,
  ])
    await step(check.name, () => check(browser, said));
});
for (const what of said) fail(what);
console.log(`${kind}: ${compared} functions compared, ${failedCount} failed`);
process.exitCode = failedCount > 0 || compared < 100 ? 1 : 0;
