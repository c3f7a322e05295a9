// use_comparisons.mjs - comparisons: of two logs, and of repeated ones.
import fs from 'node:fs';
import path from 'node:path';
import { expect, show } from './checks.mjs';
import { openReport, readCsv } from './reports.mjs';
import { fixtures, run, said, textOf, work } from './use_report.mjs';

// Repeated logs: medians, the change and its interval, and the verdict against the csv of
// --repeated.
export async function checkRepeated(browser) {
  const logs = (side) =>
      [1, 2, 3, 4, 5].map((i) => path.join(fixtures, 'repeated', `${side}-${i}.log`)),
    ns = (us) => Math.round(Number(us) * 1000);
  const more = [
      '--repeated',
      ...logs('old').flatMap((log) => ['--diff', log]),
      ...logs('new').slice(1),
    ],
    [first] = logs('new');
  const { page } = await openReport(browser, run, first, work, said, ...more);
  const found = await page.$$eval('[aria-label="Self time in each log"] tbody tr', (rows) =>
    rows
      .map((row) =>
        [
          row.querySelector('.name').textContent,
          ...['oldMedian', 'median', 'change', 'low', 'high', 'verdict'].map(
            (key) => row.querySelector(`[data-key=${key}]`).dataset.value
          ),
          row.querySelector('.dots').querySelectorAll('.dot').length,
        ].join()
      )
      .sort()
  );
  const wanted = readCsv(run('-f', 'csv', ...more, first))
    .map((row) =>
      [
        row.function,
        ns(row.old_self_us),
        ns(row.new_self_us),
        ns(row.diff_self_us),
        ...[row.diff_self_low_us, row.diff_self_high_us].map((us) => (us === '' ? 'null' : ns(us))),
        row.self_told_apart,
        10,
      ].join()
    )
    .sort();
  expect(
    wanted.length > 0 && found.join('\n') === wanted.join('\n'),
    `repeated logs have ${found.join(' | ')}, not ${wanted.join(' | ')}`
  );
  const judged = JSON.parse(run('-f', 'json', ...more, first)).judged_findings,
    items = await page.$$eval('#page .findings li', (all) => all.map((item) => item.textContent));
  expect(
    judged.length > 0 &&
      items.join() === judged.map(({ text }) => `${text.replaceAll(' us', ' µs')}.`).join(),
    `of the old findings, the page of repeated logs says ${items}`
  );
  const compared = await textOf(page, '#header .what');
  expect(compared === 'compared with old-1.log and 4 more', `the old logs are '${compared}'`);
  // The page of a function has the medians, too, and says whose means all other figures are.
  await show(page, await page.$eval('#page tbody a.name', (name) => name.getAttribute('href')));
  const own = await page.$eval('[aria-label="Its self time in each log"] tbody tr', (row) =>
    ['oldMedian', 'median', 'change'].map(
      (key) => row.querySelector(`[data-key=${key}]`).dataset.value
    )
  );
  expect(
    found.some((row) => row.includes(`,${own.join()},`)) &&
      /^means of the logs: 5 old .* → 5 new /.test(await textOf(page, '#left')),
    `a function of repeated logs has ${own} of ${await textOf(page, '#left')}`
  );
  await page.setViewport({ width: 1280, height: 900 });
  await page.waitForSelector('.list tbody');
  const ends = await page.$$eval('.list, .list tbody tr', ([list, ...rows]) =>
    [list, ...rows].map((element) => element.scrollWidth - list.clientWidth)
  );
  expect(
    ends.length > 1 && Math.max(...ends) <= 0,
    `the rows beside a function of repeated logs are ${ends} pixels wider than their list`
  );
  for (const name of ['functions', 'calls', 'flame', 'files', 'about'])
    await show(page, `#/${name}`);
  const version = /^(supprof [^ ]+)(?: \((commit [^,]+), )?/.exec(run('--version')),
    maker = version[2] ? `${version[1]} (${version[2]})` : version[1];
  expect(
    (await textOf(page, '#page')).includes(`${maker}: supprof --diff `),
    `the page About does not say that ${maker} made it`
  );
  await page.close();
  const few = ['--repeated', '--diff', logs('old')[0], '--diff', logs('old')[1]],
    { page: small } = await openReport(browser, run, first, work, said, ...few),
    heading = await small.$$eval('h2 small', (all) => all.at(-1).textContent);
  expect(
    heading.startsWith('○ 2 old logs, ● 1 new log, | median'),
    `the page of one new log says '${heading}'`
  );
  await small.close();
}

// What stands out in a comparison: how many functions changed, and bars to both sides.
export async function checkCompared(browser) {
  const { page } = await openReport(
    browser,
    run,
    path.join(fixtures, 'compared-new.log'),
    work,
    said,
    `--diff=${path.join(fixtures, 'compared-old.log')}`
  );
  const text = await textOf(page),
    bars = await page.$$eval('#page .bar i', (all) =>
      all.map((bar) => `${bar.className} ${bar.style.marginLeft}`)
    );
  expect(
    /1 function takes more time than before, \d+ less; 1 new, 1 gone/.test(text),
    `a comparison says ${text.slice(-400)}`
  );
  expect(
    bars.some((bar) => bar.startsWith('less') && !/ 50(\.0)?%$/.test(bar)) &&
      bars.some((bar) => /^more-time 50(\.0)?%$/.test(bar)),
    `bars are ${bars}`
  );
  await page.close();
  const rest = await openReport(
    browser,
    run,
    path.join(fixtures, 'recorded-spikes.log.gz'),
    work,
    said,
    '--ticks-over=4',
    '--diff-rest'
  );
  const head = await rest.page.$eval('#page thead', (element) => element.textContent);
  expect(
    head.includes('other ticks') &&
      head.includes('slow ticks') &&
      !(await textOf(rest.page)).includes('than before'),
    `slow ticks and others are ${head}`
  );
  const sentences = await rest.page.$$eval('#page :is(.first, .keys)', (all) =>
    all.map((element) => element.textContent).join(' ')
  );
  expect(
    /slow ticks of .* others/.test(sentences) && !/\b(old|new)\b/.test(sentences),
    `slow ticks and others begin with ${sentences}`
  );
  expect(
    (await textOf(rest.page)).includes(
      'Ticks cannot be chosen in this comparison: it compares the slow ticks'
    ),
    'it is not said why ticks cannot be chosen'
  );
  await rest.page.close();
}

// A comparison is one everywhere: each figure of each page is that of the csv of both logs; a page
// of a faster function has nothing red, and that of a slower one has.
export async function checkBoth(browser) {
  const log = path.join(fixtures, 'edited-new.log'),
    diff = `--diff=${path.join(fixtures, 'edited-old.log')}`,
    { page, file } = await openReport(browser, run, log, work, said, diff);
  const rows = readCsv(run('-f', 'csv', diff, log)),
    ns = (us) => Math.round(Number(us) * 1000),
    wanted = new Map(
      rows.map((row) => [
        row.function,
        {
          oldSelf: ns(row.old_self_us),
          self: ns(row.new_self_us),
          change: ns(row.diff_self_us),
          oldTotal: ns(row.old_total_us),
          total: ns(row.new_total_us),
          changeTotal: ns(row.diff_total_us),
        },
      ])
    );
  const calls = ({ old_calls: old, new_calls: now }) =>
    old === now ? `= ${now}` : `${old} → ${now}`;
  const isSame = (name, found) =>
    Object.entries(found).every(([key, value]) => wanted.get(name)?.[key] === value);
  const read = (selector) =>
    page.$$eval(selector, (all) =>
      all.map((row) => ({
        name: row.querySelector('.name')?.textContent,
        calls: row.querySelector('[data-key=calls]')?.textContent,
        values: Object.fromEntries(
          [...row.querySelectorAll('[data-key]')]
            .filter(({ dataset }) => /self|total|change(Total)?$/i.test(dataset.key))
            .map(({ dataset }) => [dataset.key, Number(dataset.value)])
        ),
      }))
    );
  const links = await page.$$eval('#page tbody .name', (names) =>
    names.map((name) => [name.textContent, name.getAttribute('href')])
  );
  expect(links.length === wanted.size, `${links.length} functions are compared`);
  for (const address of ['#/overview', '#/functions', '#/calls?from=functions']) {
    await show(page, address);
    const found = await read('#page tbody tr');
    for (const { name, calls: count, values } of found) {
      // Inverted, a row has what the function itself took.
      if (address.includes('from='))
        (delete values.total, delete values.oldTotal, delete values.changeTotal);
      expect(
        Object.keys(values).length >= 2 &&
          isSame(name, values) &&
          count === calls(rows.find((row) => row.function === name)),
        `${address}: ${name} has ${count}, ${JSON.stringify(values)}`
      );
    }
    expect(found.length === wanted.size, `${address} has ${found.length} functions`);
  }
  await page.setViewport({ width: 1024, height: 768 });
  await show(page, '#/flame');
  const height = await page.$eval('#header', (header) => header.getBoundingClientRect().height);
  expect(height < 100, `the head of a comparison is ${height} pixels high`);
  await page.setViewport({ width: 1280, height: 900 });
  // The parts of callers and callees, and of files, are sums of both sides.
  await show(page, '#/files');
  const sums = { oldSelf: 0, self: 0 };
  for (const { values } of await read('[aria-label=Files] tbody tr'))
    for (const key of Object.keys(sums)) sums[key] += values[key];
  for (const key of Object.keys(sums)) {
    const all = [...wanted.values()].reduce((sum, one) => sum + one[key], 0);
    expect(sums[key] === all, `files have ${sums[key]} ${key}, not ${all}`);
  }
  const reds = {};
  for (const [name, link] of links) {
    await show(page, link);
    const [{ values }] = await read('.facts');
    expect(
      Object.keys(values).length === 6 && isSame(name, values),
      `the page of ${name} has ${JSON.stringify(values)}`
    );
    for (const { values: edge } of await read('.columns tbody tr'))
      expect(
        edge.total - edge.oldTotal === edge.changeTotal,
        `callers or callees of ${name} have ${JSON.stringify(edge)}`
      );
    reds[name] = await countRed(page);
    expect(
      (await page.$$('.scale')).length === (await page.$$('.flame')).length,
      `a flame graph of ${name} has no scale`
    );
    const texts = await page.$$eval('.lines span, .stacks .amount', (parts) =>
      parts.map((part) => part.textContent)
    );
    for (const text of texts)
      expect(
        /: (.+ → .+|= .+|–), calls |, old /.test(text),
        `on the page of ${name} '${text}' is of one side`
      );
  }
  await show(page, '#/flame');
  await page.focus('.flame canvas');
  await page.keyboard.press('ArrowDown');
  const frame = await textOf(page, '.flame-status'),
    [, old, now] = /total old (.+?) new (.+?) [+−]/.exec(frame) ?? [];
  expect(old !== now, `a frame says ${frame}`);
  expect(
    reds.Move === 0 && reds.Draw > 0,
    `red pixels: ${JSON.stringify(reds)}; Move is faster, Draw slower`
  );
  const head = /<thead>.*/.exec(fs.readFileSync(file, 'utf8'))[0];
  expect(
    ['old self ms', 'new self ms', 'diff self ms'].every((title) => head.includes(title)),
    `without a script the head is ${head}`
  );
  await page.close();
}

// Several watched games: their page begins with the threads that can be told apart.
export async function checkWatches(browser) {
  const logs = (side) =>
      [1, 2, 3, 4].map((i) => path.join(fixtures, `watched-alone/${side}-${i}.log.gz`)),
    [first, ...others] = logs('new'),
    more = ['--repeated', ...logs('old').flatMap((log) => ['--diff', log]), ...others];
  const { functions, repeated } = JSON.parse(run('-f', 'json', ...more, first)),
    told = repeated.watch.threads.filter(({ tick }) => tick.change.told_apart);
  const { page } = await openReport(browser, run, first, work, said, ...more),
    text = await textOf(page, '.first');
  expect(
    told.length > 0 &&
      text === `Slower: ${told.map(({ function: i }) => functions[i].label).join(', ')}.`,
    `the page of watched games begins with '${text}'`
  );
  await page.close();
}

/** How many pixels of the window are red. */
async function countRed(page) {
  const picture = await page.screenshot({ encoding: 'base64' });
  return page.evaluate(async (bytes) => {
    const image = new Image();
    image.src = `data:image/png;base64,${bytes}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      count += data[at] > 140 && Math.max(data[at + 1], data[at + 2]) < 0.7 * data[at];
    return count;
  }, picture);
}
