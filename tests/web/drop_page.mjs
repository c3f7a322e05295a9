// drop_page.mjs SUPPROF FIXTURES WORK BROWSER EXECUTABLE PAGE
//
// Uses supprof.html as a reader does, in a browser (chromium or firefox), from file://: logs are
// chosen and dropped, reports open, and what is saved must have the bytes that the program writes.
// Checked on the way:
//
// - two logs are compared, the older one is the old one, and they can be swapped; of several, a
//   table has the sides;
// - options apply, and the program's messages about them are beside them;
// - damaged and hostile logs, folders and pictures leave a message and a page that still works; so
//   do a worker that runs out of memory, and a run that is cancelled;
// - links and Back; old browsers; no JavaScript; axe-core;
// - nothing is loaded, and what tries to connect is stopped.
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {
  inPageWords,
  offeredFormats,
  problemOf,
  readMessages,
} from '../../src/web/page_request.js';
import {
  expect,
  fade,
  fail,
  failedCount,
  newPage,
  pressInVain,
  show,
  step,
  until,
  withBrowser,
} from './checks.mjs';

const [supprof, fixtures, work, kind, executable, pageFile] = process.argv.slice(2);
const isChromium = kind !== 'firefox';
const address = `file://${path.resolve(pageFile)}`;
const said = [];
let compared = 0;

// What the program that is in the page says of its formats.
const formats = offeredFormats(
  JSON.parse(/ id="formats">(.*?)<\/script>/s.exec(fs.readFileSync(pageFile, 'utf8'))[1]),
  false
);
const fields = {
  '--from': 'From',
  '--to': 'To',
  '--thread': 'Thread',
  '--run': 'Run',
  '--lua-root': 'Lua sources',
  '--fold-recursion': 'Fold recursion',
};

/** What supprof writes: its bytes, or null and what it says. */
function native(format, ...args) {
  const output = path.join(work, 'native-output');
  fs.rmSync(output, { force: true });
  const { status, stderr } = spawnSync(
    supprof,
    ['-q', '--codes', '-f', format, '-o', output, ...args],
    { encoding: 'utf8', maxBuffer: 1 << 26 }
  );
  const bytes = fs.existsSync(output) ? fs.readFileSync(output) : null;
  const problem = problemOf(readMessages(stderr));
  return { bytes, status, message: problem ? inPageWords(problem, fields) : '' };
}

const hash = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');
const fixture = (name) => path.join(fixtures, name);

/* The page ------------------------------------------------------------------------------------- */

/** Runs in the page before its scripts: keeps what it saves. */
function keepSaved() {
  window.savedForTest = [];
  const blobs = new Map();
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = make(blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function click() {
    window.savedForTest.push({ name: this.download, blob: blobs.get(this.href) });
  };
}

async function openPage(
  browser,
  { url = address, isKept = true, before, isQuiet = () => false } = {}
) {
  const page = await newPage(browser);
  await page.setViewport({ width: 1280, height: 800 });
  if (isKept) await page.evaluateOnNewDocument(keepSaved);
  if (before) await page.evaluateOnNewDocument(before);
  const say = (what) => !isQuiet() && said.push(what);
  page.on('pageerror', (error) => say(error.message));
  page.on(
    'console',
    (message) => ['error', 'warn', 'warning'].includes(message.type()) && say(message.text())
  );
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url()) && request.url() !== url)
      say(`request of ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector('html[data-page-ready], body[data-view=unsupported]');
  return page;
}

/** What has the focus: an id, or the name of an element. */
const focused = (page) =>
  page.evaluate(() => document.activeElement.id || document.activeElement.tagName);

/** Makes waitForReport() wait for what comes next, and not be content with what is shown. */
const forget = (page) =>
  page.evaluate(() => {
    delete document.documentElement.dataset.ready;
    document.querySelector('#problem').hidden = true;
    document.querySelector('.field-problem')?.remove();
  });

async function choose(page, ...files) {
  await forget(page);
  await (await page.$('#log-input')).uploadFile(...files);
}

/** Waits for the report of a log, or for a problem, whose text is returned. */
async function waitForReport(page, name) {
  const handle = await page.waitForFunction(
    (wanted) => {
      const problem =
        document.querySelector('#problem:not([hidden])') ??
        document.querySelector('.field-problem');
      if (problem)
        return { problem: (problem.querySelector('#problem-text') ?? problem).textContent };
      const logs = [...document.querySelectorAll('#logs b')].map((element) => element.textContent);
      return document.querySelector('#reading').hidden &&
        document.body.dataset.view === 'report' &&
        logs[0] === wanted &&
        document.documentElement.dataset.ready
        ? { problem: '' }
        : false;
    },
    { polling: 20 },
    name
  );
  return (await handle.jsonValue()).problem;
}

/** Saves in a format: name and hash, or the problem. */
async function save(page, format) {
  return page.evaluate(async (wanted) => {
    const { savedForTest } = window;
    const count = savedForTest.length;
    document.querySelector('#close-problem').click();
    document.querySelector('#show-saving').click();
    document.querySelector(`#saving [data-format="${wanted}"]`).click();
    for (;;) {
      const problem =
        document.querySelector('#problem:not([hidden]) #problem-text') ??
        document.querySelector('.field-problem');
      if (problem) return { problem: problem.textContent };
      if (savedForTest.length > count) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { name, blob } = savedForTest.pop();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return {
      name,
      bytes: blob.size,
      hash: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    };
  }, format);
}

/** Compares what the page saves with what supprof writes. */
async function compareSaved(page, format, args, what) {
  const found = await save(page, format.name),
    wanted = native(format.name, ...args);
  compared++;
  if (wanted.bytes === null)
    expect(
      found.problem === wanted.message,
      `${what}, ${format.name}: '${found.problem}', not '${wanted.message}'`
    );
  else
    expect(
      found.hash === hash(wanted.bytes),
      `${what}, ${format.name}: ${found.problem ?? `${found.bytes} bytes`}, not ` +
        `the ${wanted.bytes.length} of supprof`
    );
  return found;
}

/* Fixtures ------------------------------------------------------------------------------------- */

async function checkFixtures(page) {
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
      compared++;
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
async function checkSavedView(page) {
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

/* Two logs ------------------------------------------------------------------------------------- */

async function checkComparison(page) {
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

/* Several logs --------------------------------------------------------------------------------- */

/**
 * Names say which logs are old, the table puts them right, and the report is that of --repeated.
 */
async function checkSeveral(page) {
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

/* Options -------------------------------------------------------------------------------------- */

const setOption = (page, id, value) =>
  page.$eval(
    `#option-${id}`,
    (field, wanted) => {
      if (field.type === 'checkbox') field.checked = wanted;
      else field.value = wanted;
    },
    value
  );

async function reset(page, log) {
  await forget(page);
  await page.$eval('#reset-options', (button) => button.click());
  await waitForReport(page, log);
}

/** Applies options, and compares the new report; returns the message beside an option. */
async function apply(page, options, log, args) {
  await reset(page, log);
  for (const [id, value] of Object.entries(options)) await setOption(page, id, value);
  await forget(page);
  await page.$eval('#options [type=submit]', (button) => {
    button.focus();
    button.click();
  });
  const problem = await waitForReport(page, log),
    what = `${log} ${args.join(' ')}`;
  const wanted = native('html', ...args, log);
  if (wanted.bytes === null)
    expect(
      problem === wanted.message.replaceAll(`${fixtures}/`, ''),
      `${what}: '${problem}', not '${wanted.message}'`
    );
  else {
    const isOpen = await page.$eval('#options', (form) => !form.hidden);
    expect(
      (await focused(page)) === (isOpen ? 'BUTTON' : 'H1'),
      `after options are applied, ${await focused(page)} has the focus`
    );
    await compareSaved(page, formats[0], [...args, log], what);
  }
  return problem;
}

async function checkOptions(page) {
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

/* What is no log, and what breaks -------------------------------------------------------------- */

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

async function checkHostile(page) {
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

async function checkCancel(browser) {
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

/* Drops ---------------------------------------------------------------------------------------- */

async function checkDrop(browser) {
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

/* The report in the page ----------------------------------------------------------------------- */

async function checkViews(browser) {
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
                document.querySelector('#bar').getBoundingClientRect().bottom
            ) < 4
        ),
        'on a small screen the formats are not below the bar'
      );
  }
  await page.close();
}

/**
 * A log that cannot be read, or not to its end, leaves the shown report with its options and its
 * title.
 */
async function checkSecondLog(browser) {
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

async function checkRealDownload(browser) {
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

/* Nothing leaves ------------------------------------------------------------------------------- */

async function checkConnections(browser) {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(request.url === '/supprof.html' ? fs.readFileSync(pageFile) : 'got it');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = `http://127.0.0.1:${server.address().port}`;
  for (const url of [address, `${root}/supprof.html`]) {
    let isTrying = false; // the browser says that it stops what is tried
    const page = await openPage(browser, { url, isQuiet: () => isTrying });
    await choose(page, fixture('recursion.log'));
    expect((await waitForReport(page, 'recursion.log')) === '', `${url}: the log is not read`);
    await compareSaved(page, formats[0], ['recursion.log'], url);
    isTrying = true;
    const tried = await page.evaluate(async (to) => {
      const results = [];
      const run = async (name, attempt) =>
        results.push(
          `${name} ${await Promise.race([
            attempt().then(
              () => 'went through',
              () => 'stopped'
            ),
            new Promise((resolve) => setTimeout(() => resolve('stopped'), 1000)),
          ])}`
        );
      await run('fetch', () => fetch(`${to}/fetch`));
      await run(
        'image',
        () =>
          new Promise((resolve, reject) =>
            Object.assign(new Image(), { onload: resolve, onerror: reject, src: `${to}/image` })
          )
      );
      await run(
        'script',
        () =>
          new Promise((resolve, reject) =>
            document.head.append(
              Object.assign(document.createElement('script'), {
                onload: resolve,
                onerror: reject,
                src: `${to}/script`,
              })
            )
          )
      );
      await run(
        'frame',
        () =>
          new Promise((resolve, reject) =>
            document.body.append(
              Object.assign(document.createElement('iframe'), {
                onerror: reject,
                src: `${to}/frame`,
              })
            )
          )
      );
      await run(
        'socket',
        () =>
          new Promise((resolve, reject) => {
            Object.assign(new WebSocket(to.replace('http', 'ws')), {
              onopen: resolve,
              onerror: reject,
            });
          })
      );
      await run(
        'inline script',
        () =>
          new Promise((resolve) => {
            window.ranForTest = resolve;
            document.head.append(
              Object.assign(document.createElement('script'), {
                textContent: 'window.ranForTest()',
              })
            );
          })
      );
      const source =
        `onmessage = async () => postMessage(await fetch('${to}/worker')` +
        ".then(() => 'went through', () => 'stopped'))";
      const worker = new Worker(
        URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
      );
      worker.postMessage(0);
      results.push(
        `worker ${await new Promise((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
        })}`
      );
      navigator.sendBeacon?.(`${to}/beacon`);
      return results;
    }, root);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(
      tried.length === 7 && tried.every((result) => result.endsWith('stopped')),
      `${url}: ${tried.join(', ')}`
    );
    await page.close();
  }
  const others = asked.filter((url) => !['/supprof.html', '/favicon.ico'].includes(url));
  expect(others.length === 0, `the server was asked for ${others.join(', ')}`);
  expect(asked.includes('/supprof.html'), 'the page was not served');
  server.close();
}

/* Old browsers, no script, axe ----------------------------------------------------------------- */

async function checkOld(browser) {
  const isOld = () => document.body.dataset.view === 'unsupported';
  const old = await openPage(browser, {
    before: () => {
      delete window.DecompressionStream;
    },
  });
  await until(old, isOld, 'an old browser is not known');
  expect(
    (await old.$eval('#unsupported', (element) => element.offsetHeight > 0)) &&
      (await old.$eval('#drop', (element) => element.offsetHeight === 0)),
    'an old browser is not told'
  );
  await old.close();
  const refused = await openPage(browser, {
    before: () => {
      WebAssembly.Module = function Refused() {
        throw new WebAssembly.CompileError('refused');
      };
    },
  });
  await until(refused, isOld, 'a browser that refuses WebAssembly is not known');
  expect(
    await refused.$eval('#unsupported', (element) => element.offsetHeight > 0),
    'a browser that refuses WebAssembly in the page is not told'
  );
  await refused.close();
  if (!isChromium) return; // Puppeteer cannot switch JavaScript off there
  const plain = await newPage(browser);
  await plain.setJavaScriptEnabled(false);
  await plain.goto(address);
  expect(
    await plain.$eval('noscript .unsupported', (element) => element.offsetHeight > 0),
    'without JavaScript nothing is said'
  );
  await plain.close();
}

async function checkAxe(browser) {
  const axe = fs.readFileSync(
    path.join(process.env.WEB_NPM, 'node_modules/axe-core/axe.min.js'),
    'utf8'
  );
  let looked = 0;
  for (const scheme of ['light', 'dark']) {
    const page = await openPage(browser);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.evaluate(axe);
    const look = async (what) => {
      await fade(page);
      const { violations } = await page.evaluate(() => window.axe.run());
      looked++;
      for (const { id, nodes } of violations)
        fail(
          `axe: ${what}, ${scheme}: ${id}: ${nodes[0].html.slice(0, 200)}: ` +
            nodes[0].failureSummary
        );
    };
    await look('the start');
    await choose(page, fixture('empty.log'));
    await waitForReport(page, '');
    await look('a problem');
    await choose(page, fixture('recorded-spikes.log.gz'));
    await waitForReport(page, 'recorded-spikes.log.gz');
    await look('a report');
    await page.click('#show-saving');
    await look('formats to save');
    await page.keyboard.press('Escape');
    await until(
      page,
      () => document.querySelector('#saving').hidden,
      'Escape does not close what can be saved'
    );
    await page.click('#show-options');
    await setOption(page, 'from', 'abc');
    await page.click('#options [type=submit]');
    await page.waitForSelector('.field-problem');
    await look('a problem of an option');
    await page.evaluate(() => {
      document.querySelector('#reading').hidden = false;
    });
    await look('a run');
    await page.click('#show-about');
    await page.waitForSelector('#about[open] summary', { visible: true });
    await page.click('#about summary');
    await look('about');
    await page.close();
  }
  expect(looked === 14, `axe looked at ${looked} views`);
}

/* All of it ------------------------------------------------------------------------------------ */

process.chdir(fixtures);
await withBrowser(kind, executable, async (browser) => {
  const { size } = fs.statSync(pageFile);
  expect(size <= 1e6, `the page has ${size} bytes`);
  const page = await openPage(browser);
  for (const check of [
    checkFixtures,
    checkSavedView,
    checkComparison,
    checkSeveral,
    checkOptions,
    checkHostile,
  ])
    await step(check.name, () => check(page));
  await page.close();
  const checks = [
    checkCancel,
    checkDrop,
    checkViews,
    checkSecondLog,
    checkConnections,
    checkOld,
    ...(isChromium ? [checkRealDownload, checkAxe] : []),
  ];
  for (const check of checks) await step(check.name, () => check(browser));
});
for (const what of said) fail(what);
console.log(`${kind}: ${compared} outputs of supprof.html compared, ${failedCount} failed`);
process.exitCode = failedCount > 0 || compared < 40 ? 1 : 0;
