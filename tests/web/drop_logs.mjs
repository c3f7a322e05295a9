// drop_logs.mjs - logs that are chosen or dropped on supprof.html: each fixture, two that are
// compared, and several, which a table divides into sides.
import fs from 'node:fs';
import path from 'node:path';
import { expect, show, until } from './checks.mjs';
import {
  choose,
  compareSaved,
  compared,
  fixture,
  fixtures,
  forget,
  formats,
  isChromium,
  native,
  openPage,
  waitForReport,
  work,
} from './drop_saved.mjs';

export async function checkFixtures(page) {
  const whole = ['recorded-spikes.log.gz', 'hostile-names.log', 'comma-in-path.log'];
  const everything = fs.readdirSync(fixtures).filter((name) => /\.log(\.gz)?$/.test(name));
  for (const log of isChromium
    ? everything
    : [...whole, 'small-float.log.gz', 'bad-utf8.log', 'all-damaged.log', 'empty.log']) {
    await choose(page, fixture(log));
    const problem = await waitForReport(page, log),
      wanted = native('html', fixture(log));
    if (wanted.bytes === null) {
      const message = wanted.message.replaceAll(`${fixtures}/`, '');
      expect(problem === message, `${log}: '${problem}', not '${message}'`);
      compared.outputs++;
      continue;
    }
    expect(problem === '', `${log}: ${problem}`);
    for (const format of whole.includes(log)
      ? formats
      : formats.filter(({ name }) => ['html', 'csv'].includes(name)))
      await compareSaved(page, format, [log], log);
  }
}

// A view of the report is saved, but for the report, which is the whole.
export async function checkSavedView(page) {
  const log = 'recorded-spikes.log.gz',
    chosen = ['--from=#38', '--to=#45', '--focus=^BuildThreatMap '];
  await choose(page, fixture(log));
  await waitForReport(page, log);
  await show(page, '#/functions?ticks=38-44&chip=only~pattern~%5EBuildThreatMap%20');
  for (const name of ['csv', 'folded', 'svg'])
    await compareSaved(page, { name }, [...chosen, fixture(log)], 'a view');
  await compareSaved(page, { name: 'html' }, [fixture(log)], 'the report of a view');
  await show(page, '#/overview');
  await compareSaved(page, { name: 'csv' }, [fixture(log)], 'the first page');
}

export async function checkComparison(page) {
  const names = ['compared-new.log', 'compared-old.log'];
  const [one, other] = names.map((name) => path.join(work, name));
  names.forEach((name) => fs.copyFileSync(fixture(name), path.join(work, name)));
  fs.utimesSync(one, 2e9, 2e9);
  fs.utimesSync(other, 1e9, 1e9);
  for (const order of [
    [one, other],
    [other, one],
  ]) {
    await choose(page, ...order);
    await waitForReport(page, names[0]);
    expect(
      (await page.$eval('#logs', (logs) => logs.textContent)) ===
        'newcompared-new.logoldcompared-old.logSwap×',
      'the older log is not the old one'
    );
    await compareSaved(page, formats[0], ['--diff', other, one], 'a comparison');
  }
  for (const format of formats.filter(({ compares }) => compares))
    await compareSaved(page, format, ['--diff', other, one], 'a comparison');
  expect(
    (await page.$$eval('#saving button', (all) => all.length)) ===
      formats.filter(({ compares }) => compares).length,
    'a comparison has formats that cannot show it'
  );
  await forget(page);
  await page.$$eval('#logs button', ([swap]) => swap.click());
  await waitForReport(page, names[1]);
  await compareSaved(page, formats[0], ['--diff', one, other], 'swapped logs');
  const isOf = (count) =>
    document.querySelectorAll('#logs b').length === count && document.documentElement.dataset.ready;
  await forget(page);
  await page.$$eval('#logs button', (buttons) => buttons[1].click());
  await until(page, isOf, 'a log cannot be taken off', 1);
  await compareSaved(page, formats[0], [other], 'a log that is no longer compared');
  await forget(page);
  await (await page.$('#old-input')).uploadFile(one);
  await until(page, isOf, 'no log can be added', 2);
  await compareSaved(page, formats[0], ['--diff', one, other], 'a log that is compared later');
  // Two logs that have the name of the folder in which the page would keep one of them.
  const [newer, older] = ['newer', 'older'].map((folder) => path.join(work, folder, 'old'));
  [newer, older].forEach((log, i) => {
    fs.mkdirSync(path.dirname(log), { recursive: true });
    fs.copyFileSync(fixture(names[i]), log);
    fs.utimesSync(log, 2e9 - 1e9 * i, 2e9 - 1e9 * i);
  });
  await choose(page, newer, older);
  const problem = await waitForReport(page, 'old');
  expect(problem === '', `two logs named old: ${problem}`);
  await compareSaved(page, formats[0], ['--diff', older, newer], 'two logs named old');
}

/**
 * Names say which logs are old, the table puts them right, and the report is that of --repeated.
 */
export async function checkSeveral(page) {
  const names = (side) => [1, 2, 3].map((i) => `repeated/${side}-${i}.log`),
    sides = () =>
      page.$$eval('#sides-rows tr', (rows) =>
        rows
          .map(
            (row) => `${row.querySelector('th').textContent} ${row.querySelector('select').value}`
          )
          .sort()
          .join()
      );
  await choose(page, ...names('old'), ...names('new'));
  await page.waitForSelector('#sides:not([hidden])');
  expect(
    (await sides()) ===
      ['new', 'old'].flatMap((side) => [1, 2, 3].map((i) => `${side}-${i}.log ${side}`)).join(),
    `sides are ${await sides()}`
  );
  expect(
    (await page.evaluate(() => document.activeElement.type)) === 'submit',
    'the table of logs has no focus'
  );
  await page.keyboard.press('Enter');
  expect((await waitForReport(page, 'new-1.log')) === '', 'several logs have no report');
  const repeated = formats.filter(({ compares, repeats }) => compares && repeats);
  for (const format of repeated)
    await compareSaved(
      page,
      format,
      ['--repeated', ...names('old').flatMap((log) => ['--diff', log]), ...names('new')],
      'several logs'
    );
  expect(
    (await page.$$eval('#saving button', (all) => all.length)) === repeated.length,
    'several logs have formats that cannot show them'
  );
  await forget(page);
  await page.$$eval('#logs button', ([change]) => change.click());
  await page.$$eval('#sides-rows tr', (rows) =>
    rows.forEach((row) => {
      const name = row.querySelector('th').textContent;
      row.querySelector('select').value =
        name === 'old-3.log' ? 'leave out' : name.startsWith('old') ? 'new' : 'old';
    })
  );
  await page.$eval('#sides [type=submit]', (button) => button.click());
  expect((await waitForReport(page, 'old-1.log')) === '', 'changed sides have no report');
  await compareSaved(
    page,
    formats[0],
    ['--repeated', ...names('new').flatMap((log) => ['--diff', log]), ...names('old').slice(0, 2)],
    'changed sides'
  );
}

export async function checkDrop(browser) {
  const page = await openPage(browser);
  if (!isChromium) {
    const text = fs.readFileSync(fixture('recursion.log'), 'latin1');
    await page.evaluate((contents) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([contents], 'recursion.log'));
      document.body.dispatchEvent(
        new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer })
      );
      document.body.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
      );
    }, text);
    expect((await waitForReport(page, 'recursion.log')) === '', 'a dropped log is not read');
    await compareSaved(page, formats[0], ['recursion.log'], 'a dropped log');
    return page.close();
  }
  const session = await page.createCDPSession();
  const drop = async (...files) => {
    await forget(page);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'])
      await session.send('Input.dispatchDragEvent', { type, x: 400, y: 500, data });
  };
  await drop(path.join(fixtures, 'repeated'));
  expect(
    /no Lua files in it/.test(await waitForReport(page, '')),
    'a dropped folder has no message'
  );
  const root = path.join(fixtures, 'lua-root'),
    args = ['--lua-root', root, fixture('lua-root.log')];
  await drop(fixture('lua-root.log'), root);
  expect(
    /named \d+ of/.test(await waitForReport(page, 'lua-root.log')),
    'sources beside a log are not taken'
  );
  await compareSaved(page, formats[0], args, 'a log and a folder of Lua');
  await drop(fixture('lua-root.log'));
  await waitForReport(page, 'lua-root.log');
  await compareSaved(page, formats[0], args.slice(2), 'the next log, which has no sources');
  await drop(root);
  await waitForReport(page, 'lua-root.log');
  await compareSaved(page, formats[0], args, 'a folder of Lua for the shown log');
  await drop(fixture('recursion.log'));
  expect((await waitForReport(page, 'recursion.log')) === '', 'a dropped log is not read');
  await compareSaved(page, formats[0], ['recursion.log'], 'a dropped log');
  // Over a report, too.
  await drop(fixture('tail-calls.log'));
  expect(
    (await waitForReport(page, 'tail-calls.log')) === '',
    'a log that is dropped on a report is not read'
  );
  await drop(fixture('recursion.log'), fixture('tail-calls.log'), fixture('names.log'));
  await page.waitForSelector('#sides:not([hidden])');
  await page.close();
}
