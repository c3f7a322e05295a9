// use_look.mjs - how a report looks: its first screen on several windows, on paper, with a finger,
// and of a log without a recording.
import fs from 'node:fs';
import path from 'node:path';
import { becomes, expect, show } from './checks.mjs';
import { chip, functionAddresses, openReport } from './reports.mjs';
import { fixtures, kind, run, said, textOf, work } from './use_report.mjs';

// The first five seconds: the verdict is the largest text; slow ticks are red; the table begins on
// the first screen, with what stands out, and its links, beside it; the sum is there once.
export async function checkFirst(page) {
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
        loop: others.textContent.match(/ms, 6% of the time. Open ([A-Za-z]+)/)?.[1],
        isLargest: [...document.querySelectorAll('body *')].every(
          (element) => element === first || sizeOf(element) <= sizeOf(first)
        ),
        table: top(table),
        isBeside: top(others) < top(table) + 20 && others.getBoundingClientRect().left > 700,
        sums: ['header', 'page'].flatMap(
          (id) => document.getElementById(id).innerText.match(/\b767(\.\d+)? ms/g) ?? []
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
        /^767\.036 ms.*4 of 201.*149\.2 ms.*#38.*99\.9%.* without a mark/.test(seen.keys) &&
        /^BuildThreatMap itself is 92% of the time of the 4 slow ticks/.test(seen.found) &&
        seen.isLargest &&
        seen.link.startsWith('#/path/') &&
        seen.loop === 'BuildThreatMap' &&
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

// Who is said to make a tick slow has half of it or more.
export async function checkBlame(browser) {
  const log = path.join(fixtures, 'long-call.log'),
    { page } = await openReport(browser, run, log, work, said),
    [, percent, name] = /: (\d+)% (.+?)\. Ticks:/.exec(run(log)),
    text = await textOf(page, '.first');
  expect(
    Number(percent) < 50 && text === `${name} takes ${percent}% of the longest tick.`,
    `of a function with ${percent}% of a tick, the page says '${text}'`
  );
  await page.close();
}

// On phones, at 200 % and at 1024 pixels, names and headings keep their words, and marks stay
// beside names, where they are seen; columns go first. The links to all pages are in one line.
export async function checkWords(browser) {
  const log = path.join(fixtures, 'game/zoo.log.gz'),
    repeated = (side) => path.join(fixtures, `repeated/${side}-1.log`);
  for (const [of, ...more] of [
    [log],
    [log, '--diff', log],
    [repeated('new'), '--repeated', '--diff', repeated('old')],
  ]) {
    const { page } = await openReport(browser, run, of, work, said, ...more),
      [address] = await functionAddresses(page);
    for (const width of [320, 390, 720, 1024, 1280]) {
      await page.setViewport({ width, height: 900 });
      for (const hash of [
        'overview',
        'calls',
        'budget',
        'files',
        'threads',
        'functions?growth=51-63,103-116',
        address.slice(2),
      ]) {
        await show(page, `#/${hash}`);
        const broken = await page.evaluate(
          (least) => {
            const top = (element) => element.getBoundingClientRect().top,
              left = (element) => element.getBoundingClientRect().left,
              found = [];
            const walker = document.createTreeWalker(document.getElementById('page'), 4),
              range = document.createRange();
            while (walker.nextNode()) {
              const { data, parentElement } = walker.currentNode;
              if (!parentElement.matches('.rows :is(a.name, thead *):not(.list *)')) continue;
              for (const { 0: word, index } of data.matchAll(/\S+/g)) {
                range.setStart(walker.currentNode, index);
                range.setEnd(walker.currentNode, index + word.length);
                if (range.getClientRects().length > 1) found.push(word);
              }
            }
            for (const mark of document.querySelectorAll('.mark, .opener'))
              if (
                top(mark.nextElementSibling) > top(mark) + 10 ||
                left(mark) < left(mark.closest('.scroll') ?? document.body)
              )
                found.push(mark.outerHTML);
            const lines = new Set([...document.querySelectorAll('nav a')].map(top));
            if (window.innerWidth > 320 && lines.size > 1) found.push('pages in two lines');
            for (const name of document.querySelectorAll('.rows tbody tr:first-child th'))
              if (
                name.matches(':has(.name):not(.list *, .columns *, [aria-label="All of it"] *)') &&
                name.clientWidth < least
              )
                found.push(`${name.clientWidth} pixels for ${name.textContent}`);
            return found;
          },
          280 + (width > 700 && of === log ? 20 : 0)
        );
        expect(broken.length === 0, `at ${width} pixels, ${hash} breaks ${broken.slice(0, 3)}`);
      }
    }
    await page.close();
  }
}

// What is printed is on white in dark schemes, too; chips, the command, bars and key figures are
// there; pictures fit, and are on the paper.
export async function checkPrint(page) {
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
export async function checkMetric(page) {
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

// A finger takes the longest tick near it; what is in no file is said.
export async function checkTouch(page) {
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

// A log without a recording: sim speed, heap and errors as json has them.
export async function checkUnrecorded(browser) {
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
