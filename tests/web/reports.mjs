// reports.mjs - what the tests of HTML reports share: running supprof, its tables, and opening a
// report.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { newPage, show } from './checks.mjs';

/** A function that runs supprof and returns what it prints. */
export const runner =
  (supprof) =>
  (...options) =>
    execFileSync(supprof, ['-q', ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });

export function readCsv(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  const [head, ...body] = rows.slice(0, -1);
  return body.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}

/** A cell without the "'" that keep a spreadsheet from running it, or a part of it. */
export const plainCell = (cell) =>
  cell
    .replace(/([;\t\n\r])'(?=[ "]*[=+@＝＋－＠-])/g, '$1')
    .replace(/^'(?=\t|\r| *[=+@＝＋－＠-])/, '');

export const quote = (text) => `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`;
export const chip = (...parts) => `chip=${encodeURIComponent(parts.join('~'))}`;

/** Opens the report of a log. What it says that it should not goes to `said`. */
export async function openReport(browser, run, log, work, said, ...more) {
  const name = path.basename(log),
    file = path.join(work, `${name}${more.length > 0 ? '-more' : ''}.html`);
  run('-o', file, ...more, log);
  const page = await newPage(browser);
  page.on('pageerror', (error) => said.push(`${name}: ${error.message}`));
  page.on(
    'console',
    (message) =>
      ['error', 'warn', 'warning'].includes(message.type()) &&
      said.push(`${name}: ${message.text()}`)
  );
  page.on('dialog', (dialog) => {
    said.push(`${name}: a dialog`);
    dialog.dismiss();
  });
  page.on(
    'request',
    (request) => !/^(file|data|blob):/.test(request.url()) && said.push(`${name}: ${request.url()}`)
  );
  await page.goto(`file://${file}`);
  await page.waitForSelector('html[data-ready]');
  return { page, file };
}

/** The addresses of the pages of functions, those with the most self time first. */
export async function functionAddresses(page) {
  await show(page, '#/functions');
  return page.$$eval('#page tbody a.name', (links) =>
    links.map((link) => link.getAttribute('href').replace(/\?.*/, ''))
  );
}
