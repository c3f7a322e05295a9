// svg.mjs FILE...
//
// Loads each flame graph in headless Chromium, and writes what is in it beside it:
// FILE.table, a line a function as truth.py has them. What report_svg.c says of the
// document is what is looked at. Checked on the way:
//
// - there is one script, ours, and nothing else that could run or load anything;
// - a frame lies in its parent, beside its siblings, and has box, title and label;
// - search finds what it should, a click zooms, and both can be taken back;
// - without script all frames and labels are there as well.
//
// Of a picture that had to leave out frames with a width there is no table.
import fs from 'node:fs';
import path from 'node:path';
import { withBrowser } from './browser.mjs';

// Both run in the page.
function readFrames() {
  return [...document.querySelectorAll('#frames > g')].map((frame) => {
    const { label, depth, from, total, self, calls } = frame.dataset;
    const box = frame.querySelector('rect').getBoundingClientRect();
    return { label, depth: Number(depth), from: BigInt(from).toString(), total, self, calls,
      title: frame.querySelector('title').textContent, text: frame.querySelector('text')?.textContent ?? '',
      boxes: frame.querySelectorAll('rect').length, left: box.left, right: box.right, top: box.top,
      isShown: getComputedStyle(frame).display !== 'none', isMatch: frame.classList.contains('match') };
  });
}

function findDangers() {
  const dangers = [];
  for (const element of document.querySelectorAll('*')) {
    const isControl = element.closest('#controls') !== null;
    if (!isControl && !['svg', 'title', 'style', 'rect', 'g', 'text', 'script'].includes(element.localName))
      dangers.push(element.localName);
    for (const { name } of element.attributes)
      if (/^on|href|src/i.test(name)) dangers.push(`${element.localName} ${name}`);
  }
  if (document.querySelectorAll('script').length !== 1) dangers.push('not one script');
  return dangers;
}

function expect(isSo, what) {
  if (!isSo) throw new Error(what);
}

// In pixels: positions have two digits; and a box leaves half a pixel free at its right,
// which a narrow one in it does not.
const rounding = 0.02;
const gap = 0.5;

function checkLayout(frames) {
  const path = [];
  for (const frame of frames) {
    path.length = frame.depth;
    const parent = path.at(-1);
    const where = `${frame.label.slice(0, 100)} at depth ${frame.depth}`;
    expect(frame.boxes === 1 && frame.title.startsWith(`${frame.label}\n`), `${where}: box and title`);
    expect(frame.text === '' || frame.label.startsWith(frame.text.replace(/…$/, '')), `${where}: label`);
    if (parent) {
      const end = BigInt(frame.from) + BigInt(frame.total);
      expect(BigInt(frame.from) >= parent.next && end <= parent.end, `${where}: not beside its siblings`);
      parent.next = end;
      // The script hides what is too narrow.
      const isInside = frame.left >= parent.left - rounding && frame.right <= parent.right + gap + rounding;
      expect(isInside || !frame.isShown, `${where}: from ${frame.left} to ${frame.right}, not in its parent, ${parent.left} to ${parent.right}`);
      expect(Math.abs(frame.top - parent.top) === 17 || !frame.isShown, `${where}: not in the next row`);
    }
    path.push({ ...frame, next: BigInt(frame.from), end: BigInt(frame.from) + BigInt(frame.total) });
  }
}

// Frames without a width may have been left out, and then their calls are not there.
function tableOf(frames, notes) {
  const hasAll = !/Left out/.test(notes);
  const table = new Map();
  const path = [];
  for (const { label, depth, total, self, calls } of frames.slice(1)) {
    path.length = depth - 1;
    const row = table.get(label) ?? [0n, 0n, 0n];
    const isOutermost = !path.includes(label);
    table.set(label, [row[0] + BigInt(self), row[1] + (isOutermost ? BigInt(total) : 0n), row[2] + BigInt(calls)]);
    path.push(label);
  }
  return [...table].map(([label, [self, total, calls]]) =>
    `${label}\t${self}\t${total}\t${hasAll ? calls : '-'}\n`).sort().join('');
}

async function checkSearch(page, frames) {
  // From within a label, in the other case.
  const wanted = frames.at(-1).label.slice(1).replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const search = (text) => page.evaluate((value) => {
    const input = document.querySelector('#search');
    input.value = value;
    input.dispatchEvent(new Event('input'));
    return document.querySelector('#matched').textContent;
  }, text);
  const said = await search(wanted);
  const matches = (await page.evaluate(readFrames)).filter((frame) => frame.isMatch);
  const expected = frames.slice(1).filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()));
  expect(matches.length === expected.length, `search finds ${matches.length} of ${expected.length}`);
  expect(said.replaceAll(',', '').match(/^[\d.]+% in (\d+)\b/)?.[1] === String(matches.length), `search says ${said}`);
  expect(await search('') === '', 'an empty search says something');
}

async function checkZoom(page, frames) {
  // The deepest, which is within all that must stay.
  const at = frames.reduce((best, frame, i) => (frame.depth > frames[best].depth ? i : best), 0);
  await page.evaluate((i) => document.querySelectorAll('#frames > g')[i]
    .dispatchEvent(new MouseEvent('click', { bubbles: true })), at);
  const zoomed = await page.evaluate(readFrames);
  expect(zoomed.filter((frame) => frame.isShown).length >= frames[at].depth + 1, 'zoom hides callers');
  expect(Math.abs(zoomed[at].right - zoomed[at].left - (frames[0].right - frames[0].left)) < 1, 'zoom is not whole');
  await page.evaluate(() => document.querySelector('#reset').click());
  const seen = (all) => JSON.stringify(all.filter((frame) => frame.isShown));
  expect(seen(await page.evaluate(readFrames)) === seen(frames), 'reset is not as before');
}

async function check(newPage, address, file) {
  const said = [];
  const page = await newPage();
  page.on('pageerror', (error) => said.push(error.message));
  page.on('dialog', (dialog) => {
    said.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => request.url() !== address && !request.url().endsWith('/favicon.ico') && said.push(request.url()));
  await page.goto(address);
  const dangers = await page.evaluate(findDangers);
  expect(dangers.length === 0, dangers.slice(0, 5).join(', '));
  const frames = await page.evaluate(readFrames);
  checkLayout(frames);
  const notes = await page.$eval('#notes', (element) => element.textContent);
  if (/Left out: the/.test(notes)) console.log(`svg: ${file}: not compared: ${notes.trim()}`);
  else fs.writeFileSync(`${file}.table`, tableOf(frames, notes));
  await checkSearch(page, frames);
  await checkZoom(page, frames);
  expect(said.length === 0, said.join(', '));
  await page.close();

  const still = await newPage();
  await still.setJavaScriptEnabled(false);
  await still.goto(address);
  const plain = await still.evaluate(readFrames);
  expect(await still.$('#search') === null, 'its script cannot be switched off');
  checkLayout(plain);
  expect(plain.length === frames.length && plain.every((frame, i) => frame.title === frames[i].title && frame.isShown),
    'without script frames are missing');
  expect(plain[0].text === 'all' && plain.some((frame) => frame.text.length > 3 && frame.depth > 0), 'without script there are no labels');
  await still.close();
}

const files = process.argv.slice(2);
const directories = Object.fromEntries(files.map((file, i) => [i, path.dirname(path.resolve(file))]));
await withBrowser(directories, async (newPage, address) => {
  for (const [i, file] of files.entries()) {
    await check(newPage, `${address}/${i}/${encodeURIComponent(path.basename(file))}`, file).catch((error) => {
      console.log(`svg: ${file}: ${error.message}`);
      process.exitCode = 1;
    });
  }
});
