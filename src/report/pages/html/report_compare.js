// report_compare.js - the first page of a comparison: what changed.

import { formatChange, formatCount, formatPair, formatThings, withMicro } from './report_format.js';
import { data, said, tickCount, tickWords } from './report_data.js';
import { isAll, linkTo, linkWith, state } from './report_state.js';
import {
  formatShare,
  functionName,
  functionTable,
  h,
  makeSwitch,
  nameLink,
  rowsOf,
  section,
  tableSections,
  titleOfMetric,
} from './report_elements.js';
import { judgedItems, makeComparedLead } from './report_lead.js';
import { makeTickSection } from './report_ticks.js';

/** @typedef {import('./report_state.js').View} View */
/** @typedef {ReturnType<typeof rowsOf>[0]} Row */

/** Whether slow ticks are compared with the others of the same logs. */
const isRest = Boolean(data.is_rest);
const than = isRest ? tickWords('in slow ticks than in the others') : 'than before';
const [onlyNow, onlyBefore] = isRest
  ? [tickWords('only in slow ticks'), tickWords('only in other ticks')]
  : ['new', 'gone'];

const changeOf = (/** @type {Row} */ row) => row.self - row.oldSelf;
const isNew = (/** @type {Row} */ row) => row.oldCalls === 0 && row.oldTotal === 0;
const isGone = (/** @type {Row} */ row) => row.calls === 0 && row.total === 0;

/**
 * What stands out: how many functions changed, and which did most.
 * @param {Row[]} rows
 * @param {Set<number>} alike
 */
function findingsOf(rows, alike) {
  const both = rows.filter((row) => !isNew(row) && !isGone(row)),
    clear = both.filter((row) => !alike.has(row.id) && changeOf(row) !== 0);
  const slower = clear.filter((row) => changeOf(row) > 0);
  // As in the table: also one that only one side has. Of one that may be equal, nothing is said.
  const [most] = rows
      .filter((row) => changeOf(row) !== 0)
      .sort((a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || a.id - b.id),
    change = rows.reduce((sum, row) => sum + changeOf(row), 0);
  return [
    h(
      'li',
      `${formatThings(slower.length, 'function takes', 'functions take')} more time ` +
        `${than}, ` +
        `${formatCount(clear.length - slower.length)} less; ` +
        `${formatCount(rows.filter(isNew).length)} ${onlyNow}, ` +
        `${formatCount(rows.filter(isGone).length)} ${onlyBefore}. ` +
        'The others differ by no more than the measurements do.'
    ),
    most && !alike.has(most.id)
      ? h(
          'li',
          nameLink(most.id),
          ` changed most: ${formatChange('time', changeOf(most))}` +
            (change !== 0 &&
            Math.sign(change) === Math.sign(changeOf(most)) &&
            Math.abs(changeOf(most)) <= Math.abs(change)
              ? `, ${Math.round((100 * changeOf(most)) / change)}% of the whole change`
              : '') +
            `; calls ${formatPair(most.oldCalls, most.calls)}.`
        )
      : null,
  ];
}

/** @param {View} view */
export function comparePage(view) {
  const alike = new Set(isAll() ? data.old.alike : []),
    all = rowsOf(view.sums);
  const isOnly = state.more.get('by') === 'only';
  const rows = isOnly ? all.filter((row) => isNew(row) || isGone(row)) : all;
  const found = findingsOf(all, alike).filter((item) => item !== null),
    lead = makeComparedLead(),
    open = found.at(-1)?.querySelector('a');
  if (open)
    lead
      .find((part) => part instanceof Element && part.matches('.first'))
      ?.append(' ', h('a', { href: open.getAttribute('href') }, `Open ${open.textContent}`));
  return [
    ...lead,
    isAll()
      ? null
      : h(
          'p.lead',
          'What is chosen: ' +
            formatShare({ total: view.all, oldTotal: view.tree.oldTotal?.[0] ?? 0 }, 0)
        ),
    ...data.notes
      .filter((/** @type {string} */ text) => text.startsWith('Note: '))
      .map((/** @type {string} */ text) => h('p.warned', `${withMicro(text)}.`)),
    data.scaled ? h('p.quiet', `${said.before}: ${data.scaled}.`) : null,
    tickCount() > 1 ? makeTickSection(view) : null,
    ...tableSections(),
    h(
      'div.beside',
      section(
        `Functions by change of ${titleOfMetric()}`,
        h(
          'span',
          h('a', { href: linkTo({ page: 'functions' }) }, `all ${formatCount(all.length)}`),
          makeSwitch('Functions', [
            ['all', linkWith('by'), !isOnly],
            [isRest ? 'only in one' : 'new and gone', linkWith('by', 'only'), isOnly],
          ])
        ),
        functionTable(view, rows, {
          caption: 'Functions by change',
          sortName: 'sort',
          limit: 50,
          hasMarks: true,
          name: (row) =>
            h(
              'span',
              functionName(row),
              h('span.tag', isNew(row) ? onlyNow : isGone(row) ? onlyBefore : '')
            ),
        })
      ),
      section('What stands out', '', h('ul.findings', judgedItems(), found))
    ),
  ];
}
