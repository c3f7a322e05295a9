// use_addresses.mjs - where a report leads: addresses that no page has made, links to another
// report, Back, patterns that take for ever, and a function beside the list.
import path from 'node:path';
import { becomes, expect, show, until } from './checks.mjs';
import { chip, functionAddresses, openReport } from './reports.mjs';
import { fixtures, run, said, textOf, work } from './use_report.mjs';

// A pattern whose search would take for ever ends with a message, also from an address.
export async function checkPattern(page) {
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

// Addresses that no page has made: each shows a page, and no error.
export async function checkAddresses(page) {
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

// A link holds a function by its name and place: it opens the same function of another recording of
// the game, and an address that this report does not know says so.
export async function checkLinks(browser) {
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
export async function checkBack(page) {
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

// On a wide screen a function opens beside the list, which keeps its filter, order and place; up
// and down lead through it in one step of the history.
export async function checkBeside(browser) {
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
