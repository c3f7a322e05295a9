// Amounts in pages: as the program says them (tests/report/test_amounts.c reads the same list).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import {
  formatCount,
  formatFactor,
  formatGameTime,
  formatLimit,
  formatPercent,
  formatPart,
  formatTime,
  withMicro,
} from '../../src/report/pages/html/report_format.js';

/** @type {Record<string, (value: number, whole: number) => string>} */
const said = {
  time: formatTime,
  count: formatCount,
  percent: formatPercent,
  factor: formatFactor,
  'game-time': formatGameTime,
  limit: formatLimit,
};

test('a part that is larger than the whole is no share', () => {
  assert.equal(formatPart(1, 4, '%'), '25.0%');
  assert.equal(formatPart(5, 4, '%'), '–');
  assert.equal(formatPart(-5, 4), '–');
});

test('amounts are as in the list', () => {
  const list = fs.readFileSync(new URL('../report/amounts.txt', import.meta.url), 'utf8'),
    lines = [...list.matchAll(/^(?:(percent) (\S+) (\S+)|([\w-]+) (\S+)) (.+)$/gm)];
  for (const [line, percent, part, whole, kind, value, text] of lines)
    assert.equal(
      said[percent ?? kind](Number(part ?? value), Number(whole)),
      withMicro(kind === 'time' ? text.replace('-', '−') : text),
      line
    );
  assert.equal(lines.length, list.split('\n').filter((line) => /^[^#]/.test(line)).length);
});
