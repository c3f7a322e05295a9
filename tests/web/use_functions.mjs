// use_functions.mjs - figures of functions: the call tree, the page of a function, what-if, the
// budget, and long lists.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { becomes, expect, newPage, show, until } from './checks.mjs';
import { functionAddresses, openReport, quote, readCsv } from './reports.mjs';
import { fixtures, run, said, textOf, work } from './use_report.mjs';

// The rows of the call tree: totals are those of the whole, and inverted the self times of csv;
// keys open and close them.
export async function checkCalls(page, log) {
  const rows = () =>
    page.$$eval('.tree tbody tr', (all) =>
      all.map((row) =>
        [
          row.querySelector('.name')?.textContent,
          row.querySelector('[data-key=total]')?.dataset.value,
        ].join('\t')
      )
    );
  await show(page, '#/calls');
  const sum = (await rows()).reduce((all, row) => all + Number(row.split('\t')[1]), 0),
    all = Number(await page.$eval('#left', (element) => element.dataset.value));
  expect(sum === all, `the rows of the call tree have ${sum} ns, not ${all}`);
  await show(page, '#/calls?from=functions');
  const wanted = readCsv(run('-f', 'csv', log))
    .map((row) => `${row.function}\t${Math.round(Number(row.self_us) * 1000)}`)
    .sort()
    .join('\n');
  expect(
    (await rows()).sort().join('\n') === wanted,
    'inverted, rows do not have the self times of csv'
  );
  await show(page, '#/calls');
  await page.focus('.tree tbody tr');
  const before = (await rows()).length;
  await page.keyboard.press('ArrowRight');
  const opened = await rows();
  expect(opened.length > before, '→ opens no row');
  await page.keyboard.press('ArrowRight');
  expect(
    (await page.evaluate(() => document.activeElement.getAttribute('aria-level'))) === '2',
    '→ does not go to the first callee'
  );
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect((await rows()).length === before, '← closes no row');
  await page.keyboard.press('*');
  expect(
    Number(await page.evaluate(() => document.activeElement.getAttribute('aria-level'))) > 1,
    '* opens no path'
  );
  await page.keyboard.press('Enter');
  await becomes(page, /^#\/path\/[^,?]+,/, 'Enter opens no page');
}

// The slider of a function's page: what --what-if says in json.
export async function checkWhatIf(page, log) {
  await show(page, '#/functions?sort=self');
  const links = await page.$$eval('#page tbody .name', (names) =>
    names.slice(0, 3).map((name) => [name.title, name.getAttribute('href')])
  );
  for (const [label, link] of links) {
    await show(page, link);
    for (const [percent, isTotal] of [
      [0, false],
      [37, true],
      [37, false],
      [50, false],
      [0, true],
      [100, false],
    ]) {
      const pattern = `^${quote(label)}$`,
        change = `${isTotal ? `total(${pattern})` : pattern}*${percent / 100}`;
      const { what_if: wanted } = JSON.parse(run('-f', 'json', `--what-if=${change}`, log)).ticks;
      const found = await page.$eval(
        '#whatif',
        (slider, value, isChecked) => {
          document.querySelector('#whatif-all').checked = isChecked;
          slider.value = value;
          slider.dispatchEvent(new Event('input'));
          return Object.fromEntries(
            [...document.querySelectorAll('#whatif-then tbody tr')].map((row) => [
              row.querySelector('th').textContent,
              [...row.querySelectorAll('[data-key]')].map(({ dataset }) => Number(dataset.value)),
            ])
          );
        },
        percent,
        isTotal
      );
      const of = ({
        slow_ticks: over,
        median_ns: median,
        percentile_99_ns: most,
        longest_ns: longest,
      }) => [over, median, most, longest];
      // Each call stack is rounded in supprof, and not in the page.
      const isSame = (values, { slow_ticks: over, ...rest }) =>
        values[0] === over &&
        of({ slow_ticks: over, ...rest }).every(
          (value, i) => Math.abs(value - values[i]) <= (isTotal ? 20 : 0)
        );
      expect(
        isSame(found['as it is'], wanted.now) && isSame(found.then, wanted.changes[0]),
        `${label} at ${change}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`
      );
    }
    await page.focus('#whatif');
    await page.keyboard.press('ArrowLeft');
    await becomes(page, /whatif=99/, 'the slider is not in the address');
  }
}

// Many functions: rows come in parts, callers and callees are few at first, and a line says what it
// calls.
export async function checkMany(browser) {
  const log = path.join(work, 'many.log'),
    count = 1500;
  const line = (i) =>
    `info: prof: @c:\\games\\lua\\many.lua,${i + 10},F${i},2;` +
    `@c:\\games\\lua\\called.lua,5,Called,${i + 11};1,0.00${1000 + i},f,t`;
  fs.writeFileSync(
    log,
    `info: Starting profiler\ninfo: Stopping profiler\ninfo: Printing profiler data\n` +
      Array.from({ length: count }, (_, i) => line(i)).join('\n') +
      `\n`
  );
  const { page } = await openReport(browser, run, log, work, said);
  await show(page, '#/functions');
  const all = await page.$eval('#page p.quiet', (element) =>
    Number(element.textContent.replaceAll(',', '').match(/^\d+/)[0])
  );
  expect(all >= count, `there are only ${all} functions`);
  const atOnce = await page.evaluate(() => {
    const button = document.querySelector('.show-all'),
      before = document.querySelectorAll('#page tbody tr').length;
    button.focus();
    button.click();
    const rows = [...document.querySelectorAll('#page tbody tr')];
    window.isFocusOnNextForTest = rows[before].contains(document.activeElement);
    return rows.length;
  });
  expect(atOnce < count, `${atOnce} rows are added at once`);
  expect(
    await page.evaluate(() => window.isFocusOnNextForTest),
    'the focus is not on the first row that was hidden'
  );
  await until(
    page,
    (wanted) => document.querySelectorAll('#page tbody tr').length === wanted,
    'not all rows are shown in the end',
    all
  );
  const link = await page.$$eval('#page tbody .name', (names) =>
    names.find((name) => name.textContent === 'Called').getAttribute('href')
  );
  await show(page, link);
  const edges = await page.$$eval('#page .scroll', (tables) =>
    tables.map((table) => table.querySelectorAll('tbody tr').length)
  );
  expect(
    edges.every((rows) => rows <= 10) && edges.includes(10),
    `callers and callees have ${edges} rows`
  );
  await show(page, '#/files');
  await show(
    page,
    await page.$$eval('#page tbody .name', (names) =>
      names
        .find((name) => name.textContent.endsWith('called.lua'))
        .getAttribute('href')
        .replace('called.lua', 'many.lua')
    )
  );
  expect(
    (
      await page.$eval(
        '[aria-label="Lines that call"] tbody .callees',
        (element) => element.textContent
      )
    ).startsWith('calls Called'),
    'a line does not say what it calls'
  );
  await page.close();
}

// The page of a function: callers and callees side by side, on the first screen, then its time and
// what-if; actions name it. Ticks in which the computer was slow are said, and can be left out.
export async function checkFunction(browser) {
  const log = path.join(fixtures, 'recorded-spikes.log.gz'),
    { page, file } = await openReport(browser, run, log, work, said);
  const [address] = await functionAddresses(page);
  for (const width of [1440, 1024]) {
    await page.setViewport({ width, height: 900 });
    await show(page, '#/about');
    await show(page, address);
    const { tops, actions } = await page.evaluate(() => ({
      tops: [...document.querySelectorAll('h2')].map((heading) => [
        heading.firstChild.textContent,
        heading.getBoundingClientRect().top,
      ]),
      actions: [...document.querySelectorAll('.actions a')].map((link) => link.textContent),
    }));
    expect(
      tops
        .map(([title]) => title)
        .slice(0, 5)
        .join() === 'Callers,Callees,How long a call took,Over game time,What if it were faster?' &&
        tops[0][1] === tops[1][1] &&
        tops[0][1] < 260,
      `at ${width} pixels the page of a function has ${JSON.stringify(tops)}`
    );
    expect(
      actions.slice(0, 3).join() ===
        'Only BuildThreatMap,Without BuildThreatMap,Hide BuildThreatMap',
      `actions are ${actions}`
    );
  }
  const longest = await page.$eval('.facts [data-key=longest]', (fact) => [
    fact.querySelector('a').textContent,
    fact.querySelector('a').getAttribute('href'),
  ]);
  expect(
    /^#(\d+) .*\?tick=\1$/.test(longest.join(' ')),
    `the longest call is ${longest.join(' ')}`
  );
  await page.close();
  // In one of the four slow ticks, the computer is slow now.
  const text = fs.readFileSync(file, 'utf8'),
    packed = /id="data">([^<]*)/.exec(text)[1];
  const report = JSON.parse(zlib.inflateSync(Buffer.from(packed, 'base64')));
  report.ticks.disturbed = report.ticks.tick.map((number) => Number(number === 38));
  report.ticks.usual_ns = report.ticks.time_ns.map((time) => Math.round(time / 3));
  report.thread_notes = ['Note: x.lua:3 makes exactly 2 calls', 'Note: threads wait'];
  fs.writeFileSync(
    file,
    text.replace(packed, zlib.deflateSync(JSON.stringify(report)).toString('base64'))
  );
  const changed = await newPage(browser);
  await changed.goto(`file://${file}${address}`);
  await changed.waitForSelector('html[data-ready]');
  await show(changed, '#/ticks');
  const [time, usual] = await changed.$$eval('#page tbody td[data-key]', (cells) =>
    cells.map(({ dataset }) => Number(dataset.value))
  );
  expect(Math.abs(usual - time / 3) < 2, `a tick of ${time} ns has usual calls of ${usual}`);
  await show(changed, address);
  const slowTicks = await changed.$$eval('#whatif-then [data-key=slow]', (cells) =>
    cells.map(({ dataset }) => dataset.value).join()
  );
  expect(
    slowTicks === '3,0,0' && /1 of the 4 slow ticks count with what/.test(await textOf(changed)),
    `what-if has ${slowTicks} slow ticks`
  );
  await show(changed, '#/overview?slow=100');
  const amounts = [await textOf(changed, '.chip.slow .amount')];
  await changed.$$eval('.switch a', (links) =>
    links.find(({ textContent }) => textContent === 'on an idle computer').click()
  );
  await becomes(changed, /idle=yes/, 'ticks of a slow computer are not left out');
  amounts.push(await textOf(changed, '.chip.slow .amount'));
  expect(amounts.join() === '4 v. 197 ticks,3 v. 197 ticks', `slow and other ticks are ${amounts}`);
  // Only a word that is none of the log's gets a capital letter.
  await show(changed, '#/threads');
  const [notes] = await changed.$$eval('.findings', (lists) => lists.map((list) => list.innerText));
  expect(
    notes === 'x.lua:3 makes exactly 2 calls.\nThreads wait.',
    `notes about threads are ${notes}`
  );
  await changed.close();
}

// The ledger of the budget: each row is what --what-if says of the function, or of the mod's.
export async function checkBudget(page, log) {
  await show(page, '#/overview');
  await page.$$eval('#page a', (links) =>
    links.find(({ textContent }) => textContent === 'what the budget is spent on').click()
  );
  await becomes(page, /^#\/budget$/, 'the ledger does not open');
  const read = (caption) =>
    page.$$eval(`[aria-label="${caption}"] tbody tr`, (rows) =>
      rows.map((row) => ({
        name: row.querySelector('.name').title || row.querySelector('.name').textContent,
        values: ['slow', 'most99', 'longest', 'fewer'].map((key) =>
          Number(row.querySelector(`[data-key=${key}]`).dataset.value)
        ),
      }))
    );
  const byFunction = await read('Budget by function'),
    byMod = await read('Budget by mod');
  expect(
    byFunction.length >= 3 && byFunction[0].name.startsWith('BuildThreatMap ') && byMod.length > 1,
    `the ledger has ${JSON.stringify({ byFunction, byMod })}`
  );
  for (const { name, values } of byFunction) {
    const { now, changes } = JSON.parse(run('-f', 'json', `--what-if=^${quote(name)}$*0`, log))
      .ticks.what_if;
    const [then] = changes;
    expect(
      values.join() ===
        [
          then.slow_ticks,
          then.percentile_99_ns,
          then.longest_ns,
          now.slow_ticks - then.slow_ticks,
        ].join(),
      `without ${name}: ${values}, not ${JSON.stringify(then)}`
    );
  }
  // C functions count for the mod that calls them.
  const spikes = JSON.parse(run('-f', 'json', '--what-if=\\.lua:|\\[C\\]*0', log)).ticks.what_if
    .changes[0];
  expect(
    byMod.some(
      ({ values }) => values[0] === spikes.slow_ticks && values[1] === spikes.percentile_99_ns
    ),
    `no mod has ${JSON.stringify(spikes)}: ${JSON.stringify(byMod)}`
  );
}

// Equal rows are in the order of the screen: by their self time, then by name.
export async function checkOrder(browser) {
  const log = path.join(fixtures, 'recorded-coroutines.log.gz'),
    { page } = await openReport(browser, run, log, work, said);
  for (const [address, label, key, options] of [
    ['#/threads?threads=wakes', 'Threads', 'total_ns', ['--threads', '--sort=wakes']],
    ['#/functions?sort=calls', 'Functions', 'self', ['--sort=calls', '--top=60']],
  ]) {
    await show(page, address);
    const found = await page.$$eval(`[aria-label=${label}] tbody [data-key=${key}]`, (cells) =>
        cells.map(({ dataset }) => Number(dataset.value))
      ),
      wanted = readCsv(run('-f', 'csv', ...options, log)).map((row) =>
        Math.round(Number(row.self_us) * 1000)
      );
    expect(
      found.length > 1 && found.join() === wanted.join(),
      `${address} has ${found}, not ${wanted}`
    );
  }
  await page.close();
}
