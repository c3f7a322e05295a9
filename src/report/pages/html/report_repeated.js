// report_repeated.js - several logs of the same game: each log as a dot, medians, and the change
// since the old logs.

import {
  formatChange,
  formatCount,
  formatPercent,
  formatThings,
  formatTime,
} from './report_format.js';
import { cellOf, data, labelOf, rowsOfTable } from './report_data.js';
import { state } from './report_state.js';
import { functionLink, h, makeTable, nameLinks, section, timeColumn } from './report_elements.js';
import { judgedItems, makeSentences } from './report_overview.js';

/**
 * Logs that do not have the function have no value in the page.
 * @typedef {{
 *   id: number, values: number[], oldValues: number[], median: number, oldMedian: number,
 *   shift: number, low: number?, high: number?, p: number, isClear: number
 * }} Row
 */
/** @returns {Row[]} */
const rowsOfLogs = () =>
  rowsOfTable(data.repeated).map(({ id, at }) => {
    const of = (/** @type {string} */ name) => cellOf(data.repeated, name, at);
    return {
      id,
      values: of('values'),
      oldValues: of('old_values'),
      median: of(hasOld ? 'new_self_ns' : 'self_ns'),
      oldMedian: of('old_self_ns'),
      shift: of('diff_self_ns'),
      low: of('diff_self_low_ns'),
      high: of('diff_self_high_ns'),
      p: of('self_p'),
      isClear: of('self_told_apart'),
    };
  });

const verdictOf = (/** @type {Row} */ row) =>
  row.isClear
    ? row.shift > 0
      ? 'slower'
      : 'faster'
    : row.shift === 0 && row.low === 0 && row.high === 0
      ? 'the same'
      : 'may be chance';

/** A mark at a part of the width. @param {string} kind @param {number} part */
function mark(kind, part) {
  const element = h('i', { class: kind });
  element.style.left = `${(100 * part).toFixed(1)}%`;
  return element;
}

/**
 * A dot for each log, hollow for the old ones, and a line at each median.
 * @param {Row} row
 * @param {number} largest
 */
function dotsOf(row, largest) {
  const { new: newCount, old: oldCount } = data.repeated,
    part = (/** @type {number} */ value) => Math.max(0, value) / largest;
  /** @type {(kind: string, values: number[], count: number) => Node[]} */
  const dots = (kind, values, count) =>
    [...values, ...Array(count - values.length).fill(0)].map((value) => mark(kind, part(value)));
  return h(
    'span.dots',
    { role: 'img', 'aria-label': formatThings(newCount + oldCount, 'log') },
    oldCount > 0
      ? [...dots('dot old', row.oldValues, oldCount), mark('median old', part(row.oldMedian))]
      : [],
    dots('dot', row.values, newCount),
    mark('median', part(row.median))
  );
}

/** The interval of the change, if it has one, around 0. @param {Row} row @param {number} largest */
function intervalOf(row, largest) {
  const part = (/** @type {number} */ value) => 0.5 + value / largest / 2,
    low = row.low ?? row.shift,
    line = mark('interval', part(low));
  line.style.width = `${(100 * (part(row.high ?? low) - part(low))).toFixed(1)}%`;
  return h(
    'span',
    {
      class: `dots ${row.isClear ? (row.shift > 0 ? 'worse' : 'better') : ''}`,
      'aria-hidden': 'true',
    },
    mark('zero', 0.5),
    line,
    mark('dot', part(row.shift))
  );
}

const hasOld = data.repeated?.old > 0,
  rowsOfAll = rowsOfLogs();
const largestOfLogs = rowsOfAll.reduce(
  (most, row) =>
    [...row.values, ...row.oldValues].reduce((max, value) => Math.max(max, value), most),
  1
);
const widestChange = rowsOfAll.reduce(
  (most, { shift, low, high }) => Math.max(most, Math.abs(low ?? shift), Math.abs(high ?? shift)),
  1
);
const showChange = (/** @type {number?} */ value) =>
  value === null ? '–' : formatChange('time', value);

/** @type {import('./report_elements.js').Column[]} */
const columnsOfLogs = [
  ...(hasOld ? [timeColumn('oldMedian', 'old median')] : []),
  timeColumn('median', hasOld ? 'new median' : 'median'),
  ...(hasOld
    ? [
        timeColumn('change', 'change', { value: (row) => row.shift, show: showChange }),
        {
          key: 'change%',
          title: '%',
          help: 'of the old median',
          value: (/** @type {Row} */ row) => row.shift / row.oldMedian,
          show: (/** @type {number} */ part) =>
            Number.isFinite(part) ? `${part > 0 ? '+' : ''}${formatPercent(part, 1)}` : '–',
          isWide: true,
        },
        timeColumn('low', 'from', { show: showChange, isWide: true }),
        timeColumn('high', 'to', { show: showChange, isWide: true }),
        {
          key: 'p',
          title: 'p',
          help: 'how probable it is that chance makes such a difference',
          show: (/** @type {number} */ value) => (value < 0.001 ? '<0.001' : value.toFixed(3)),
          isWide: true,
        },
        {
          key: 'verdict',
          title: 'verdict',
          value: (/** @type {Row} */ row) => row.isClear,
          show: (/** @type {number} */ _, /** @type {Row} */ row) => verdictOf(row),
        },
      ]
    : []),
  {
    key: 'dots',
    title: `0 … ${formatTime(largestOfLogs)}`,
    help: hasOld ? 'old logs above, new logs below' : 'a dot is a log',
    value: () => 0,
    isBar: true,
    draw: (row) => dotsOf(row, largestOfLogs),
  },
  ...(hasOld
    ? [
        {
          key: 'interval',
          title: `${showChange(-widestChange)} … ${showChange(widestChange)}`,
          value: () => 0,
          isBar: true,
          draw: (/** @type {Row} */ row) => intervalOf(row, widestChange),
        },
      ]
    : []),
];

/** All functions of repeated logs, or one. @param {number} [func] */
export const repeatedSection = (func) =>
  section(
    'Self time in each log',
    hasOld
      ? `○ ${formatThings(data.repeated.old, 'old log')}, ` +
          `● ${formatThings(data.repeated.new, 'new log')}, | median; the interval holds the ` +
          'change in 95 of 100 cases'
      : `● a log, | median; ${formatThings(data.repeated.new, 'log')}`,
    makeTable({
      rows: func === undefined ? rowsOfAll : rowsOfAll.filter(({ id }) => id === func),
      caption: 'Self time in each log',
      nameTitle: 'function',
      limit: 50,
      sort: state.more.get('sort') ? 'change' : undefined,
      sortName: func === undefined ? 'sort' : undefined,
      text: (row) => labelOf(row.id),
      name: (row) => functionLink(row.id),
      columns: columnsOfLogs,
    })
  );

export function repeatedPage() {
  const clear = rowsOfAll.filter(({ isClear }) => isClear === 1);
  const names = (/** @type {string} */ what, /** @type {Row[]} */ some) =>
    some.length > 0
      ? [
          what,
          ...nameLinks(
            some.map(({ id }) => id),
            3
          ),
        ]
      : '';
  const slower = clear.filter(({ shift }) => shift > 0),
    faster = clear.filter(({ shift }) => shift < 0),
    judged = judgedItems();
  return [
    hasOld
      ? h(
          'p.lead',
          h(
            'b.first',
            clear.length === 0
              ? 'No change can be told apart from chance.'
              : [
                  names('Slower: ', slower),
                  slower.length > 0 && faster.length > 0 ? '; ' : '',
                  names('faster: ', faster),
                  '.',
                ]
          ),
          clear.length === 0
            ? ''
            : ` Of ${formatCount(rowsOfAll.length - clear.length)} other functions no change ` +
                'can be told apart from chance.',
          data.repeated.old < 4 || data.repeated.new < 4
            ? ' Fewer than 4 logs of a side are too few to tell a change.'
            : ''
        )
      : null,
    makeSentences(),
    judged.length > 0 ? section('What stands out', '', h('ul.findings', judged)) : null,
    repeatedSection(),
  ];
}
