// report_compare.js - the first page of a comparison: what changed.

import { formatChange, formatCount, formatTime, withMicro } from './report_format.js';
import { data, nameInTextOf, tickCount, tickWords } from './report_data.js';
import { isAll, linkTo, pathLink, state } from './report_state.js';
import {
  functionName,
  h,
  makeSwitch,
  makeTable,
  rowsOf,
  section,
  showTime,
} from './report_elements.js';
import { makeSentences } from './report_overview.js';
import { makeTickSection } from './report_ticks.js';

/** @typedef {import('./report_state.js').View} View */
/** @typedef {ReturnType<typeof rowsOf>[0]} Row */

/** Whether slow ticks are compared with the others of the same logs. */
const isRest = Boolean(data.is_rest);
const said = isRest
  ? {
      than: tickWords('in slow ticks than in the others'),
      as: 'as in the others',
      isNew: tickWords('only in slow ticks'),
      isGone: tickWords('only in other ticks'),
      now: tickWords('slow ticks'),
      before: tickWords('other ticks'),
    }
  : {
      than: 'than before',
      as: 'as before',
      isNew: 'new',
      isGone: 'gone',
      now: 'new',
      before: 'old',
    };

const changeOf = (/** @type {Row} */ row) => row.self - row.oldSelf;
const isNew = (/** @type {Row} */ row) => row.oldCalls === 0 && row.oldTotal === 0;
const isGone = (/** @type {Row} */ row) => row.calls === 0 && row.total === 0;
/** How many times the old time the new one is; 0 without one. @param {Row} row */
const factorOf = (row) => (row.oldSelf > 0 && row.self > 0 ? row.self / row.oldSelf : 0);
/** How far a factor is from 1, in either direction. @param {Row} row */
const strengthOf = (row) => Math.abs(Math.log(factorOf(row) || 1));
const showFactor = (/** @type {number} */ factor) =>
  factor === 0
    ? '–'
    : `×${factor >= 9.95 ? formatCount(factor) : factor.toFixed(factor < 0.1 ? 2 : 1)}`;
const showCallsOf = (/** @type {Row} */ row) =>
  row.calls === row.oldCalls
    ? row.calls === 0
      ? '–'
      : `= ${formatCount(row.calls)}`
    : `${formatCount(row.oldCalls)} → ${formatCount(row.calls)}`;

/**
 * What stands out: how many functions changed, whether their calls did, and which did most.
 * @param {Row[]} rows
 * @param {Set<number>} alike
 */
function findingsOf(rows, alike) {
  const both = rows.filter((row) => !isNew(row) && !isGone(row)),
    clear = both.filter((row) => !alike.has(row.id) && changeOf(row) !== 0);
  const slower = clear.filter((row) => changeOf(row) > 0),
    called = both.filter((row) => row.calls > 0 || row.oldCalls > 0),
    same = called.filter((row) => row.calls === row.oldCalls);
  const [most] = [...(isRest ? rows.filter((row) => !alike.has(row.id)) : clear)].sort(
      (a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || a.id - b.id
    ),
    change = rows.reduce((sum, row) => sum + changeOf(row), 0);
  return [
    h(
      'li',
      {},
      `${formatCount(slower.length)} functions take more time ${said.than}, ` +
        `${formatCount(clear.length - slower.length)} less; ` +
        `${formatCount(rows.filter(isNew).length)} ${said.isNew}, ` +
        `${formatCount(rows.filter(isGone).length)} ${said.isGone}. ` +
        'The others differ by no more than the measurements do.'
    ),
    called.length > 0
      ? h(
          'li',
          {},
          same.length === called.length
            ? `All functions were called as often ${said.as}: the same work took another time.`
            : `${formatCount(same.length)} of ${formatCount(called.length)} functions were ` +
                `called as often ${said.as}.`
        )
      : null,
    most
      ? h(
          'li',
          {},
          h('a', { href: pathLink([most.id]) }, nameInTextOf(most.id)),
          ` changed most: ${formatChange('time', changeOf(most))}` +
            (change !== 0 &&
            Math.sign(change) === Math.sign(changeOf(most)) &&
            Math.abs(changeOf(most)) <= Math.abs(change)
              ? `, ${Math.round((100 * changeOf(most)) / change)}% of the whole change`
              : '') +
            `; ${showCallsOf(most)} calls.`
        )
      : null,
  ];
}

/** @param {View} view */
export function comparePage(view) {
  const alike = new Set(isAll() ? data.old.alike : []),
    all = rowsOf(view.sums);
  const by = ['factor', 'only'].includes(state.more.get('by') ?? '')
    ? state.more.get('by')
    : 'change';
  const link = (/** @type {string} */ value) =>
    linkTo({
      more: value === 'change' ? new URLSearchParams() : new URLSearchParams({ by: value }),
    });
  const rows =
    by === 'only'
      ? all.filter((row) => isNew(row) || isGone(row))
      : by === 'factor'
        ? all.filter((row) => factorOf(row) > 0 && !alike.has(row.id))
        : all;
  const { now, before } = said;
  return [
    makeSentences(),
    isAll()
      ? null
      : h(
          'p',
          { class: 'lead' },
          `What is chosen: ${formatTime(view.all)}, ` +
            `${before} ${formatTime(view.tree.oldTotal?.[0] ?? 0)}: ` +
            formatChange('time', view.all - (view.tree.oldTotal?.[0] ?? 0)) +
            '.'
        ),
    ...data.notes
      .filter((/** @type {string} */ text) => text.startsWith('Note: '))
      .map((/** @type {string} */ text) => h('p', { class: 'warned' }, `${withMicro(text)}.`)),
    data.scaled ? h('p', { class: 'quiet' }, `${before}: ${data.scaled}.`) : null,
    section(
      'What stands out',
      '',
      h(
        'ul',
        { class: 'findings' },
        findingsOf(all, alike).filter((item) => item !== null)
      )
    ),
    data.ticks && tickCount() > 1 ? makeTickSection(view) : null,
    section(
      'Functions by change of self time',
      h(
        'span',
        {},
        h('a', { href: linkTo({ page: 'functions' }) }, `all ${formatCount(all.length)}`),
        ' · ~ may be no change',
        makeSwitch('Order', [
          ['change', link('change'), by === 'change'],
          ['factor', link('factor'), by === 'factor'],
          [isRest ? 'only in one' : 'new and gone', link('only'), by === 'only'],
        ])
      ),
      makeTable({
        rows,
        caption: 'Functions by change',
        nameTitle: 'function',
        sort: by === 'factor' ? 'changeFactor' : 'change',
        sortName: 'sort',
        limit: 50,
        hasMarks: true,
        tie: (row) => row.id,
        name: (row) =>
          h(
            'span',
            {},
            functionName(row),
            h('span', { class: 'tag' }, isNew(row) ? said.isNew : isGone(row) ? said.isGone : '')
          ),
        columns: [
          {
            key: 'change',
            title: 'change',
            value: changeOf,
            show: (value, row) => `${alike.has(row.id) ? '~ ' : ''}${formatChange('time', value)}`,
            isTime: true,
          },
          { key: 'bar', title: 'less | more', value: changeOf, isBar: true, isSigned: true },
          { key: 'oldSelf', title: before, show: showTime, isTime: true },
          { key: 'self', title: now, show: showTime, isTime: true },
          {
            key: 'changeFactor',
            title: 'factor',
            help: 'how many times the self time before',
            value: strengthOf,
            show: (_, row) => showFactor(factorOf(row)),
          },
          {
            key: 'calls',
            title: 'calls',
            help: '= : as many as before',
            show: (_, row) => showCallsOf(row),
          },
          {
            key: 'changeTotal',
            title: 'change of total',
            value: (row) => row.total - row.oldTotal,
            show: (value) => formatChange('time', value),
            isWide: true,
            isTime: true,
          },
        ],
      })
    ),
  ];
}
