// use_keys.mjs - what a report does without a mouse: the focus, the search, ten tasks by keyboard
// alone, and the key that copies a place.
import path from 'node:path';
import { becomes, expect, fail, show, until } from './checks.mjs';
import { openReport } from './reports.mjs';
import { catchCopies, fixtures, focusOf, run, said, textOf, work } from './use_report.mjs';

// What had the focus has it after the next view is drawn, or the page has it: never the body.
export async function checkFocus(page) {
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

// The search box: functions, files, ticks, times, lines; open, only, hide; by keyboard alone.
export async function checkSearch(page) {
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

// One key copies where the shown function is; About says it, and how the log was recorded.
export async function checkPlace(page, log) {
  await catchCopies(page);
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
export async function checkSourceLine(browser) {
  const { page } = await openReport(
    browser,
    run,
    path.join(fixtures, 'recorded-spikes.log.gz'),
    work,
    said,
    `--lua-root=${path.join(fixtures, 'sources')}`
  );
  await catchCopies(page);
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
export async function checkKeyboard(browser) {
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
  await page.evaluate(() => document.activeElement.blur());
  await catchCopies(page);
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
