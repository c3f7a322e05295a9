// use.mjs SUPPROF FIXTURES WORK BROWSER [EXECUTABLE]
//
// Uses HTML reports as people do: the focus stays where it was, a pattern that never ends is given
// up, what is printed is complete and light, a copy has what is shown, a finger finds a tick, long
// lists come in parts, ten tasks need no mouse (where the window has the focus: in Chromium), and
// no address breaks a page.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
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
const run = runner(supprof),
  said = [];
const textOf = (page, what = '#page') => page.$eval(what, (element) => element.textContent);
const focusOf = (page) =>
  page.evaluate(
    () =>
      document.activeElement.dataset.focus ??
      (document.activeElement.id || document.activeElement.tagName)
  );

// What had the focus has it after the next view is drawn, or the page has it: never the body.
async function checkFocus(page) {
  await show(page, '#/functions');
  await page.focus('[data-focus="Functions calls"]');
  await page.keyboard.press('Enter');
  await becomes(page, /sort=calls/, 'Enter does not sort');
  expect(
    (await focusOf(page)) === 'Functions calls',
    `after sorting the focus is on ${await focusOf(page)}`
  );
  await page.focus('#metric');
  await page.select('#metric', 'calls');
  await becomes(page, /metric=calls/, 'the metric is not chosen');
  expect(
    (await focusOf(page)) === 'metric',
    `after a metric the focus is on ${await focusOf(page)}`
  );
  await page.focus('.adder');
  await page.keyboard.press('Enter');
  await until(page, () => document.activeElement.id === 'filter', 'a new filter has no focus');
  await page.keyboard.type('e');
  await page.keyboard.press('Enter');
  await becomes(page, /chip=/, 'Enter adds no filter');
  expect(
    (await focusOf(page)) === 'filter' || (await focusOf(page)) === 'page',
    `after a filter the focus is on ${await focusOf(page)}`
  );
  await page.focus('.chip .remove');
  await page.keyboard.press('Enter');
  await becomes(page, /^(?!.*chip=)/, 'Enter does not remove a filter');
  expect(
    (await focusOf(page)) === 'page',
    `after a filter is removed the focus is on ${await focusOf(page)}`
  );
  await show(page, '#/ticks');
  await page.focus('#over');
  await page.keyboard.press('ArrowRight');
  await becomes(page, /over=/, 'a key does not move the slider');
  expect(
    (await focusOf(page)) === 'over',
    `after a step of the slider the focus is on ${await focusOf(page)}`
  );
  expect((await textOf(page, '#announced')).startsWith('Ticks, '), 'a new view is not announced');
}

// The first five seconds: the verdict is the largest text; slow ticks are red; the table begins on
// the first screen, with what stands out, and its links, beside it; the sum is there once.
async function checkFirst(page) {
  const look = async (width, height) => {
    await page.setViewport({ width, height });
    await show(page, '#/about');
    await show(page, '#/overview');
    return page.evaluate(() => {
      const top = (element) => element.getBoundingClientRect().top + window.scrollY,
        sizeOf = (element) => parseFloat(getComputedStyle(element).fontSize),
        first = document.querySelector('#page .first'),
        table = document.querySelector('[aria-label=Functions] tbody'),
        others = document.querySelector('.findings');
      return {
        first: first.textContent,
        keys: document.querySelector('.keys').textContent,
        found: others.firstElementChild.textContent,
        link: others.querySelector('a')?.getAttribute('href') ?? '',
        isLargest: [...document.querySelectorAll('body *')].every(
          (element) => element === first || sizeOf(element) <= sizeOf(first)
        ),
        table: top(table),
        isBeside: top(others) < top(table) + 20 && others.getBoundingClientRect().left > 700,
        sums: ['header', 'page'].flatMap(
          (id) => document.getElementById(id).innerText.match(/\b768(\.\d+)? ms/g) ?? []
        ),
        marks: document.querySelector('.marks').textContent,
      };
    });
  };
  for (const [width, height, most] of [
    [1440, 900, 500],
    [390, 844, 900],
  ]) {
    const seen = await look(width, height);
    expect(
      seen.first === 'BuildThreatMap makes ticks slow.' &&
        /^768\.089 ms.*4 of 201.*149\.2 ms.*#38.*99\.98%/.test(seen.keys) &&
        /^BuildThreatMap itself is 92% of the time of the 4 slow ticks/.test(seen.found) &&
        seen.isLargest &&
        seen.link.startsWith('#/path/') &&
        seen.table < most &&
        seen.sums.length === 1 &&
        seen.isBeside === width > 1200 &&
        seen.marks.includes('~ too short to tell'),
      `at ${width} pixels the first page is ${JSON.stringify(seen)}`
    );
  }
  await page.setViewport({ width: 1280, height: 900 });
  const colors = await page.$eval('.strip', (strip) => {
    const { data } = strip.getContext('2d').getImageData(0, 0, strip.width, strip.height),
      bad = [0xb3, 0x36, 0x1f];
    let rows = new Set();
    for (let at = 0; at < data.length; at += 4)
      if (bad.every((value, i) => Math.abs(data[at + i] - value) < 4))
        rows.add(Math.floor(at / 4 / strip.width));
    return rows.size;
  });
  expect(colors > 20, `red is in ${colors} rows of the ticks`);
  await show(page, '#/ticks');
  const only = await page.$eval('#over ~ a', (link) => link.getAttribute('href'));
  expect(/\?ticks=over100$/.test(only), `the slow ticks are ${only}`);
}

// On phones, at 200 % and at 1024 pixels, names keep their words, and their marks beside them;
// columns go first. The links to all pages are in one line.
async function checkWords(browser) {
  const log = path.join(fixtures, 'game/zoo.log.gz');
  for (const more of [[], ['--diff', log]]) {
    const { page } = await openReport(browser, run, log, work, said, ...more);
    for (const width of [320, 390, 720, 1024]) {
      await page.setViewport({ width, height: 900 });
      for (const hash of [
        'overview',
        'calls',
        'budget',
        'files',
        'threads',
        'functions?growth=51-63,103-116',
      ]) {
        await show(page, `#/${hash}`);
        const broken = await page.evaluate(() => {
          const top = (element) => element.getBoundingClientRect().top,
            found = [];
          const walker = document.createTreeWalker(document.getElementById('page'), 4),
            range = document.createRange();
          while (walker.nextNode()) {
            if (!walker.currentNode.parentElement.matches('.rows a.name')) continue;
            range.selectNodeContents(walker.currentNode);
            if (range.getClientRects().length > 1) found.push(walker.currentNode.data);
          }
          for (const mark of document.querySelectorAll('.mark, .opener'))
            if (top(mark.nextElementSibling) > top(mark) + 10) found.push(mark.outerHTML);
          const lines = new Set([...document.querySelectorAll('nav a')].map(top));
          if (window.innerWidth > 320 && lines.size > 1) found.push('pages in two lines');
          for (const name of document.querySelectorAll('.rows tbody tr:first-child th'))
            if (name.clientWidth < 280 + (window.innerWidth > 700 ? 20 : 0))
              found.push(`${name.clientWidth} pixels for names`);
          return found;
        });
        expect(broken.length === 0, `at ${width} pixels, ${hash} breaks ${broken.slice(0, 3)}`);
      }
    }
    await page.close();
  }
}

// A pattern whose search would take for ever ends with a message, also from an address.
async function checkPattern(page) {
  const start = Date.now();
  await show(page, `#/functions?${chip('only', 'pattern', '(.*)*x9$')}`);
  await until(
    page,
    () => document.querySelector('.problem') !== null,
    'a pattern that takes for ever has no message'
  );
  expect(
    /takes more than 0.3 s/.test(await textOf(page, '.problem')),
    `the message is ${await textOf(page, '.problem')}`
  );
  if (process.env.TIMES) console.log(`pattern: ${Date.now() - start} ms`);
  await show(page, `#/functions?${chip('only', 'pattern', '^[A-M]')}`);
  expect(
    (await page.$('.problem')) === null && (await page.$('#page tbody tr')) !== null,
    'after it no pattern is found'
  );
}

// The search box: functions, files, ticks, times, lines; open, only, hide; by keyboard alone.
async function checkSearch(page) {
  const search = async (text, key, ...held) => {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('/');
    await until(page, () => document.activeElement.id === 'search', '/ does not go to the search');
    await page.keyboard.type(text);
    await until(
      page,
      () => document.querySelector('#found [role=option]') !== null,
      `'${text}' finds nothing`
    );
    for (const one of held) await page.keyboard.down(one);
    await page.keyboard.press(key);
    for (const one of held) await page.keyboard.up(one);
  };
  await show(page, '#/overview');
  await search('threat', 'Enter');
  await becomes(page, /^#\/path\/[^,?]+$/, 'Enter opens no function');
  expect((await textOf(page)).includes('BuildThreatMap'), 'threat does not open BuildThreatMap');
  await search('threat', 'Enter', 'Shift');
  await becomes(page, /chip=only%7Efunction%7E/, 'Shift Enter does not show only it');
  await show(page, '#/overview');
  await search('threat', 'Enter', 'Alt');
  await becomes(page, /chip=hide/, 'Alt Enter does not hide it');
  await show(page, '#/overview');
  await search('#38', 'Enter');
  await becomes(page, /ticks\?tick=38$/, '#38 is no tick');
  for (const text of ['38', 'tick 38']) {
    await show(page, '#/overview');
    await search(text, 'Enter');
    await becomes(page, /ticks\?tick=38$/, `${text} is no tick`);
  }
  await search('38-60', 'Enter');
  await becomes(page, /ticks=38-60/, '38-60 chooses no ticks');
  await show(page, '#/overview');
  await search('0:03.8', 'Enter');
  await becomes(page, /tick=38$/, '0:03.8 is not tick 38');
  await search('>100ms', 'Enter');
  await becomes(page, /ticks=over100/, '>100ms chooses no ticks');
  await show(page, '#/overview');
  expect(
    await page.$eval('#found', (list) => list.hidden),
    'the list of what was found stays open'
  );
}

// The rows of the call tree: totals are those of the whole, and inverted the self times of csv;
// keys open and close them.
async function checkCalls(page, log) {
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

// Slow ticks beside the others, against --ticks-over --diff-rest; the chart's colours against --by;
// a function over time.
async function checkSlow(page, log) {
  const over = 4,
    ns = (us) => Math.round(Number(us) * 1000);
  await show(page, `#/functions?slow=${over}`);
  const [count, others] = await page.$eval('.chip.slow .amount', (element) =>
    element.textContent.match(/\d+/g).map(Number)
  );
  const ticks = readCsv(run('-f', 'ticks-csv', log)).map((row) =>
    Number(row.us ?? row.time_us ?? row.self_us)
  );
  expect(
    count + others === ticks.length && count > 0 && others > 0,
    `${count} and ${others} ticks are not ${ticks.length}`
  );
  const slow = new Map(
    readCsv(run('-f', 'csv', `--ticks-over=${over}`, log)).map((row) => [
      row.function,
      ns(row.self_us),
    ])
  );
  const all = new Map(
    readCsv(run('-f', 'csv', '--from=#0', log)).map((row) => [row.function, ns(row.self_us)])
  );
  const rows = await page.$$eval('#page tbody tr', (list) =>
    list.map((row) => [
      row.querySelector('.name').textContent,
      Number(row.querySelector('[data-key=slow]').dataset.value),
      Number(row.querySelector('[data-key=other]').dataset.value),
    ])
  );
  let looked = 0;
  for (const [name, now, other] of rows) {
    // Functions without a name are not told apart by it.
    if (name === '?') continue;
    const wanted = slow.get(name) ?? 0;
    looked++;
    expect(
      Math.abs(now - wanted / count) <= 1,
      `${name}: ${now} ns a slow tick, not ${wanted / count}`
    );
    // Each part of the whole is rounded once for each node.
    if (all.has(name))
      expect(
        Math.abs(other - (all.get(name) - wanted) / others) <= 20,
        `${name}: ${other} ns another tick, not ${(all.get(name) - wanted) / others}`
      );
  }
  expect(looked > 10, 'slow ticks have too few rows');
  const [opened] = await functionAddresses(page);
  for (const name of ['overview', 'files', opened.slice(2)]) {
    await show(page, `#/${name}?slow=${over}`);
    expect((await page.$('[data-key=slow]')) !== null, `${name} does not compare slow ticks`);
    expect(
      name === opened.slice(2) || (await page.$('[aria-label="Ticks of the tables"]')) !== null,
      `${name} has no way back to all ticks`
    );
  }
  for (const by of ['file', 'mod']) {
    await show(page, `#/overview?by=${by}`);
    const wanted = readCsv(run('-f', 'csv', `--by=${by}`, log))
      .map((row) => ns(row.self_us))
      .filter((time) => time > 0)
      .sort((a, b) => b - a)
      .slice(0, 8);
    const legend = await page.$$eval('.legend [data-value]', (parts) =>
      parts.slice(0, 8).map(({ dataset }) => Number(dataset.value))
    );
    expect(
      wanted.slice(0, 3).every((time, i) => time === legend[i]),
      `by ${by} the chart has ${legend}, not ${wanted}`
    );
  }
  await show(page, '#/functions?sort=total');
  const link = await page.$eval('#page tbody .name', (name) => name.getAttribute('href'));
  await show(page, link);
  const [tick, most, href] = await page.$$eval('h2 a[data-value]', ([one]) => [
    Number(one.textContent.slice(1)),
    Number(one.dataset.value),
    one.getAttribute('href'),
  ]);
  expect(href.endsWith(`/ticks?tick=${tick}`), `#${tick} opens ${href}`);
  await show(page, `${link.replace(/\?.*/, '')}?ticks=${tick}-${tick}`);
  const total = Number(
    await page.$eval('.facts [data-key=total]', (element) => element.dataset.value)
  );
  expect(Math.abs(total - most) < 100, `in tick ${tick} it has ${total} ns, over time ${most}`);
}

// The slider of a function's page: what --what-if says in json.
async function checkWhatIf(page, log) {
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

// One key copies where the shown function is; About says it, and how the log was recorded.
async function checkPlace(page, log) {
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text) => {
          window.copied = text;
        },
      },
      configurable: true,
    })
  );
  await show(page, '#/functions?sort=self');
  const [label, link] = await page.$eval('#page tbody .name', (name) => [
    name.title,
    name.getAttribute('href'),
  ]);
  await show(page, link);
  await page.keyboard.press('c');
  await until(page, () => window.copied !== undefined, 'the key c copies nothing');
  const copied = await page.evaluate(() => window.copied);
  expect(
    /^\S+\.lua:\d+$/.test(copied) && label.endsWith(` ${copied}`),
    `of ${label} the key c copies ${copied}`
  );
  await show(page, '#/about');
  const [events] = /[\d,]+ events/.exec(run('--verbose', log)) ?? ['no events'];
  const about = await textOf(page);
  expect(
    about.includes(events) &&
      about.includes('by the clock ') &&
      /on the page of a function: copies its file/.test(about),
    `About says ${about}`
  );
}

// The same key copies the line of the source that has the focus, or is under the pointer.
async function checkSourceLine(browser) {
  const { page } = await openReport(
    browser,
    run,
    path.join(fixtures, 'recorded-spikes.log.gz'),
    work,
    said,
    `--lua-root=${path.join(fixtures, 'sources')}`
  );
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text) => {
          window.copied = text;
        },
      },
      configurable: true,
    })
  );
  const copied = async () => {
    await page.evaluate(() => {
      window.copied = undefined;
    });
    await page.keyboard.press('c');
    await until(page, () => window.copied !== undefined, 'the key c copies nothing of a source');
    return page.evaluate(() => window.copied);
  };
  await show(page, '#/functions?sort=total');
  await show(
    page,
    await page.$$eval('#page tbody .name', (names) =>
      names.find(({ title }) => title.startsWith('BuildThreatMap ')).getAttribute('href')
    )
  );
  const [label, first, most, count] = await page.evaluate(() => {
    const rows = [...document.querySelectorAll('[aria-label=Source] tbody tr')],
      of = (row, key) => Number(row.querySelector(`[data-key=${key}]`).dataset.value);
    return [
      document.querySelector('.path .place').title,
      of(rows[0], 'line'),
      of(
        rows.reduce((best, row) => (of(row, 'total') > of(best, 'total') ? row : best)),
        'line'
      ),
      rows.length,
    ];
  });
  const file = label.replace(/:\d+$/, '');
  expect(
    count > 3 && label === `${file}:${first}`,
    `the source of ${label} has ${count} lines from ${first} on`
  );
  for (
    let i = 0;
    i < 300 && (await page.evaluate(() => !document.activeElement.dataset.place));
    i++
  )
    await page.keyboard.press('Tab');
  expect(
    (await copied()) === `${file}:${most}`,
    `with the focus on line ${most} of ${file}, the key c ` +
      `copies ${await page.evaluate(() => window.copied)}`
  );
  await page.keyboard.press(most === first ? 'ArrowDown' : 'ArrowUp');
  const next = most === first ? most + 1 : most - 1;
  expect(
    (await copied()) === `${file}:${next}`,
    `on line ${next} of ${file}, the key c copies ${await page.evaluate(() => window.copied)}`
  );
  await page.evaluate(() => document.activeElement.blur());
  await (await page.$$('[aria-label=Source] tbody tr'))[2].hover();
  expect(
    (await copied()) === `${file}:${first + 2}`,
    `above line ${first + 2} of ${file}, the key c ` +
      `copies ${await page.evaluate(() => window.copied)}`
  );
  await page.mouse.move(1, 1);
  expect(
    (await copied()) === label,
    `beside the source of ${label}, the key c copies ${await page.evaluate(() => window.copied)}`
  );
  await page.close();
}

// Ten tasks by keyboard alone. The focus is seen wherever it comes: it has an outline, in the
// window. Each task takes at most two links, buttons or keys of the page, beside Tab and what is
// typed.
async function checkKeyboard(browser) {
  const { page } = await openReport(
    browser,
    run,
    path.join(fixtures, 'recorded-spikes.log.gz'),
    work,
    said
  );
  let acts = 0;
  const seen = () =>
    page.evaluate(() => {
      const { activeElement: at } = document,
        box = at.getBoundingClientRect(),
        { outlineStyle, outlineWidth } = getComputedStyle(at);
      const isInside = box.width > 0 && box.bottom > 0 && box.top < window.innerHeight;
      return at === document.body
        ? 'body'
        : isInside && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
          ? ''
          : `${at.tagName} ${at.className} ${at.textContent.slice(0, 40)}`;
    });
  const press = async (key) => {
    acts++;
    await page.keyboard.press(key);
  };
  const reach = async (what, text = '') => {
    for (let i = 0; i < 300; i++) {
      await page.keyboard.press('Tab');
      const hidden = await seen();
      if (hidden !== '' && hidden !== 'body') fail(`the focus cannot be seen on ${hidden}`);
      if (
        await page.evaluate(
          (selector, wanted) =>
            document.activeElement.matches(selector) &&
            document.activeElement.textContent.includes(wanted),
          what,
          text
        )
      )
        return;
    }
    fail(`Tab does not reach ${what} ${text}`);
  };
  const task = async (name, most, act) => {
    acts = 0;
    await act();
    expect(acts <= most, `${name} takes ${acts} steps, not ${most}`);
    const hidden = await seen();
    expect(
      hidden === '' || hidden === 'body' || hidden.startsWith('MAIN'),
      `after ${name} the focus cannot be seen on ${hidden}`
    );
  };
  await page.evaluate(() => {
    document.activeElement.blur();
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text) => {
          window.copied = text;
        },
      },
      configurable: true,
    });
  });
  await show(page, '#/overview');
  await task('the slowest tick', 2, async () => {
    await reach('a', 'the slowest ticks');
    await press('Enter');
    await becomes(page, /^#\/ticks$/, 'no page of ticks');
    await reach('.name', '#38');
    await press('Enter');
    await becomes(page, /tick=38/, 'the slowest tick is not opened');
  });
  await task('who called in it', 2, async () => {
    await reach('a', 'Show only this tick');
    await press('Enter');
    await becomes(page, /ticks=38-38/, 'the tick is not chosen');
    await reach('#page tbody .name', 'BuildThreatMap');
    await press('Enter');
    await becomes(page, /^#\/path\/[^,?]+\?ticks=38-38/, 'the function is not opened');
    expect(
      /from spikes.lua:\d+/.test(
        await page.$eval('[aria-label=Callers]', (table) => table.textContent)
      ),
      'callers have no lines'
    );
  });
  await task('time by mod', 2, async () => {
    await press('6');
    await becomes(page, /^#\/files/, '6 does not lead to files and mods');
    expect((await page.$('[aria-label=Mods] tbody tr')) !== null, 'there are no mods');
  });
  await task('back', 1, async () => {
    await page.evaluate(() => window.history.back());
    await becomes(page, /^#\/path\/[^,?]+\?ticks=38-38/, 'Back does not lead back');
  });
  await task('all ticks again', 1, async () => {
    await reach('[aria-label="Remove: choice of ticks"]');
    await press('Enter');
    await becomes(page, /^#\/path\/[^,?]+$/, 'the choice of ticks stays');
  });
  await task('the line', 1, async () => {
    await page.evaluate(() => {
      window.copied = '';
    });
    await press('c');
    await until(page, () => /^\S+\.lua:\d+$/.test(window.copied), 'the line is not copied');
  });
  await task('slow ticks and others', 2, async () => {
    await press('1');
    await becomes(page, /^#\/overview/, '1 does not lead to the first page');
    await reach('a', 'slow v. other');
    await press('Enter');
    await becomes(page, /slow=100/, 'slow ticks are not compared');
  });
  await task('search and hide', 2, async () => {
    await press('/');
    await page.keyboard.type('threat');
    await until(
      page,
      () => document.querySelector('#found [role=option]') !== null,
      'nothing is found'
    );
    await page.keyboard.down('Alt');
    await press('Enter');
    await page.keyboard.up('Alt');
    await becomes(page, /chip=hide/, 'it is not hidden');
  });
  for (const [name, most, keys] of [
    ['link', 1, ['l']],
    ['to share', 3, ['e', 'ArrowDown', 'Enter']],
    ['to copy', 3, ['e', 'ArrowUp', 'Enter']],
  ])
    await task(name, most, async () => {
      await page.evaluate(() => {
        window.copied = '';
      });
      for (const key of keys) await press(key);
      await until(page, () => window.copied !== '', `${name}: nothing is copied`);
    });
  await page.close();
}

// Addresses that no page has made: each shows a page, and no error.
async function checkAddresses(page) {
  const [opened] = await functionAddresses(page);
  const addresses = [
    '',
    '#',
    '#/',
    '#overview',
    '#/nothing',
    '#/path',
    '#/path/',
    '#/path/-1',
    '#/path/99999999',
    '#/path/1e9,NaN',
    '#/path/1,1,1,1,1,1,1,1',
    '#/path/%00',
    '#/overview?',
    '#/overview?&&==',
    '#/overview?ticks=9-1',
    '#/overview?ticks=over',
    '#/overview?ticks=99999999999999999999-1',
    '#/functions?slow=-5',
    '#/functions?slow=1e400',
    '#/functions?slow=NaN',
    '#/functions?sort=constructor',
    '#/functions?metric=__proto__',
    '#/functions?chip=only',
    '#/functions?chip=only~function~',
    '#/functions?chip=only~pattern~[',
    '#/functions?chip=hide~mod~%E0%A4%A',
    '#/flame?zoom=-1',
    '#/flame?zoom=1e99&order=x',
    '#/ticks?tick=x&over=-1',
    '#/ticks?over=Infinity',
    '#/files?file=',
    '#/calls?from=__proto__',
    `${opened}?whatif=abc`,
    `#/functions?find=${'x'.repeat(5000)}`,
    '#/overview?by=toString&scale=constructor',
    '#/threads?sort=valueOf',
    '#/about/1/2/3?a=b#c',
  ];
  expect(addresses.length >= 25, 'there are too few addresses');
  for (const address of addresses) {
    await show(page, '#/about');
    await show(page, address);
    const { text, title } = await page.evaluate(() => ({
      text: document.querySelector('#page').textContent.trim(),
      title: document.querySelector('h1').textContent,
    }));
    expect(
      text.length > 0 && !/NaN|undefined|Infinity|\[object/.test(text) && title !== '',
      `${address.slice(0, 60)} shows ${text.slice(0, 200)}`
    );
  }
}

// What is printed is on white in dark schemes, too; chips, the command, bars and key figures are
// there; pictures fit, and are on the paper.
async function checkPrint(page) {
  if (kind !== 'firefox')
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await show(page, `#/flame?${chip('hide', 'pattern', '^e')}`);
  if (kind === 'firefox') return;
  await page.emulateMediaType('print');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const printed = await page.evaluate(() => {
    const canvas = document.querySelector('.flame canvas'),
      of = (what) => getComputedStyle(document.querySelector(what));
    return {
      back: of('html').backgroundColor,
      text: of('html').color,
      adjust: of('html').printColorAdjust,
      chip: of('.chip b').display,
      command: of('.command').display,
      frame: of('html').getPropertyValue('--frame-0'),
      width: canvas.getBoundingClientRect().width - document.documentElement.clientWidth,
      rows:
        canvas.height / canvas.width -
        canvas.getBoundingClientRect().height / canvas.getBoundingClientRect().width,
    };
  });
  expect(
    printed.back === 'rgb(255, 255, 255)' &&
      /^rgb\(2\d, 2\d, 3\d\)$/.test(printed.text) &&
      printed.frame.includes('#5186bf'),
    `a dark page prints ${JSON.stringify(printed)}`
  );
  expect(
    printed.adjust === 'exact' && printed.chip !== 'none' && printed.command !== 'none',
    `of a print is missing: ${JSON.stringify(printed)}`
  );
  expect(
    printed.width <= 0 && Math.abs(printed.rows) < 0.01,
    `a printed picture is cut: ${JSON.stringify(printed)}`
  );
  expect(
    (await textOf(page, '.command')).includes('supprof') &&
      (await textOf(page, '.command')).includes('--hide=^e'),
    `the command is ${await textOf(page, '.command')}`
  );
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await show(page, '#/overview');
  expect(
    (await page.$$eval('.key', (keys) => keys.filter((key) => key.offsetHeight > 0).length)) > 1,
    'the key figures are not printed'
  );
  await page.emulateMediaType(null);
  await page.emulateMediaFeatures([]);
  // A window with room for a list beside a function, which paper has not.
  const usual = page.viewport();
  await page.setViewport({ ...usual, width: 1300 });
  await show(page, '#/overview');
  await page.evaluate(() => {
    const chart = document.querySelector('canvas.strip');
    const see = () => {
      window.wasChartKeptForTest = chart.isConnected;
    };
    window.addEventListener('afterprint', see, { once: true, capture: true });
  });
  await page.pdf({ format: 'a4' });
  expect(
    await page.evaluate(() => window.wasChartKeptForTest),
    'the chart of ticks is made anew on paper, where it is drawn too late'
  );
  await page.setViewport(usual);
}

// The chosen metric comes first and orders the rows, on all pages with functions.
async function checkMetric(page) {
  const opened = (await functionAddresses(page))[2].slice(2);
  for (const name of ['overview', 'functions', 'files', opened]) {
    await show(page, `#/${name}?metric=calls`);
    const calls = await page.$$eval('#page .scroll:first-of-type tbody tr', (rows) =>
      rows
        .map((row) => Number(row.querySelector('[data-key=calls]')?.dataset.value ?? NaN))
        .filter((value) => !Number.isNaN(value))
    );
    const key = await page.$eval('#page tbody td', (cell) => cell.dataset.key);
    expect(name === opened || key === 'calls', `by calls, ${name} begins with ${key}`);
    const [table] = await page.$$eval('#page table', (tables) =>
      tables.map((one) =>
        [...one.querySelectorAll('tbody tr')].map((row) =>
          Number(row.querySelector('[data-key=calls]')?.dataset.value)
        )
      )
    );
    expect(
      calls.length > 0 && table.every((value, i) => i === 0 || table[i - 1] >= value),
      `by calls, ${name} is in order ${table}`
    );
  }
}

// Chooses from the menu of exports what begins so.
async function choose(page, what) {
  await page.click('#export');
  await page.$$eval(
    '.menu button',
    (buttons, start) => buttons.find(({ textContent }) => textContent.startsWith(start)).click(),
    what
  );
}

// A copy has all rows, in the order that is shown, and says what it holds; a summary has the
// choice, and names the log once; a link leads to the view in another copy of the report.
async function checkCopy(page, log) {
  const name = path.basename(log);
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text) => {
          window.copied = text;
        },
      },
      configurable: true,
    })
  );
  const copy = async (what) => {
    await page.evaluate(() => {
      window.copied = undefined;
    });
    await choose(page, `Copy ${what}`);
    await until(page, () => window.copied !== undefined, `${what} is not copied`);
    return page.evaluate(() => window.copied);
  };
  await show(page, '#/functions?sort=calls');
  const shown = await page.$$eval('#page tbody tr', (all) =>
    all.map((row) =>
      [row.querySelector('.name').title, row.querySelector('[data-key=self]').dataset.value].join()
    )
  );
  const rows = readCsv(`${await copy('Functions as CSV')}\n`);
  const all = await page.$eval('#page .quiet', ({ textContent }) => parseInt(textContent, 10));
  expect(
    rows.length === all &&
      rows
        .slice(0, shown.length)
        .map((row) => [plainCell(row.function), Math.round(Number(row.self_us) * 1000)].join())
        .join('\n') === shown.join('\n'),
    `a copy as CSV has ${rows.length} of ${all} rows, or others`
  );
  expect(
    (await textOf(page, '#export')) === `Copied Functions, ${all} rows`,
    `a copy is called ${await textOf(page, '#export')}`
  );
  const markdown = (await copy('Functions as Markdown')).split('\n');
  expect(
    markdown.length === all + 4 &&
      markdown[0] === `\`Functions\`, \`${name}\`` &&
      /^\| function \| self \| % of all \| total \|/.test(markdown[2]),
    `a copy as Markdown begins with ${markdown.slice(0, 3).join('\n')}`
  );
  await show(page, `#/functions?${chip('hide', 'pattern', 'e')}`);
  const summary = await copy('a summary'),
    link = await copy('the link');
  await show(page, '#/overview');
  const ofAll = await copy('a summary');
  expect(ofAll.includes('BuildThreatMap itself is 92% of'), `a summary is ${ofAll}`);
  expect(
    summary.startsWith(`\`\`\`\n${name}: `) &&
      summary.split(name).length === 2 &&
      summary.includes('--hide=e') &&
      summary.split('\n').length >= 9,
    `a summary is ${summary}`
  );
  expect(link.startsWith(`${name}#/functions?chip=hide`), `a link is ${link}`);
  await page.focus('#search');
  await page.$eval(
    '#search',
    (field, text) => {
      field.value = text;
      field.dispatchEvent(new Event('input'));
    },
    link
  );
  await page.keyboard.press('Enter');
  await becomes(page, /^#\/functions\?chip=hide/, 'the search does not take a link');
}

// A finger takes the longest tick near it; what is in no file is said.
async function checkTouch(page) {
  await show(page, '#/overview');
  await page.$eval('.strip', (strip) => {
    const box = strip.getBoundingClientRect(),
      at = {
        pointerType: 'touch',
        isPrimary: true,
        bubbles: true,
        button: 0,
        clientY: box.top + 60,
      };
    window.wantedForTest = [...document.querySelectorAll('.strip')].length;
    for (const name of ['pointerdown', 'pointerup'])
      strip.dispatchEvent(
        new PointerEvent(name, {
          ...at,
          clientX: box.left + Number(window.placeForTest ?? 0.3) * box.width,
        })
      );
  });
  await becomes(page, /tick=\d+/, 'a touch opens no tick');
  await show(page, '#/files?file=nothing.lua');
  expect(
    (await textOf(page)).startsWith("No function of this report is in 'nothing.lua'"),
    'an unknown file is shown as if it were empty'
  );
}

// Many functions: rows come in parts, callers and callees are few at first, and a line says what it
// calls.
async function checkMany(browser) {
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

// Repeated logs: medians, the change and its interval, and the verdict against the csv of
// --repeated.
async function checkRepeated(browser) {
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
async function checkCompared(browser) {
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
async function checkBoth(browser) {
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

// A link holds a function by its name and place: it opens the same function of another recording of
// the game, and an address that this report does not know says so.
async function checkLinks(browser) {
  const { page } = await openReport(
    browser,
    run,
    path.join(fixtures, 'edited-new.log'),
    work,
    said
  );
  const addresses = await functionAddresses(page),
    move = addresses.find((address) => address.includes('Move'));
  expect(move === '#/path/Move%20lua/sim/unit.lua:20', `the address of Move is ${move}`);
  await page.close();
  const old = await openReport(browser, run, path.join(fixtures, 'edited-old.log'), work, said);
  await show(old.page, move);
  expect(
    (await textOf(old.page)).startsWith('Move') && (await old.page.$('.unmatched')) === null,
    'the link opens no function of another log'
  );
  for (const [address, name] of [
    ['#/path/Check%20lua/sim/army.lua:4', "'Check lua/sim/army.lua:4'"],
    ['#/path/3', "'3'"],
    ['#/nothing', "'nothing'"],
    ['#/path/%E0%A4%A', "%A'"],
  ]) {
    await show(old.page, address);
    expect(
      (await textOf(old.page, '#header')).includes(`${name}, which is no page and no function`),
      `${address} does not say that it is not known`
    );
  }
  await old.page.close();
}

// Back shows what was seen before, as far down; ? lists the keys; cut tables say how much is
// hidden.
async function checkBack(page) {
  await page.setViewport({ width: 800, height: 300 });
  await show(page, '#/functions');
  await page.evaluate(() => window.scrollTo(0, 260));
  await page.$$eval('#page tbody .name', (names) => names[9].click());
  await becomes(page, /^#\/path/, 'a function does not open');
  expect((await page.evaluate(() => window.scrollY)) === 0, 'a new page does not begin at its top');
  await page.goBack();
  await becomes(page, /^#\/functions/, 'Back does not lead back');
  await until(
    page,
    () => Math.abs(window.scrollY - 260) < 2,
    'Back does not show what was seen before'
  );
  const zoo = path.join(fixtures, 'game/zoo.log.gz'),
    { page: large } = await openReport(page.browser(), run, zoo, work, said);
  const hidden = await large.$eval('.show-all', (button) => button.textContent),
    { all, shown } = await large.evaluate(() => ({
      all: Number(/calls of (\d+) functions/.exec(document.body.textContent)[1]),
      shown: document.querySelectorAll('[aria-label=Functions] tbody tr').length,
    }));
  expect(
    hidden === `${all - shown} rows are hidden: show all` && shown === 20,
    `of ${all} rows, ${shown} shown, it says ${hidden}`
  );
  await large.close();
  await page.setViewport({ width: 1280, height: 900 });
  await show(page, '#/overview');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('?');
  await until(
    page,
    () => /tick to tick/.test(document.querySelector('dialog[open]')?.textContent),
    '? lists no keys'
  );
  await page.keyboard.press('Escape');
  await until(page, () => document.querySelector('dialog') === null, 'the keys stay open');
}

// The page of a function: callers and callees side by side, on the first screen, then its time and
// what-if; actions name it. Ticks in which the computer was slow are said, and can be left out.
async function checkFunction(browser) {
  const log = path.join(fixtures, 'recorded-spikes.log.gz'),
    { page, file } = await openReport(browser, run, log, work, said);
  const [address] = await functionAddresses(page);
  for (const width of [1440, 1024]) {
    await page.setViewport({ width, height: 900 });
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
    /^ in #(\d+) .*\?tick=\1$/.test(longest.join(' ')),
    `the longest call is ${longest.join(' ')}`
  );
  await page.close();
  // In one of the four slow ticks, the computer is slow now.
  const text = fs.readFileSync(file, 'utf8'),
    packed = /id="data">([^<]*)/.exec(text)[1];
  const report = JSON.parse(zlib.inflateSync(Buffer.from(packed, 'base64')));
  report.ticks.disturbed = report.ticks.tick.map((number) => Number(number === 38));
  report.ticks.usual_ns = report.ticks.time_ns.map((time) => Math.round(time / 3));
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
    slowTicks === '3,0' && /1 of the 4 slow ticks count with what/.test(await textOf(changed)),
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
  await changed.close();
}

// The ledger of the budget: each row is what --what-if says of the function, or of the mod's.
async function checkBudget(page, log) {
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

// Late ticks against early ones: what --from and --to say of both, and stretches that are dragged.
async function checkGrowth(page, log) {
  await show(page, '#/overview');
  await page.$$eval('.switch a', (links) =>
    links.find(({ textContent }) => textContent === 'late v. early').click()
  );
  await becomes(
    page,
    /growth=20-60(,|%2C)180-220/,
    'not the first and the last fifth are compared'
  );
  const late = [60, 120],
    early = [20, 59];
  await show(page, `#/functions?growth=${early.join('-')},${late.join('-')}`);
  const sums = ([from, to]) =>
    new Map(
      readCsv(run('-f', 'csv', `--from=#${from}`, `--to=#${to + 1}`, log)).map((row) => [
        row.function,
        {
          self: (Number(row.self_us) * 1000) / (to - from + 1),
          calls: Number(row.calls) / (to - from + 1),
        },
      ])
    );
  const [now, before] = [late, early].map(sums),
    rows = await page.$$eval('#page tbody tr', (list) =>
      list.map((row) => [
        row.querySelector('.name').textContent,
        ...['slow', 'other', 'changeEach', 'callsEach'].map((key) =>
          Number(row.querySelector(`[data-key=${key}]`).dataset.value)
        ),
      ])
    );
  let looked = 0,
    last = Infinity;
  for (const [name, after, other, change, calls] of rows) {
    expect(
      change === after - other && change <= last,
      `${name} grows by ${change} from ${other} to ${after}`
    );
    last = change;
    if (name === '?') continue;
    looked++;
    expect(
      Math.abs(after - (now.get(name)?.self ?? 0)) <= 1 &&
        Math.abs(other - (before.get(name)?.self ?? 0)) <= 1 &&
        Math.abs(calls - (now.get(name)?.calls ?? 0)) < 1e-6,
      `${name}: late ${after}, early ${other}, ${calls} calls a tick`
    );
  }
  expect(looked > 10, 'late and early ticks have too few rows');
  await show(page, '#/overview?growth=20-59,180-220');
  const box = await (await page.$('.strip')).boundingBox();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 20);
  await page.mouse.up();
  await becomes(page, /growth=20-59(,|%2C)1[56]\d-1[78]\d$/, 'a drag chooses no late ticks');
}

// The stacks of a view are saved as a file: together they have the time of the view.
async function checkSave(page, log) {
  await page.evaluate(() => {
    URL.createObjectURL = (blob) => {
      window.savedForTest = blob;
      return '#/flame';
    };
  });
  await show(page, `#/flame?${chip('only', 'pattern', '^BuildThreatMap')}&ticks=38-60`);
  await choose(page, 'Save the call stacks as folded');
  const lines = (await page.evaluate(() => window.savedForTest.text())).trim().split('\n');
  const sum = lines.reduce((all, line) => all + Number(/ (\d+)$/.exec(line)[1]), 0),
    wanted = readCsv(
      run('-f', 'csv', '--focus=^BuildThreatMap', '--from=#38', '--to=#61', log)
    ).reduce((all, row) => all + Math.round(Number(row.self_us) * 1000), 0);
  const left = () => page.$eval('#left', ({ dataset }) => Number(dataset.value));
  await show(page, '#/functions');
  const all = await left();
  await show(page, `#/functions?${chip('without', 'pattern', '^BuildThreatMap')}`);
  const less = await textOf(page, '.chip .amount');
  expect(
    less === `−${((all - (await left())) / 1e6).toFixed(1)} ms`,
    `without it there is ${less} less`
  );
  expect(
    lines.length > 1 &&
      lines.every((line) =>
        line.startsWith('ThreatMapThread tests/spikes.lua:87;BuildThreatMap ')
      ) &&
      sum === wanted,
    `stacks of ${sum} ns are saved, not ${wanted}: ${lines.slice(0, 3).join(', ')}`
  );
}

// A play head over a tick says which lines run, moves by itself, and is in the address.
async function checkPlay(browser) {
  const log = path.join(fixtures, 'recorded-spikes.log.gz'),
    sources = `--lua-root=${path.join(fixtures, 'sources')}`,
    { page } = await openReport(browser, run, log, work, said, sources);
  await show(page, '#/flame?ticks=38-38&order=time&at=500');
  const running = () =>
    page.$$eval('.running li', (rows) =>
      rows.map((row) => [
        row.querySelector('.name').textContent,
        row.querySelector(':scope > .place').textContent,
        row.querySelector('code').textContent,
        row.className,
      ])
    );
  expect(
    JSON.stringify(await running()) ===
      JSON.stringify([
        ['ThreatMapThread', 'line 90', 'BuildThreatMap()', ''],
        ['BuildThreatMap', 'after line 79', 'GetThreatAtPosition(units[i])', 'now'],
      ]),
    `in the middle of tick 38 runs ${JSON.stringify(await running())}`
  );
  const [left, button] = [
    () => page.$eval('.head', (head) => Number.parseFloat(head.style.left)),
    '.player button',
  ];
  expect(Math.abs((await left()) - 50) < 1, `the head is at ${await left()} %`);
  await page.click(button);
  await until(
    page,
    () => Number.parseFloat(document.querySelector('.head').style.left) > 51,
    'the head does not move'
  );
  await page.click(button);
  await becomes(page, /[?&]at=5\d\d/, 'where the head is is not in the address');
  await page.close();
}

/** Cards: the logs, old ones first, and the ticks; without, the slowest. */
const cards = [
  [['recorded-spikes']],
  [['recorded-midgame']],
  [['recorded-coroutines']],
  [['game/zoo']],
  [['recorded-coroutines', 'recorded-spikes'], ['38']],
  [
    ['recorded-spikes', 'recorded-spikes'],
    ['38', '112'],
  ],
  // Tick 41 is one of the slowest of the old log alone.
  [['recorded-midgame', 'recorded-spikes'], ['41']],
];

// A card of a tick is the program's, to the byte, and one of pixels is a picture. Of a comparison,
// both sides are there, also if the calls of one are not known in the order of time.
async function checkCard(browser) {
  for (const [names, asked] of cards) {
    const name = names.join(' to '),
      logs = names.map((one) => path.join(fixtures, `${one}.log.gz`)),
      options = logs.length > 1 ? ['--diff', logs[0]] : [],
      log = logs.at(-1),
      { page } = await openReport(browser, run, log, work, said, ...options);
    await page.evaluate(() => {
      URL.createObjectURL = (blob) => {
        window.savedForTest = blob;
        return window.location.hash;
      };
    });
    await show(page, '#/ticks');
    const links = asked
      ? asked.map((tick) => `#/ticks?tick=${tick}`)
      : await page.$$eval('#page tbody a.name', (all) => all.slice(0, 3).map(({ hash }) => hash));
    for (const link of links) {
      await show(page, link);
      const save = async (kind) => {
        await page.evaluate(() => {
          window.savedForTest = null;
        });
        await page.$$eval(
          '#page .plain',
          (buttons, text) => buttons.find(({ textContent }) => textContent === text)?.click(),
          kind
        );
        await until(
          page,
          () => window.savedForTest !== null,
          `${name}: ${link} has no card as ${kind}`
        );
      };
      await save('svg');
      const card = await page.evaluate(() => window.savedForTest.text()),
        [, tick] = /tick=(\d+)/.exec(link),
        wanted = run('-f', 'card', '--tick', tick, ...options, log);
      // Of a side without its order the texts are those of the program, but for what they are of.
      const isJoined = card.includes('now, calls of one call stack joined'),
        partsOf = (text) =>
          isJoined
            ? text.replace(/now, .*|<g[^]*?<\/g>/g, '').match(/(?<=>)[^<>\n]+(?=<)/g)
            : text.split('\n');
      expect(
        isJoined === Boolean(asked?.includes('41')),
        `${name} #${tick}: joined calls: ${isJoined}`
      );
      const parts = partsOf(card),
        wantedParts = partsOf(wanted),
        at = parts.findIndex((part, i) => part !== wantedParts[i]);
      expect(
        at < 0 && parts.length === wantedParts.length,
        `${name} #${tick}: ${parts[at]} is not ${wantedParts[at]}`
      );
      await save('png');
      expect(
        await page.evaluate(
          async () =>
            window.savedForTest.size > 5000 &&
            (await window.savedForTest.slice(1, 4).text()) === 'PNG'
        ),
        `${name} #${tick} is no picture`
      );
    }
    await page.close();
  }
}

// A log without a recording: sim speed, heap and errors as json has them.
async function checkUnrecorded(browser) {
  const log = path.join(fixtures, 'game.log'),
    { page } = await openReport(browser, run, log, work, said);
  const { game_log: wanted } = JSON.parse(run('-f', 'json', log)),
    [game] = wanted.games;
  const speeds = await page.$$eval('.speeds .bars i', (bars) =>
    bars.map((bar) => [Number(bar.dataset.value), bar.className])
  );
  expect(
    speeds.length > 5 &&
      speeds.join('|') === game.speeds.map((speed) => [speed, speed < 0.9 ? 'slow' : '']).join('|'),
    `sim speeds are ${speeds}`
  );
  const errors = await page.$$eval('#page tbody tr', (rows) =>
    rows.map(
      (row) =>
        `${row.querySelector('[data-key=count]').dataset.value} ` +
        row.querySelector('.name').textContent
    )
  );
  expect(
    errors.join('|') ===
      wanted.errors
        .map(({ count, message }) => [count, message])
        .sort((a, b) => b[0] - a[0])
        .map((one) => one.join(' '))
        .join('|'),
    `errors are ${errors}`
  );
  const text = await textOf(page);
  expect(
    text.includes('it stood still for 0:30; below 0.9 in 6 of 12 columns') &&
      text.includes(`sim speed ${(game.moved_seconds / game.real_seconds).toFixed(2)}`) &&
      text.includes("nothing was recorded: the mod 'supprof recorder' was not on") &&
      wanted.mods.every((mod) => text.includes(mod)),
    `the page says ${text}`
  );
  await show(page, '#/about');
  await page.close();
  const mods = path.join(work, 'mods.log');
  const names = Array.from({ length: 30 }, (_, i) => `${i} ${'A'.repeat(i < 12 ? 3000 : 1)}`);
  const lines = names.map((name) => `info:     name="${name}"\n`);
  fs.writeFileSync(mods, `info: Active mods in sim: \\000{\n${lines.join('')}`);
  const long = await openReport(browser, run, mods, work, said),
    named = await textOf(long.page);
  const wide = await long.page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth
  );
  expect(
    wide <= 0 &&
      named.includes('9 AAA') &&
      !named.includes('10 AAA') &&
      named.includes('... and 20 more'),
    `a page with long names of mods is ${wide} pixels too wide, and says ${named.slice(-100)}`
  );
  await long.page.close();
}

// Ticks that were chosen by chance are at their times, with gaps; labels of the axis are whole.
async function checkGaps(browser) {
  const log = path.join(fixtures, 'sampled-slow.log.gz'),
    { page } = await openReport(browser, run, log, work, said);
  const seen = await page.$eval('.strip', (strip) => {
    const { data } = strip.getContext('2d').getImageData(0, 0, strip.width, strip.height);
    const hasInk = (x, from, to) => {
      for (let y = from; y < to; y++) if (data[4 * (y * strip.width + x) + 3] > 60) return true;
      return false;
    };
    const columns = [...Array(strip.width).keys()];
    return {
      cut: columns.slice(0, 2).some((x) => hasInk(x, 0, strip.height)),
      // Above the axis, below its next line.
      bars: columns.slice(60).filter((x) => hasInk(x, 72, 88)).length,
      all: strip.width - 60,
    };
  });
  expect(
    !seen.cut && seen.bars > 29 && seen.bars < 0.2 * seen.all,
    `29 ticks of 38 s, and the labels beside them: ${JSON.stringify(seen)}`
  );
  await page.close();
}

// On a wide screen a function opens beside the list, which keeps its filter, order and place; up
// and down lead through it in one step of the history.
async function checkBeside(browser) {
  const log = path.join(fixtures, 'recorded-spikes.log.gz'),
    { page } = await openReport(browser, run, log, work, said);
  const names = () =>
    page.$$eval('.list tbody .name', (links) => links.map((link) => link.textContent));
  const opened = () =>
    page.evaluate(() => [
      document.querySelector('.list [aria-current=true]')?.textContent,
      document.querySelector('.path li:last-child .name').textContent,
    ]);
  await page.setViewport({ width: 1440, height: 300 });
  await show(page, '#/functions?sort=calls&find=a');
  const wanted = await page.$$eval('#page tbody .name', (links) =>
    links.map((link) => link.textContent)
  );
  await page.$$eval('#page tbody .name', (links) => links[7].click());
  await becomes(page, /^#\/path\/.*find=a/, 'a click opens no function');
  expect(
    (await names()).join() === wanted.join() &&
      (await opened()).join() === [wanted[7], wanted[7]].join(),
    `beside ${await opened()} is a list of ${await names()}, not of ${wanted}`
  );
  await until(
    page,
    () => {
      const row = document.querySelector('.list [aria-current=true]').getBoundingClientRect();
      return row.top > 0 && row.bottom <= window.innerHeight;
    },
    'the row of the function cannot be seen'
  );
  const scrolled = await page.$eval('.list', (list) => list.scrollTop),
    steps = await page.evaluate(() => window.history.length);
  await page.focus('.list [aria-current=true]');
  for (const [key, at] of [
    ['ArrowDown', 8],
    ['ArrowUp', 7],
    ['ArrowUp', 6],
  ]) {
    await page.keyboard.press(key);
    await until(
      page,
      (name) => document.querySelector('.path li:last-child .name').textContent === name,
      `${key} does not lead to ${wanted[at]}`,
      wanted[at]
    );
  }
  expect(
    (await page.evaluate(() => window.history.length)) === steps &&
      Math.abs((await page.$eval('.list', (list) => list.scrollTop)) - scrolled) < 60,
    'keys in the list leave steps in the history, or scroll it'
  );
  await page.setViewport({ width: 1000, height: 300 });
  await until(page, () => !document.querySelector('.list'), 'a narrow page has a list');
  await page.close();
}

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
    checkWords,
    checkSourceLine,
    checkMany,
    checkRepeated,
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
