// What the flame graphs of pictures and pages share. Run with `node --test`.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  findLabels,
  fitLabel,
  FlameView,
  layOut,
  sumMatches,
} from '../../src/report/pages/frames.js';

// The same as in tests/report/test_page_text.c: the program and the scripts cut labels alike.
test('a label keeps its name, and the end of its place', () => {
  const cuts = (
    /** @type {string} */ label,
    /** @type {number} */ name,
    /** @type {number[]} */ columns
  ) => columns.map((count) => fitLabel(label, label.slice(0, name), count));
  const place = 'lua/sim/unit.lua:120';
  assert.deepEqual(cuts(`OnDamage ${place}`, 8, [29, 28, 14, 13, 8, 7, 2]), [
    `OnDamage ${place}`,
    'OnDamage …a/sim/unit.lua:120',
    'OnDamage …:120',
    'OnDamage',
    'OnDamage',
    'OnDama…',
    '',
  ]);
  assert.deepEqual(cuts(`? ${place}`, 1, [22, 21, 12, 5, 4]), [
    `? ${place}`,
    `…${place}`,
    '…nit.lua:120',
    '…:120',
    '',
  ]);
  assert.deepEqual(cuts('? [string "f()"]', 1, [10]), ['[string "…']);
  assert.deepEqual(cuts('next [C]', 4, [8, 7, 3]), ['next [C]', 'next', 'ne…']);
  assert.deepEqual([...cuts('(tail call)', 11, [8]), ...cuts('f :120', 1, [5])], ['(tail c…', 'f']);
});

test('characters outside ASCII take two columns', () => {
  assert.deepEqual(
    ['ää 4', 'ää 3', 'a😀z 3', '漢漢漢 5'].map((sample) => {
      const [label, columns] = sample.split(' ');
      return fitLabel(label, label, Number(columns));
    }),
    ['ää', 'ä…', 'a…', '漢漢…']
  );
});

// Frames: 1 A, 2 B and 3 C in it, 4 D beside A.
const parent = [0, 0, 1, 1, 0],
  depth = [0, 1, 2, 2, 1],
  size = [10, 6, 2, 3, 4],
  end = [5, 4, 3, 4, 5];
const view = () => new FlameView({ parent, depth, size, end, start: layOut(parent, size) });
const shown = (/** @type {FlameView} */ of, narrowest = 1) =>
  [...of.visible(100, narrowest)].map(({ frame, x, width }) => `${frame} ${x} ${width}`);

test('frames lie side by side, and a zoom shows one with its callers and callees', () => {
  const one = view();
  assert.deepEqual(shown(one), ['0 0 100', '1 0 60', '2 0 20', '3 20 30', '4 60 40']);
  one.showAll(1);
  assert.deepEqual([one.rows, one.isAbove(0), one.isAbove(1)], [3, true, false]);
  assert.deepEqual(
    shown(one).map((text) => Math.round(Number(text.split(' ')[2]))),
    [100, 100, 33, 50]
  );
});

test('what is below a frame that is too narrow is left out', () => {
  assert.deepEqual(shown(view(), 61), ['0 0 100', '1 0 60', '4 60 40']);
});

test('arrows lead to the widest callee, the caller, and the frames beside', () => {
  const one = view(),
    all = () => true;
  const keys = (/** @type {string[]} */ ...names) =>
    names.map((name) => (one.current = Math.max(0, one.next(name, all))));
  assert.deepEqual(
    keys('ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'Home'),
    [1, 3, 2, 3, 1, 4, 0]
  );
  assert.deepEqual(
    [
      one.next('ArrowLeft', all),
      one.next('ArrowUp', all),
      one.next('ArrowDown', (frame) => frame !== 1),
    ],
    [-1, -1, 4]
  );
});

test('a search ignores letter case, and counts a frame within another once', () => {
  const isFound = findLabels(['all', 'Unit', 'unit', 'C', 'D'], 'UNIT');
  assert.deepEqual(isFound, [false, true, true, false, false]);
  assert.deepEqual(
    sumMatches(parent, size, (frame) => isFound[frame]),
    { count: 2, sum: 6, text: '60.0% in 2 frames' }
  );
  assert.equal(sumMatches(parent, size, (frame) => frame === 4).text, '40.0% in 1 frame');
  assert.equal(sumMatches([0], [0], () => false).text, '0.0% in 0 frames');
});
