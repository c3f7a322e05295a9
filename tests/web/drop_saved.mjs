// drop_saved.mjs - what the tests of supprof.html share: opening the page, choosing logs and
// options, and comparing what it saves with what the program writes.
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  inPageWords,
  offeredFormats,
  problemOf,
  readMessages,
} from '../../src/web/page_request.js';
import { expect, newPage } from './checks.mjs';

export const [supprof, fixtures, work, kind, executable, pageFile] = process.argv.slice(2);
export const isChromium = kind !== 'firefox';
export const address = `file://${path.resolve(pageFile)}`;
/** What pages have said, which they should not. */
export const said = [];
/** How many outputs were compared. */
export const compared = { outputs: 0 };

// What the program that is in the page says of its formats.
export const formats = offeredFormats(
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
export function native(format, ...args) {
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

export const hash = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');
export const fixture = (name) => path.join(fixtures, name);

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

export async function openPage(
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
export const focused = (page) =>
  page.evaluate(() => document.activeElement.id || document.activeElement.tagName);

/** Makes waitForReport() wait for what comes next, and not be content with what is shown. */
export const forget = (page) =>
  page.evaluate(() => {
    delete document.documentElement.dataset.ready;
    document.querySelector('#problem').hidden = true;
    document.querySelector('.field-problem')?.remove();
  });

export async function choose(page, ...files) {
  await forget(page);
  await (await page.$('#log-input')).uploadFile(...files);
}

/** Waits for the report of a log, or for a problem, whose text is returned. */
export async function waitForReport(page, name) {
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
export async function save(page, format) {
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
export async function compareSaved(page, format, args, what) {
  const found = await save(page, format.name),
    wanted = native(format.name, ...args);
  compared.outputs++;
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

export const setOption = (page, id, value) =>
  page.$eval(
    `#option-${id}`,
    (field, wanted) => {
      if (field.type === 'checkbox') field.checked = wanted;
      else field.value = wanted;
    },
    value
  );

export async function reset(page, log) {
  await forget(page);
  await page.$eval('#reset-options', (button) => button.click());
  await waitForReport(page, log);
}

/** Applies options, and compares the new report; returns the message beside an option. */
export async function apply(page, options, log, args) {
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
