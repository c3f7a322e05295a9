// report_calls.js - the page of the call tree, whose rows open, also from each function up to its
// callers.

import { formatCount, formatMetric } from './report_format.js';
import { callRows } from './report_model.js';
import { colorOf, isCompared, labelOf, mean, metrics, said } from './report_data.js';
import { linkTo, pathLink, state } from './report_state.js';
import {
  callsColumn,
  changeColumns,
  formatShare,
  functionLink,
  h,
  makeCell,
  makeSwitch,
  tables,
  timeColumns,
} from './report_elements.js';

/** @typedef {import('./report_state.js').View} View */
/** @typedef {import('./report_model.js').CallRow} CallRow */

/** Rows that are shown at first: without a caller, and of one. */
const rowsMax = 100,
  calledMax = 25;
const barClass = isCompared ? 'bar two wide' : 'bar two';

/** @param {View} view */
export function callsPage(view) {
  const tree = view.paths(),
    isInverted = state.more.get('from') === 'functions',
    all = Math.max(1, view.all);
  /** @type {import('./report_elements.js').Column[]} */
  const columns = isCompared
    ? [
        ...changeColumns('total'),
        ...changeColumns('self', true).slice(2),
        { ...callsColumn(), isWide: true },
      ]
    : [
        ...timeColumns('total', `${mean}total`, view.share, 'all'),
        ...timeColumns('self', `${mean}self`, view.share, 'all').slice(0, 1),
        callsColumn(),
      ];
  const body = h('tbody'),
    rowsOf = new WeakMap(),
    openRows = new Set();
  /** @type {(row: CallRow, depth: number, path: number[]) => HTMLElement} */
  const makeRow = (row, depth, path) => {
    const isOpenable = row.nodes.some((node) =>
        isInverted ? tree.parent[node] > 0 : tree.end[node] > node + 1
      ),
      bars = h('td', { class: barClass, 'aria-hidden': 'true' }, h('i'), h('b')),
      color = `var(--bar-${Math.min(8, colorOf(row.func))})`;
    for (const [bar, value] of /** @type {[HTMLElement, number][]} */ ([
      [bars.firstChild, row.total],
      [bars.lastChild, isInverted ? 0 : row.self],
    ])) {
      bar.style.width = `${((100 * Math.max(0, value)) / all).toFixed(1)}%`;
      bar.style.background = color;
    }
    const opener = h(
      'button.opener',
      { tabindex: '-1', 'aria-hidden': 'true', onclick: () => toggle(element) },
      isOpenable ? '▸' : ''
    );
    const name = h(
      'th',
      { scope: 'row', class: 'branch' },
      opener,
      functionLink(row.func, isInverted ? undefined : path)
    );
    name.style.paddingLeft = `${8 + 18 * Math.min(depth, 40)}px`;
    const element = h(
      'tr',
      {
        tabindex: '-1',
        'aria-level': String(depth + 1),
        'aria-expanded': isOpenable ? 'false' : null,
        data: { focus: `row ${path.join()}` },
      },
      columns.map((column) => (column.isBar ? bars : makeCell(column, row))),
      name
    );
    rowsOf.set(element, { row, isOpenable, depth, path, opener });
    return element;
  };
  /** @type {(rows: CallRow[], depth: number, path: number[]) => HTMLElement[]} */
  const makeRows = (rows, depth, path) => {
    const most = depth === 0 ? rowsMax : calledMax,
      made = rows
        .slice(0, most)
        .map((row) => makeRow(row, depth, isInverted ? [row.func, ...path] : [...path, row.func]));
    if (rows.length <= most) return made;
    const rest = rows.slice(most),
      more = h(
        'tr.rest',
        { 'aria-level': String(depth + 1) },
        h(
          'td',
          { colspan: String(columns.length + 1) },
          h(
            'button.plain',
            {
              onclick: () => {
                more.replaceWith(...makeRows(rest, depth, path));
              },
            },
            `${formatCount(rest.length)} more, together ` +
              formatShare(
                {
                  total: rest.reduce((sum, row) => sum + row.total, 0),
                  oldTotal: rest.reduce((sum, row) => sum + row.oldTotal, 0),
                },
                view.share
              )
          )
        )
      );
    return [...made, more];
  };
  const depthOf = (/** @type {Element} */ element) => Number(element.getAttribute('aria-level'));
  const close = (/** @type {HTMLElement} */ element) => {
    while (element.nextElementSibling && depthOf(element.nextElementSibling) > depthOf(element))
      element.nextElementSibling.remove();
    openRows.delete(element);
    element.setAttribute('aria-expanded', 'false');
    rowsOf.get(element).opener.textContent = '▸';
  };
  const open = (/** @type {HTMLElement} */ element) => {
    const { row, isOpenable, depth, path, opener } = rowsOf.get(element);
    if (!isOpenable || openRows.has(element)) return;
    element.after(...makeRows(callRows(tree, row, isInverted), depth + 1, path));
    openRows.add(element);
    element.setAttribute('aria-expanded', 'true');
    opener.textContent = '▾';
  };
  const toggle = (/** @type {HTMLElement} */ element) =>
    openRows.has(element) ? close(element) : open(element);
  const openHeaviest = (/** @type {HTMLElement} */ element) => {
    let at = element;
    for (let steps = 0; steps < 100 && rowsOf.get(at).isOpenable; steps++) {
      open(at);
      const first = /** @type {HTMLElement} */ (at.nextElementSibling),
        { row } = rowsOf.get(at);
      if (!isInverted && row.self > rowsOf.get(first).row.total) break;
      at = first;
    }
    point(at);
  };
  const openAbove = (/** @type {number} */ part) => {
    for (let element = body.firstElementChild; element; element = element.nextElementSibling)
      if (rowsOf.get(element)?.row.total >= part * all && body.childElementCount < 2000)
        open(/** @type {HTMLElement} */ (element));
  };
  const point = (/** @type {Element | null | undefined} */ element) => {
    if (!element || !rowsOf.has(element)) return;
    for (const row of body.querySelectorAll('tr[tabindex="0"]'))
      /** @type {HTMLElement} */ (row).tabIndex = -1;
    /** @type {HTMLElement} */ (element).tabIndex = 0;
    /** @type {HTMLElement} */ (element).focus();
  };
  body.append(...makeRows(callRows(tree, null, isInverted), 0, []));
  const first = /** @type {HTMLElement | null} */ (body.firstElementChild);
  if (first) first.tabIndex = 0;
  body.onkeydown = (event) => {
    const element = /** @type {HTMLElement} */ (event.target);
    if (!rowsOf.has(element) || event.ctrlKey || event.metaKey || event.altKey) return;
    const above = () => {
      let at = element.previousElementSibling;
      while (at && depthOf(at) >= depthOf(element)) at = at.previousElementSibling;
      return at;
    };
    if (event.key === 'ArrowDown') point(element.nextElementSibling);
    else if (event.key === 'ArrowUp') point(element.previousElementSibling);
    else if (event.key === 'ArrowRight' && openRows.has(element)) point(element.nextElementSibling);
    else if (event.key === 'ArrowRight') open(element);
    else if (event.key === 'ArrowLeft' && openRows.has(element)) close(element);
    else if (event.key === 'ArrowLeft') point(above());
    else if (event.key === '*') openHeaviest(element);
    else if (event.key === 'Enter')
      window.location.hash = pathLink(
        isInverted ? [rowsOf.get(element).row.func] : rowsOf.get(element).path
      );
    else return;
    event.preventDefault();
  };
  tables.set('Calls that are open', {
    element: body,
    nameTitle: 'function',
    columns: [{ key: 'total', title: 'total', isTime: true }],
    rows: () =>
      [...body.children]
        .filter((element) => rowsOf.has(element))
        .map((element) => {
          const { row, depth } = rowsOf.get(element),
            column = { key: 'total', title: 'total', isTime: true };
          return {
            name: '  '.repeat(depth) + labelOf(row.func),
            cells: [{ column, value: row.total, shown: formatShare(row, view.share) }],
          };
        }),
  });
  const from = (/** @type {string} */ value) =>
    linkTo({ more: value === '' ? {} : { from: value } });
  return [
    h(
      'div.controls',
      makeSwitch('Call tree', [
        ['from threads down', from(''), !isInverted],
        ['inverted: from functions up', from('functions'), isInverted],
      ]),
      h('button.plain', { onclick: () => openAbove(0.05) }, 'Open to 5%'),
      h(
        'span.quiet.hint',
        '↑ ↓ row · → open, then first · ← close, then caller · * heaviest path · Enter function'
      )
    ),
    state.metric !== 'time'
      ? h(
          'p.quiet',
          `Rows are in order of time, also where ${metrics[state.metric].name} are chosen; all ` +
            'have ' +
            formatMetric(state.metric, view.totalOf(metrics[state.metric].column)[0]) +
            '.'
        )
      : null,
    h(
      'div.scroll',
      { tabindex: '0', role: 'region', 'aria-label': 'Call tree' },
      h(
        'table.rows.tree',
        { role: 'treegrid', 'aria-label': 'Call tree' },
        h(
          'thead',
          h(
            'tr',
            columns.map(({ title, isBar, isWide }) =>
              h(
                'th',
                { scope: 'col', class: isBar ? barClass : isWide ? 'wide' : null },
                !isBar
                  ? title
                  : isInverted
                    ? ''
                    : `pale: ${isCompared ? `${said.now} ` : ''}total, full: self`
              )
            ),
            h('th', { scope: 'col' }, isInverted ? 'function, below it its callers' : 'function')
          )
        ),
        body
      )
    ),
  ];
}
