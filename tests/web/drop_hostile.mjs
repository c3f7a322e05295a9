// drop_hostile.mjs - damaged and hostile logs, folders and pictures leave a message and a page that
// still works; so do a worker that runs out of memory, and a run that is cancelled.
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, until } from './checks.mjs';
import {
  choose,
  fixture,
  fixtures,
  isChromium,
  native,
  openPage,
  save,
  waitForReport,
  work,
} from './drop_saved.mjs';

function hostileLogs() {
  const folder = path.join(work, 'hostile');
  fs.mkdirSync(folder, { recursive: true });
  const put = (name, bytes) => {
    fs.writeFileSync(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  const spikes = fs.readFileSync(fixture('recorded-spikes.log.gz'));
  const made = [
    put('picture.png', fs.readFileSync(path.join(fixtures, 'pictures/report.png'))),
    put('cut.log.gz', spikes.subarray(0, 9000)),
    put(
      'random.log',
      crypto.createHash('shake256', { outputLength: 300000 }).update('a seed').digest()
    ),
    put('zeros.log', Buffer.alloc(2e6)),
    put('-', fs.readFileSync(fixture('recursion.log'))),
    put('--help', fs.readFileSync(fixture('recursion.log'))),
    put('output', fs.readFileSync(fixture('recursion.log'))),
    put('<b>&"\'.log', fs.readFileSync(fixture('hostile-names.log'))),
    put('длинное имя 💥.log', fs.readFileSync(fixture('recursion.log'))),
    put('\ufeffmark.log', fs.readFileSync(fixture('recursion.log'))),
    put('a report.html', native('html', fixture('recursion.log')).bytes),
  ];
  const corpora = ['corpus', 'corpus-recording'].map((name) =>
    path.join(fixtures, '../tests/fuzz', name)
  );
  const found = corpora.flatMap((corpus) =>
    fs
      .readdirSync(corpus)
      .sort()
      .filter((_, i) => i % (isChromium ? 4 : 16) === 0)
      .map((name) => path.join(corpus, name))
  );
  return [...made, ...found];
}

/** A report of a part of a log says so, and so does what is saved of it. */
async function checkPart(page, problem) {
  const message =
    "cannot read all of 'cut.log.gz': the compressed data ends too early; what comes before it " +
    'is used';
  expect(problem === message, `a cut log: '${problem}'`);
  expect(
    (await page.$eval('#problem-what', (element) => element.textContent)) ===
      'Only a part of cut.log.gz was read',
    'a report of a part does not say so'
  );
  expect(
    (await page.$eval('#problem-advice', (element) => element.textContent)).includes(
      'another copy'
    ),
    'a cut log has no advice'
  );
  for (const format of ['html', 'csv']) {
    expect(
      (await save(page, format)).problem === message,
      `${format} of a part is saved without a message`
    );
    await until(page, () => window.savedForTest.length > 0, `${format} of a part is not saved`);
    await page.evaluate(() => {
      window.savedForTest = [];
    });
  }
}

export async function checkHostile(page) {
  let problems = 0;
  for (const log of hostileLogs()) {
    await choose(page, log);
    const problem = await waitForReport(page, path.basename(log)).catch(
      (error) => `dead: ${error.message}`
    );
    const wanted = native('html', '--', log === '-' ? './-' : log);
    if (problem !== '') problems++;
    expect(
      (problem === '') === (wanted.status === 0) && !problem.startsWith('dead'),
      `${path.basename(log)}: '${problem}', but supprof says '${wanted.message}'`
    );
    expect(
      wanted.bytes === null || (await page.evaluate(() => document.body.dataset.view)) === 'report',
      `${path.basename(log)}: the report is not shown`
    );
    if (path.basename(log) === 'cut.log.gz') await checkPart(page, problem);
  }
  expect(problems >= 4, `only ${problems} hostile logs are refused`);
  // Another document, whose worker runs out of memory.
  const broken = await openPage(page.browser());
  await broken.evaluate(() => {
    document.getElementById('embedded-worker').textContent =
      'self.onmessage = () => { self.postMessage({ failure: "RangeError: out of memory" }); };';
  });
  await choose(broken, fixture('recursion.log'));
  expect(
    (await waitForReport(broken, 'recursion.log')).includes('out of memory'),
    'a worker without memory leaves no message'
  );
  expect(
    (await broken.$eval('#problem-advice', (element) => element.textContent)).includes(
      'too little memory'
    ),
    'it is not said what to do without memory'
  );
  expect(
    (await broken.evaluate(() => document.body.dataset.view)) === 'start',
    'without memory, no log can be chosen'
  );
  await broken.close();
}

/**
 * Runs in the page before its scripts: keeps the result of a run that reads more than 10 MB from
 * it, so that there is a run to cancel however fast it reads, and counts the page's turns while the
 * worker reads.
 */
function holdLargeRuns() {
  window.turnsForTest = 0;
  document.addEventListener('DOMContentLoaded', () => {
    setInterval(() => {
      window.turnsForTest += / of \d/.test(document.querySelector('#reading-bytes').textContent)
        ? 1
        : 0;
    }, 5);
    const worker = document.getElementById('embedded-worker');
    worker.textContent = `{
      const post = self.postMessage.bind(self);
      let isLarge = false;
      self.postMessage = (answer) => {
        isLarge ||= answer.progress?.total > 1e7;
        if (answer.progress || !isLarge) post(answer);
      };
    }
    ${worker.textContent}`;
  });
}

export async function checkCancel(browser) {
  const large = path.join(work, 'large.log'),
    text = spawnSync('gzip', ['-dc', fixture('small-float.log.gz')], { maxBuffer: 1 << 26 }).stdout;
  for (let i = 0; i < 40; i++) fs.appendFileSync(large, text);
  const page = await openPage(browser, { before: holdLargeRuns });
  await choose(page, large);
  await until(
    page,
    () =>
      !document.querySelector('#reading').hidden &&
      / of \d| read; /.test(document.querySelector('#reading-bytes').textContent),
    'a reading is not shown'
  );
  await until(
    page,
    () => window.turnsForTest >= 10,
    'the page does not respond while the worker reads'
  );
  // That it reads is said once, not ten times a second.
  expect(
    (await page.$eval(
      '#said',
      (element) => `${element.getAttribute('role')} ${element.textContent}`
    )) === 'status Reading large.log',
    'it is not said that the log is read'
  );
  expect(
    await page.$eval(
      '#reading-bytes',
      (element) => element.closest('[role=status], [aria-live]') === null
    ),
    'each step of the reading is said'
  );
  await page.$eval('#cancel', (button) => button.click());
  await until(
    page,
    () => document.body.dataset.view === 'start' && document.querySelector('#reading').hidden,
    'cancel does not end the run'
  );
  await choose(page, fixture('recursion.log'));
  expect(
    (await waitForReport(page, 'recursion.log')) === '',
    'no log can be read after a run was cancelled'
  );
  fs.rmSync(large);
  await page.close();
}
