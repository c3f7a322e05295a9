// report_list.js - the list of functions: a page of its own, and on wide screens also beside the
// page of the function that is open.

import { findLabels } from '../frames.js';
import { formatCount, formatThings } from './report_format.js';
import { data, functions } from './report_data.js';
import { isAll, pathLink, state } from './report_state.js';
import { findField, functionTable, h, rowColumns, rowsOf, slowSwitch } from './report_elements.js';
import { repeatedTable } from './report_repeated.js';

/** @typedef {import('./report_state.js').View} View */

const roomy = window.matchMedia('(min-width: 1200px)');

/** Whether a list has room beside a function. */
export const hasRoom = () => roomy.matches;

/** Calls something when a list gets room, or loses it. @param {() => void} then */
export const onRoom = (then, /** @type {AbortSignal} */ signal) =>
  roomy.addEventListener('change', then, { signal });

/**
 * The field that finds functions, and their table.
 * @param {View} view
 * @param {Partial<import('./report_elements.js').Table>} more
 */
function makeList(view, more) {
  const all = rowsOf(view.sums),
    output = h('div');
  const show = (/** @type {string} */ text) => {
    const isFound = findLabels(functions.label, text),
      rows = all.filter(({ id }) => isFound[id]);
    if (rows.length === 0 && text !== '') {
      output.replaceChildren(h('p', `'${text}' is in no name and no place of a function.`));
      return;
    }
    output.replaceChildren(
      h('p.quiet', `${formatCount(rows.length)} of ${formatThings(all.length, 'function')}.`),
      data.repeated && isAll()
        ? repeatedTable((id) => isFound[id], true, more.isWhole ? /^(median|change)$/ : undefined)
        : functionTable(view, rows, { sortName: 'sort', ...more })
    );
  };
  const input = findField(show, { placeholder: 'part of a name or place' });
  return { input, output };
}

/** @param {View} view */
export function functionsPage(view) {
  const { input, output } = makeList(view, {});
  return [
    h('p.controls', h('label', { for: 'find' }, 'Functions with '), input, slowSwitch()),
    output,
  ];
}

/**
 * The list that was beside the last function.
 * @type {{of: string, view: View | null, element: HTMLElement, input: HTMLInputElement | null}}
 */
let shownList = { of: '', view: null, element: h('aside'), input: null };

/** @param {HTMLElement} list @returns {HTMLAnchorElement[]} */
const rowLinks = (list) =>
  [...list.querySelectorAll('tbody a.name')].map((link) => /** @type {any} */ (link));

/**
 * The same in the two columns that say most. It stays what it was, scrolled and found, while what
 * is shown stays the same.
 * @param {View} view
 */
function listBeside(view) {
  const sort = state.more.get('sort') ?? '',
    of = `${sort} ${state.metric}`;
  if (
    shownList.of === of &&
    shownList.view === view &&
    shownList.input?.value === (state.more.get('find') ?? '')
  )
    return shownList.element;
  const columns = rowColumns(view, 'function').filter(({ isBar }) => !isBar),
    sorted = columns.filter(({ key }) => key === sort),
    others = columns.filter(({ key, isWide }) => key !== sort && !isWide);
  const { input, output } = makeList(view, {
    columns: [...sorted, ...others].slice(0, 2).map((column) => ({ ...column, isWide: false })),
    isWhole: true,
  });
  input.setAttribute('aria-label', 'Functions with');
  const element = h('aside.list', { 'aria-label': 'Functions' }, input, output);
  // Up and down lead from function to function, in one step of the history.
  element.onkeydown = (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = rowLinks(element),
      at = links.findIndex((link) => link.ariaCurrent === 'true'),
      next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
    event.preventDefault();
    if (!next) return;
    next.focus({ preventScroll: true });
    window.location.replace(next.hash);
  };
  shownList = { of, view, element, input };
  return element;
}

/**
 * A function's page with the list beside it.
 * @param {View} view
 * @param {Node[]} made
 */
export function besideList(view, made) {
  const list = listBeside(view),
    top = list.scrollTop;
  const split = h('div.split', list, h('div', made)),
    opened = pathLink([state.path[state.path.length - 1]]).split('?')[0];
  for (const link of rowLinks(list))
    link.ariaCurrent = link.hash.split('?')[0] === opened ? 'true' : null;
  // When it is in the page, it can be scrolled.
  requestAnimationFrame(() => {
    const header = /** @type {HTMLElement} */ (document.getElementById('header')),
      above = header.offsetHeight + (Number.parseFloat(getComputedStyle(header).top) || 0);
    Object.assign(list.style, { top: `${above}px`, maxHeight: `calc(100vh - ${above}px)` });
    list.scrollTop = top;
    const row = list.querySelector('[aria-current=true]')?.closest('tr');
    if (!row) return;
    const box = row.getBoundingClientRect(),
      of = list.getBoundingClientRect();
    if (box.top < of.top + 90 || box.bottom > Math.min(of.bottom, window.innerHeight))
      list.scrollTop += box.top - of.top - of.height / 3;
  });
  return split;
}
