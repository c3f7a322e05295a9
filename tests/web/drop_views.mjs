// drop_views.mjs - the report in supprof.html: links, Back and keys, a second log, and a real
// download.
import fs from 'node:fs';
import path from 'node:path';
import { expect, pressInVain, until } from './checks.mjs';
import {
  apply,
  choose,
  compareSaved,
  fixture,
  focused,
  formats,
  hash,
  native,
  openPage,
  setOption,
  waitForReport,
  work,
} from './drop_saved.mjs';

export async function checkViews(browser) {
  const page = await openPage(browser);
  await page.click('#try');
  expect((await waitForReport(page, 'example.log')) === '', 'the example is not read');
  expect(
    (await focused(page)) === 'H1',
    `after the example is opened, ${await focused(page)} has the focus`
  );
  const becomes = (wanted) =>
    until(
      page,
      (text) => {
        const { view } = document.body.dataset,
          { hash } = window.location;
        return (
          `${view} ${hash}` === text &&
          (view !== 'report' || document.documentElement.dataset.shown === hash)
        );
      },
      `another view than ${wanted} is shown`,
      wanted
    );
  expect(
    (await page.evaluate(() => {
      document.querySelector('#show-saving').click();
      const cut = [...document.querySelectorAll('#saving button')].filter(
        (button) => button.scrollWidth > button.clientWidth
      );
      document.querySelector('#show-saving').click();
      return cut.length;
    })) === 0,
    'what can be saved is cut'
  );
  expect(
    (await page.$eval('#page', (element) => element.textContent)).includes(
      'BuildThreatMap itself is 92% of the time of the 4 slow ticks'
    ),
    'the first screen does not answer'
  );
  await becomes('report #/overview');
  await page.click('nav a[href="#/functions"]');
  await becomes('report #/functions');
  await page.evaluate(() => window.history.back());
  await becomes('report #/overview');
  await page.evaluate(() => window.history.back());
  await becomes('start ');
  await page.evaluate(() => window.history.forward());
  await becomes('report #/overview');
  // A second report: the first one must not answer any more.
  await choose(page, fixture('recursion.log'));
  await waitForReport(page, 'recursion.log');
  await page.keyboard.press('2');
  await becomes('report #/functions');
  expect(
    (await page.$$('#header')).length === 1 &&
      !(await page.$eval('#report', (element) => element.textContent)).includes('BuildThreatMap'),
    'the last report is still there'
  );
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide <= 0, `the page is ${wide} pixels too wide`);
  await page.setViewport({ width: 400, height: 800 });
  for (const id of ['show-options', 'show-saving', 'show-about']) {
    await page.$eval(`#${id}`, (button) => button.click());
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth
    );
    expect(over <= 0, `${id}: the page is ${over} pixels too wide on a small screen`);
    if (id === 'show-saving')
      expect(
        await page.evaluate(
          () =>
            Math.abs(
              document.querySelector('#saving').getBoundingClientRect().top -
                document.querySelector('#show-bar').getBoundingClientRect().bottom
            ) < 12
        ),
        'on a small screen the formats are not below the menu'
      );
  }
  await page.$eval('#show-options', (button) => button.click());
  await checkBars(page);
  await page.close();
}

/** There are two bars, however wide the window is; where the first has no room, it is a menu. */
async function checkBars(page) {
  await page.keyboard.press('Escape');
  for (const [width, most] of [
    [701, 80],
    [800, 80],
    [1024, 80],
    [1199, 80],
    [1200, 105],
    [1440, 90],
  ]) {
    await page.setViewport({ width, height: 800 });
    const height = await page.evaluate(
      () => document.querySelector('#header').getBoundingClientRect().bottom + window.scrollY
    );
    expect(height <= most, `at ${width} pixels the bars are ${height} pixels high`);
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth
    );
    expect(over <= 0, `the page is ${over} pixels too wide at ${width}`);
  }
  await page.setViewport({ width: 800, height: 800 });
  await page.click('#show-bar');
  await page.click('#show-saving');
  await page.waitForSelector('#saving button', { visible: true });
  expect(
    await page.$eval('#bar-parts', (parts) => parts.getClientRects().length === 0),
    'the menu stays open'
  );
  await page.keyboard.press('Escape');
  expect((await focused(page)) === 'show-bar', `Escape leads to ${await focused(page)}`);
}

/**
 * A log that cannot be read, or not to its end, leaves the shown report with its options and its
 * title.
 */
export async function checkSecondLog(browser) {
  const page = await openPage(browser),
    log = 'recorded-coroutines.log.gz';
  await choose(page, fixture(log));
  await waitForReport(page, log);
  const title = await page.title();
  expect(title.includes(log), `the title of a report is '${title}'`);
  await apply(page, { thread: 'main' }, log, ['--thread=main']);
  await setOption(page, 'run', '9');
  const found = () =>
    page.evaluate(() =>
      [
        document.body.dataset.view,
        document.querySelector('#option-thread').value,
        document.querySelector('#option-run').value,
        document.querySelector('.field-problem')?.textContent ?? '',
        document.title,
      ].join(' | ')
    );
  const wanted = `report | main |  |  | ${title}`;
  await choose(page, fixture('empty.log'));
  await page.waitForSelector('#problem:not([hidden])');
  expect(
    (await found()) === wanted,
    `after a log that cannot be read: '${await found()}', not '${wanted}'`
  );
  await page.click('#close-problem');
  // What throws after a run leaves a page that can be used.
  await page.evaluate(() => {
    window.parseForTest = DOMParser.prototype.parseFromString;
    DOMParser.prototype.parseFromString = () => {
      throw new Error('for the test');
    };
  });
  await choose(page, fixture('recursion.log'));
  expect(
    (await waitForReport(page, 'recursion.log')) === 'for the test',
    'what throws leaves no message'
  );
  expect((await found()) === wanted, `after what throws: '${await found()}', not '${wanted}'`);
  await page.evaluate(() => {
    DOMParser.prototype.parseFromString = window.parseForTest;
  });
  // Neither a dialog nor the start page is a report that keys could turn.
  const hash = () => page.evaluate(() => window.location.hash);
  await page.click('#show-about');
  await until(page, () => document.querySelector('#about').open, 'there is no dialog');
  await pressInVain(page, '3');
  expect((await hash()) === '#/overview', 'a key turns the report below a dialog');
  await page.keyboard.press('Escape');
  await until(
    page,
    () => !document.querySelector('#about').open,
    'Escape does not close the dialog'
  );
  await page.click('.home');
  await until(page, () => document.body.dataset.view === 'start', 'there is no way to the start');
  await pressInVain(page, '3');
  expect(
    (await hash()) === '' && (await page.title()) === 'supprof: read a game log',
    `on the start page: '${await hash()}', '${await page.title()}'`
  );
  // Another log has no option of the one before it.
  await page.goBack();
  await until(
    page,
    () => document.body.dataset.view === 'report',
    'there is no way back to the report'
  );
  await choose(page, fixture('recursion.log'));
  expect(
    (await waitForReport(page, 'recursion.log')) === '',
    'an option of one log is used for another'
  );
  await compareSaved(page, formats[0], ['recursion.log'], 'a log after one with options');
  // Nothing forgets the message here, but the page itself.
  await choose(page, fixture('empty.log'));
  await page.waitForSelector('#problem:not([hidden])');
  await (await page.$('#log-input')).uploadFile(fixture('recursion.log'));
  await until(
    page,
    () => document.querySelector('#problem').hidden,
    'a message stays when another log is read'
  );
  await setOption(page, 'thread', 'coroutine');
  await page.reload();
  await page.waitForSelector('html[data-page-ready]');
  expect(
    (await page.$eval('#option-thread', (field) => field.value)) === '',
    'an option is kept over a reload'
  );
  await page.close();
}

export async function checkRealDownload(browser) {
  const page = await openPage(browser, { isKept: false }),
    folder = path.join(work, 'downloads');
  fs.mkdirSync(folder);
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
  await choose(page, fixture('recorded-spikes.log.gz'));
  await waitForReport(page, 'recorded-spikes.log.gz');
  for (const format of ['html', 'pprof']) {
    await page.click('#show-saving');
    await page.waitForSelector(`#saving [data-format=${format}]`, { visible: true });
    await page.click(`#saving [data-format=${format}]`);
  }
  const wanted = ['recorded-spikes.html', 'recorded-spikes.pb.gz'],
    giveUp = Date.now() + page.getDefaultTimeout();
  while (fs.readdirSync(folder).sort().join() !== wanted.join() && Date.now() < giveUp)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(
    fs.readdirSync(folder).sort().join() === wanted.join(),
    `downloads are ${fs.readdirSync(folder)}`
  );
  expect(
    hash(fs.readFileSync(path.join(folder, wanted[1]))) ===
      hash(native('pprof', fixture('recorded-spikes.log.gz')).bytes),
    'a download has other bytes'
  );
  const [chooser] = await Promise.all([
    page.waitForFileChooser(),
    page.focus('#other').then(() => page.keyboard.press('Enter')),
  ]);
  expect(chooser.isMultiple(), 'the keyboard opens no dialog for files');
  await page.close();
}
