// drop_options.mjs - the options of supprof.html: they apply, and the program's messages about them
// are beside them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from './checks.mjs';
import {
  apply,
  choose,
  compareSaved,
  fixture,
  fixtures,
  forget,
  formats,
  hash,
  isChromium,
  native,
  reset,
  supprof,
  waitForReport,
  work,
} from './drop_saved.mjs';

export async function checkOptions(page) {
  const log = 'recorded-coroutines.log.gz';
  await choose(page, fixture(log));
  await waitForReport(page, log);
  await page.$eval('#show-options', (button) => button.click());
  await apply(page, { from: '#22', to: '2.9' }, log, ['--from=#22', '--to=2.9']);
  const text = await page.$eval('#show-options', (button) => button.textContent);
  expect(native('html', '--from=#22', '--to=2.9', log).bytes !== null, 'the window is empty');
  expect(text === 'Options (2)', `the button of two options is '${text}'`);
  await apply(page, { thread: 'coroutine', fold: true }, log, [
    '--thread=coroutine',
    '--fold-recursion',
  ]);
  await compareSaved(
    page,
    formats.find(({ name }) => name === 'folded'),
    ['--thread=coroutine', '--fold-recursion', log],
    'a saved file with options'
  );
  for (const [id, value] of [
    ['from', 'abc'],
    ['to', '#0'],
    ['run', '9'],
    ['run', 'x'],
    ['from', '9:59:00'],
  ]) {
    const problem = await apply(page, { [id]: value }, log, [`--${id}=${value}`]);
    expect(
      problem !== '' && !problem.includes('--'),
      `--${id}=${value} has the message '${problem}'`
    );
    expect(
      await page.$eval(`#option-${id}`, (field) => field.getAttribute('aria-invalid') === 'true'),
      `--${id}=${value} is not marked`
    );
  }
  // The name that the page has for what it makes.
  const root = path.join(work, 'output');
  fs.cpSync(path.join(fixtures, 'lua-root'), root, { recursive: true });
  if (!isChromium) return;
  await choose(page, fixture('lua-root.log'));
  await waitForReport(page, 'lua-root.log');
  await reset(page, 'lua-root.log');
  await (await page.$('#folder-input')).uploadFile(root);
  await page.waitForSelector('#remove-lua-root:not([hidden])');
  const before = native('html', fixture('lua-root.log')).bytes,
    after = native('html', '--lua-root', root, fixture('lua-root.log')).bytes;
  expect(hash(before) !== hash(after), 'the sources give no names');
  await forget(page);
  await page.$eval('#options [type=submit]', (button) => button.click());
  // A file of it is of another version, and another one is not there.
  const said = spawnSync(
    supprof,
    [
      '--progress=never',
      '-o',
      path.join(work, 'x.html'),
      '--lua-root',
      root,
      fixture('lua-root.log'),
    ],
    { encoding: 'utf8' }
  ).stderr;
  const problem = await waitForReport(page, 'lua-root.log');
  expect(
    problem !== '' && said.includes(`--lua-root: ${problem} (`),
    `sources that do not fit: '${problem}', not '${said}'`
  );
  await compareSaved(page, formats[0], ['--lua-root', root, 'lua-root.log'], 'a folder of sources');
}
