// report_repeated.js - several logs of the same game: each log as a dot, medians, and the change
// since the old logs.

import {
  formatChange,
  formatCount,
  formatPercent,
  formatThings,
  formatTime,
  showTime,
  withMicro,
} from './report_format.js';
import { cellOf, data, labelOf } from './report_data.js';
import { columnOf } from './report_model.js';
import { state } from './report_state.js';
import {
  functionLink,
  h,
  inLine,
  makeTable,
  nameLink,
  section,
  timeColumn,
} from './report_elements.js';
import { findingItems, judgedItems, makeFirst, makeWarned } from './report_lead.js';

/**
 * A value of several logs, and the change since the old ones.
 * @typedef {{
 *   id: any, isTime: boolean | number, median: number, spread: number, oldMedian: number,
 *   shift: number, low: number?, high: number?, p: number, isClear: number
 * }} Summary
 */
/**
 * Logs that do not have the function have no value in the page.
 * @typedef {Summary & {values: number[], oldValues: number[]}} Row
 */
/**
 * The rows of a table, by a column that says what each is, and the name of a value.
 * @type {(table: any, id: string, name: string, unit?: string) => Summary[]}
 */
const summariesOf = (table, id, name, unit = '') =>
  columnOf(table, id).map((/** @type {any} */ what, /** @type {number} */ at) => {
    const cell = (/** @type {string} */ key) => cellOf(table, key, at),
      of = (side = '', part = '') => cell(side + name + part + unit);
    return {
      id: what,
      isTime: unit !== '' || cell('is_time'),
      median: of(hasOld ? 'new_' : ''),
      spread: of('', '_spread'),
      oldMedian: of('old_'),
      shift: of('diff_'),
      low: of('diff_', '_low'),
      high: of('diff_', '_high'),
      p: cell(name + '_p'),
      isClear: cell(name + '_told_apart'),
    };
  });

/** @type {(row: any, more: string, less: string) => string} */
const verdictOf = ({ isClear, shift, low, high }, more, less) =>
  isClear
    ? shift > 0
      ? more
      : less
    : shift === 0 && low === 0 && high === 0
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
  rowsOfAll = summariesOf(data.repeated, 'function', 'self', '_ns').map((row, at) => ({
    ...row,
    values: data.repeated.values[at],
    oldValues: data.repeated.old_values[at],
  }));
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

/** Most logs may not have it. @param {number} ns */
const showMedian = (ns) => (ns === 0 ? '–' : formatTime(ns));

/** @type {import('./report_elements.js').Column[]} */
const columnsOfLogs = [
  ...(hasOld ? [timeColumn('oldMedian', 'old median', { show: showMedian })] : []),
  timeColumn('median', hasOld ? 'new median' : 'median', { show: showMedian }),
  ...(hasOld
    ? [
        timeColumn('change', 'change', { value: (row) => row.shift, show: showChange }),
        {
          key: 'change%',
          title: '% of old',
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
          show: (/** @type {number} */ _, /** @type {Row} */ row) =>
            verdictOf(row, 'slower', 'faster'),
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

/**
 * A table of functions of repeated logs.
 * @param {(id: number) => unknown} [isWanted]
 * @param {boolean} [isSorted] whether the address says by what
 * @param {RegExp} [keys] of its columns
 */
export const repeatedTable = (isWanted = () => true, isSorted = true, keys = /./) =>
  makeTable({
    rows: rowsOfAll.filter(({ id }) => isWanted(id)),
    // The list beside a function has the other one.
    caption: isSorted ? 'Self time in each log' : 'Its self time in each log',
    nameTitle: 'function',
    limit: 50,
    sort: isSorted && state.more.get('sort') ? 'change' : undefined,
    sortName: isSorted ? 'sort' : undefined,
    text: (row) => labelOf(row.id),
    name: (row) => functionLink(row.id),
    columns: columnsOfLogs.filter(({ key }) => keys.test(key)),
  });

/** All functions of repeated logs, or one. @param {number} [func] */
export const repeatedSection = (func) =>
  section(
    'Self time in each log',
    hasOld
      ? `○ ${formatThings(data.repeated.old, 'old log')}, ` +
          `● ${formatThings(data.repeated.new, 'new log')}, | median; change: the median of all ` +
          'differences between a new and an old log; it is within the interval in 95 of 100 cases'
      : `● a log, | median; ${formatThings(data.repeated.new, 'log')}`,
    repeatedTable(func === undefined ? undefined : (id) => id === func, func === undefined)
  );

/**
 * Sums of whole logs, which are times or numbers.
 * @param {string} title
 * @param {string} nameTitle
 * @param {Summary[]} sums
 */
function sumsSection(title, nameTitle, sums) {
  /** @type {(key: string, title: string) => import('./report_elements.js').Column} */
  const column = (key, title) => ({
    key,
    title,
    value: (row) => row[key] ?? 0,
    show: (value, { isTime }) => (isTime ? showTime(value) : formatCount(value)),
  });
  /** @type {(key: string, title: string) => import('./report_elements.js').Column} */
  const change = (key, title) => ({
    ...column(key, title),
    show: (value, row) =>
      row[key] === null ? '–' : formatChange(row.isTime ? 'time' : 'calls', value),
  });
  if (sums.length === 0) return null;
  return section(
    title,
    hasOld
      ? `medians of ${formatThings(data.repeated.old, 'old log')} and ` +
          formatThings(data.repeated.new, 'new log')
      : `medians of ${formatThings(data.repeated.new, 'log')}; half of the logs lie within ±`,
    makeTable({
      rows: sums,
      caption: title,
      nameTitle,
      text: ({ id }) => id,
      name: ({ id }) => h('span.name', id),
      columns: hasOld
        ? [
            column('oldMedian', 'old median'),
            column('median', 'new median'),
            change('shift', 'change'),
            change('low', 'from'),
            change('high', 'to'),
            {
              key: 'verdict',
              title: 'verdict',
              value: ({ isClear }) => isClear,
              show: (_, row) => verdictOf(row, 'more', 'less'),
            },
          ]
        : [column('median', 'median'), column('spread', '±')],
    })
  );
}

export function repeatedPage() {
  const { counts, notes, benchmarks, totals, watched, watched_totals: ofWatches } = data.repeated,
    threads = summariesOf(watched, 'label', 'tick', '_ns').map((row) => ({
      ...row,
      id: row.id.join(' ').trim(),
    })),
    // Without calls, threads are what can be told apart.
    hasCalls = rowsOfAll.length > 0,
    judged = hasCalls ? rowsOfAll : threads,
    clear = judged.filter(({ isClear }) => isClear);
  const names = (/** @type {string} */ what, /** @type {Summary[]} */ some) =>
    some.length > 0
      ? [
          what,
          ...inLine(
            some.map(({ id }) => (hasCalls ? nameLink(id) : id)),
            3
          ),
        ]
      : '';
  const slower = clear.filter(({ shift }) => shift > 0),
    faster = clear.filter(({ shift }) => shift < 0),
    found = hasOld ? judgedItems() : findingItems();
  return [
    ...makeWarned([...data.warned, ...notes]),
    hasOld && judged.length > 0
      ? makeFirst(
          ...(clear.length === 0
            ? ['No change can be told apart from chance.']
            : [
                names('Slower: ', slower),
                slower.length > 0 && faster.length > 0 ? '; ' : '',
                names(slower.length > 0 ? 'faster: ' : 'Faster: ', faster),
                '.',
              ].flat())
        )
      : null,
    hasOld && clear.length > 0
      ? h(
          'p',
          `Of ${formatCount(judged.length - clear.length)} other ` +
            (hasCalls ? 'functions' : 'watched threads') +
            ' no change can be told apart from chance.'
        )
      : null,
    ...[...counts, ...benchmarks].map((/** @type {string} */ line) =>
      h('p', `${withMicro(line)}.`)
    ),
    sumsSection(
      'All of it',
      'sum',
      [ofWatches, totals].flatMap((table) => summariesOf(table, 'name', 'value'))
    ),
    sumsSection('Watched threads in a tick', 'watched thread began in', threads),
    found.length > 0 ? section('What stands out', '', h('ul.findings', found)) : null,
    hasCalls ? repeatedSection() : null,
  ];
}
