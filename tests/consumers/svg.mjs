// svg.mjs FILE...
//
// Loads each flame graph in headless Chromium, and writes what is in it beside it:
// FILE.table, a line a function as truth.py has them. What svg.c says of the
// document is what is looked at. Checked on the way:
//
// - there is one script, ours, and nothing else that could run or load anything;
// - a frame lies in its parent, beside its siblings, and has box, title and label;
// - search finds what it should, a click zooms, and both can be taken back;
// - the keyboard reaches the frames, the address keeps the view, and at 390 pixels and in the
//   dark nothing is lost;
// - without script all frames and labels are there as well.
//
// Of a picture that had to leave out frames with a width there is no table.
import fs from 'node:fs';
import path from 'node:path';
import { withBrowser } from './browser.mjs';

// Both run in the page.
function readFrames() {
  // A picture of many rows scrolls; places in it do not.
  const origin = document.querySelector('#background').getBoundingClientRect();
  return [...document.querySelectorAll('#frames > g')].map((frame) => {
    const { label, depth, from, total, size, self, calls } = frame.dataset;
    const box = frame.querySelector('rect').getBoundingClientRect();
    return {
      label,
      depth: Number(depth),
      from: BigInt(from).toString(),
      total,
      size,
      self,
      calls,
      title: frame.querySelector('title').textContent,
      text: frame.querySelector('text')?.textContent ?? '',
      boxes: frame.querySelectorAll('rect').length,
      left: box.left - origin.left,
      right: box.right - origin.left,
      top: box.top - origin.top,
      isShown: getComputedStyle(frame).display !== 'none',
      isMatch: frame.classList.contains('match'),
    };
  });
}

// The lowest contrast of a shown label with its box, as WCAG 2.1 defines it.
function readContrast() {
  const luminance = (color) => {
    const [red, green, blue] = color
      .match(/\d+/g)
      .map((channel) => channel / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const fillOf = (element) => luminance(getComputedStyle(element).fill);
  return [...document.querySelectorAll('#frames > g:not(.above)')]
    .filter((frame) => frame.querySelector('text'))
    .reduce((least, frame) => {
      const [text, box] = [
        fillOf(frame.querySelector('text')),
        fillOf(frame.querySelector('rect')),
      ];
      return Math.min(least, Math.max(text, box) / Math.min(text, box));
    }, 21);
}

function findDangers() {
  const dangers = [];
  for (const element of document.querySelectorAll('*')) {
    const isControl = element.closest('#controls, #footer') !== null;
    if (
      !isControl &&
      !['svg', 'title', 'style', 'rect', 'g', 'text', 'metadata', 'script'].includes(
        element.localName
      )
    )
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

// What is left out of a label is one piece, where the ellipsis stands, or its end; but the line
// of a place stays or goes as a whole.
function isCut(text, label) {
  const [start, end] = text.split('…');
  const line = /:\d+$/.exec(label)?.[0] ?? '';
  return end === undefined
    ? label.startsWith(start)
    : (label.startsWith(start) || start === '') &&
        label.endsWith(end) &&
        (end === '' || end.endsWith(line));
}

function checkLayout(frames) {
  const path = [];
  for (const frame of frames) {
    path.length = frame.depth;
    const parent = path.at(-1);
    const where = `${frame.label.slice(0, 100)} at depth ${frame.depth}`;
    expect(
      frame.boxes === 1 && frame.title.startsWith(`${frame.label}\n`),
      `${where}: box and title`
    );
    expect(isCut(frame.text, frame.label), `${where}: label ${frame.text}`);
    if (parent) {
      const end = BigInt(frame.from) + BigInt(frame.total);
      expect(
        BigInt(frame.from) >= parent.next && end <= parent.end,
        `${where}: not beside its siblings`
      );
      parent.next = end;
      // The script hides what is too narrow.
      const isInside =
        frame.left >= parent.left - rounding && frame.right <= parent.right + gap + rounding;
      expect(
        isInside || !frame.isShown,
        `${where}: from ${frame.left} to ${frame.right}, not in its parent, ${parent.left} ` +
          `to ${parent.right}`
      );
      expect(
        Math.abs(frame.top - parent.top) === 17 || !frame.isShown,
        `${where}: not in the next row`
      );
    }
    path.push({
      ...frame,
      next: BigInt(frame.from),
      end: BigInt(frame.from) + BigInt(frame.total),
    });
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
    table.set(label, [
      row[0] + BigInt(self),
      row[1] + (isOutermost ? BigInt(total) : 0n),
      row[2] + BigInt(calls),
    ]);
    path.push(label);
  }
  return [...table]
    .map(
      ([label, [self, total, calls]]) => `${label}\t${self}\t${total}\t${hasAll ? calls : '-'}\n`
    )
    .sort()
    .join('');
}

// Both as long as the whole tree: the drawn frames, and those in #left-out.
async function readSought(page, frames) {
  const leftOut = await page.$eval('#left-out', (element) => JSON.parse(element.textContent));
  const path = [];
  const sought = frames.map(({ label, depth, size, total }, i) => {
    path[depth] = i;
    return { label, parent: depth > 0 ? path[depth - 1] : -1, size: BigInt(size ?? total) };
  });
  for (let i = 0; i < leftOut.frames.length; i += 3)
    sought.push({
      parent: leftOut.frames[i],
      label: leftOut.labels[leftOut.frames[i + 1]],
      size: BigInt(leftOut.frames[i + 2]),
    });
  return sought;
}

async function checkSearch(page, frames) {
  const sought = await readSought(page, frames);
  // From within a label, in the other case.
  const wanted = frames
    .at(-1)
    .label.slice(1)
    .replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const search = (text) =>
    page.evaluate((value) => {
      const input = document.querySelector('#search');
      input.value = value;
      input.dispatchEvent(new Event('input'));
      return document.querySelector('#matched').textContent;
    }, text);
  const said = await search(wanted);
  const isMatch = ({ label }) => label.toLowerCase().includes(wanted.toLowerCase());
  const matches = (await page.evaluate(readFrames)).filter((frame) => frame.isMatch);
  const expected = frames.slice(1).filter(isMatch);
  expect(
    matches.length === expected.length,
    `search finds ${matches.length} of ${expected.length}`
  );
  let sum = 0n,
    count = 0;
  const isBelow = [false];
  for (let i = 1; i < sought.length; i++) {
    const isFound = isMatch(sought[i]);
    count += isFound;
    sum += isFound && !isBelow[sought[i].parent] ? sought[i].size : 0n;
    isBelow[i] = isFound || isBelow[sought[i].parent];
  }
  const percent = ((Number(sum) * 100) / (Number(sought[0].size) || 1)).toFixed(1);
  expect(
    said.replace('at least ', '').startsWith(`${percent}% in ${count} frame`),
    `search says ${said}, not ${percent}% in ${count}`
  );
  expect((await search('')) === '', 'an empty search says something');
  expect(
    (await page.evaluate(readFrames)).every((frame) => !frame.isMatch),
    'an empty search marks frames'
  );
}

/** Waits until something is so: keys and addresses take effect later. */
async function until(page, isSo, what, ...args) {
  await page.waitForFunction(isSo, { polling: 20 }, ...args).catch((error) => {
    throw new Error(`${what} (${error.message})`);
  });
}

async function checkKeyboard(page, frames) {
  const deepest = frames
    .filter((frame) => frame.isShown)
    .reduce((best, frame) => Math.max(best, frame.depth), 0);
  await page.$eval('#turn', (button) => button.focus());
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await until(
    page,
    () => document.activeElement.dataset.label === 'all',
    'the root cannot be focused'
  );
  if (deepest === 0) return;
  await page.keyboard.press('ArrowDown');
  await until(
    page,
    () => document.activeElement.dataset.depth === '1',
    'an arrow does not go deeper'
  );
  await until(
    page,
    () =>
      document
        .querySelector('#details')
        .textContent.startsWith(document.activeElement.dataset.label),
    'what has the focus is not described'
  );
  const index = await page.evaluate(() =>
    [...document.activeElement.parentNode.children].indexOf(document.activeElement)
  );
  await page.keyboard.press('Enter');
  // The address changes before the frames are drawn.
  await until(
    page,
    (wanted) => location.hash === wanted && !document.querySelector('#reset').disabled,
    'the address has no zoom',
    `#zoom=${index}`
  );
  const zoomed = await page.evaluate(readFrames);
  await page.reload();
  const seen = (all) => JSON.stringify(all.filter((frame) => frame.isShown));
  expect(seen(await page.evaluate(readFrames)) === seen(zoomed), 'a reload loses the view');
  await page.evaluate(() => {
    location.hash = '';
  });
  await until(
    page,
    () => document.querySelector('#reset').disabled,
    'an address without a zoom keeps it'
  );
}

async function checkNarrowAndDark(page, count) {
  await page.setViewport({ width: 390, height: 700 });
  await until(
    page,
    () => Number(document.documentElement.getAttribute('width')) === 390,
    'it does not become narrow'
  );
  expect(
    (await page.evaluate(() => document.documentElement.scrollWidth)) <= 390,
    'it is wider than 390 pixels'
  );
  checkLayout(await page.evaluate(readFrames));
  expect(
    (await page.$$eval('#footer li', (items) => items.length)) === count,
    'there is no legend'
  );
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await until(
    page,
    () => getComputedStyle(document.querySelector('#background')).fill === 'rgb(22, 24, 28)',
    'the dark is not dark'
  );
  const contrast = await page.evaluate(readContrast);
  expect(contrast >= 4.5, `in the dark a label has a contrast of ${contrast}`);
}

async function checkZoom(page, frames) {
  // The deepest, which is within all that must stay.
  const at = frames.reduce((best, frame, i) => (frame.depth > frames[best].depth ? i : best), 0);
  await page.evaluate(
    (i) =>
      document
        .querySelectorAll('#frames > g')
        [i].dispatchEvent(new MouseEvent('click', { bubbles: true })),
    at
  );
  const zoomed = await page.evaluate(readFrames);
  expect(
    zoomed.filter((frame) => frame.isShown).length >= frames[at].depth + 1,
    'zoom hides callers'
  );
  expect(
    Math.abs(zoomed[at].right - zoomed[at].left - (frames[0].right - frames[0].left)) < 1,
    'zoom is not whole'
  );
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
  page.on(
    'request',
    (request) =>
      request.url().split('#')[0] !== address &&
      !request.url().endsWith('/favicon.ico') &&
      said.push(request.url())
  );
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
  await checkKeyboard(page, frames);
  await checkNarrowAndDark(page, await page.$$eval('#legend > g', (entries) => entries.length));
  expect(said.length === 0, said.join(', '));
  await page.close();

  const still = await newPage();
  await still.setJavaScriptEnabled(false);
  await still.goto(address);
  const plain = await still.evaluate(readFrames);
  expect((await still.$('#search')) === null, 'its script cannot be switched off');
  checkLayout(plain);
  expect(
    plain.length === frames.length &&
      plain.every((frame, i) => frame.title === frames[i].title && frame.isShown),
    'without script frames are missing'
  );
  expect(
    plain[0].text === 'all' && plain.some((frame) => frame.text.length > 3 && frame.depth > 0),
    'without script there are no labels'
  );
  await still.close();
}

const files = process.argv.slice(2);
const directories = Object.fromEntries(
  files.map((file, i) => [i, path.dirname(path.resolve(file))])
);
await withBrowser(directories, async (newPage, address) => {
  for (const [i, file] of files.entries()) {
    await check(newPage, `${address}/${i}/${encodeURIComponent(path.basename(file))}`, file).catch(
      (error) => {
        console.log(`svg: ${file}: ${error.message}`);
        process.exitCode = 1;
      }
    );
  }
});
