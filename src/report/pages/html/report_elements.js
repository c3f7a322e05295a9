// report_elements.js - the elements of which pages are made: links and menus of functions, tables,
// flame graphs. Names from the log reach the page as text nodes only.

import {
  colorOfChange,
  formatChange,
  formatCount,
  formatFactor,
  formatMetric,
  formatPair,
  formatPart,
  formatPercent,
  formatThings,
  formatTime,
  showTime,
} from './report_format.js';
import { ownersOf, sumGroups, sumUp } from './report_model.js';
import { Flame } from './report_flame.js';
import {
  cellOf,
  colorOf,
  colors,
  data,
  fileOf,
  functions,
  groupColors,
  isCompared,
  isRecording,
  labelOf,
  mean,
  metrics,
  model,
  nameInTextOf,
  nameOf,
  placeOf,
  said,
  tickCount,
  tickWords,
} from './report_data.js';
import {
  earlyAndLate,
  go,
  isAll,
  linkTo,
  linkWith,
  note,
  pathLink,
  state,
  usualSlow,
} from './report_state.js';

/** @typedef {import('./report_model.js').Chip} Chip */
/** @typedef {import('./report_state.js').View} View */
/** @typedef {import('./report_copy.js').Head} Head */
/** @typedef {import('./report_copy.js').Copied} Copied */

/* Making elements ---------------------------------------------------------------------------- */

/**
 * An element: its tag, with classes after dots; its properties, if it has any; and its children.
 * @param {string} tag
 * @param {...any} parts
 * @returns {HTMLElement}
 */
export function h(tag, ...parts) {
  const [type, ...classes] = tag.split('.'),
    element = document.createElement(type),
    hasProperties = Object.getPrototypeOf(parts[0] ?? '') === Object.prototype;
  if (classes.length > 0) element.className = classes.join(' ');
  if (type === 'button') element.setAttribute('type', 'button');
  for (const [name, value] of Object.entries(hasProperties ? parts.shift() : {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'data') Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of parts.flat(2))
    if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** A name, or a place, that breaks between its words before it breaks one. @param {string} name */
export const wordsOf = (name) =>
  [...name.slice(0, 200).split(/(?<=[._:/])|(?<=[a-z])(?=[A-Z])/), name.slice(200)].flatMap(
    (word) => [word, h('wbr')]
  );

/** @param {number} func @param {number[]} [path] */
export function functionLink(func, path) {
  if (func < 0) return h('span.name', '(engine)');
  const place = placeOf(func);
  return h(
    'span.function',
    h(
      'a',
      { href: pathLink(path ?? [func]), class: 'name', title: labelOf(func) },
      wordsOf(nameOf(func))
    ),
    place ? h('span.place', { title: place }, wordsOf(place)) : null,
    menuButton(func)
  );
}

/**
 * Some things in a line of text, and how many more there are.
 * @param {(Node | string)[]} things
 * @param {number} most
 */
export const inLine = (things, most, between = ', ') => [
  ...things.slice(0, most).flatMap((thing, i) => [i > 0 ? between : '', thing]),
  things.length > most ? ` and ${formatCount(things.length - most)} more` : '',
];

/** A function in a line of text. @param {number} func */
export const nameLink = (func) =>
  h('a', { href: pathLink([func]), title: labelOf(func) }, nameInTextOf(func));

/** @param {number[]} funcs @param {number} most */
export const nameLinks = (funcs, most, between = ', ') =>
  inLine(funcs.map(nameLink), most, between);

/** The mark of a function whose time is doubtful: noise is known of the whole only. */
const markOf = (/** @type {number} */ func) => {
  const mark = functions.mark?.[func] ?? 0;
  return mark < 3 || isAll() ? mark : 0;
};

/** What the marks of some functions mean. @param {{id: number}[]} rows */
const legendOfMarks = (rows) =>
  [...new Set(rows.map(({ id }) => markOf(id)))]
    .filter((mark) => mark > 0)
    .map((mark) => data.marks[mark].join(' '))
    .join(' · ');

/** A function of a table. @param {ReturnType<typeof rowOf>} row */
export function functionName(row) {
  const [sign, why] = data.marks[markOf(row.id)];
  return h('span', sign === '' ? null : h('b.mark', { title: why }, sign), functionLink(row.id));
}

/* What a screen reader says ------------------------------------------------------------------- */

const announced = h('p.hidden', { role: 'status', id: 'announced' });
document.getElementById('header')?.after(announced);
export const announce = (/** @type {string} */ text) => {
  announced.textContent = text;
};

/** Says on the button what was done. @param {string} text */
export function say(text) {
  const button = document.getElementById('export');
  announce(text);
  if (!button) return;
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Export';
  }, 2000);
}

/** @param {string} suffix @param {BlobPart} contents */
export function saveFile(suffix, contents) {
  const href = URL.createObjectURL(new Blob([contents]));
  h('a', { href, download: data.title + suffix }).click();
  say(`Saved ${suffix}`);
}

/* The menu of a function ----------------------------------------------------------------------- */

/** @type {HTMLElement | null} */
export let openedMenu = null;

export function closeMenu() {
  const opener = /** @type {any} */ (openedMenu)?.opener;
  const hadFocus = openedMenu?.contains(document.activeElement);
  openedMenu?.remove();
  openedMenu = null;
  if (hadFocus) opener?.focus();
}

/** @param {Chip} chip */
export const withChip = (chip) => [
  ...state.chips.filter((other) => JSON.stringify(other) !== JSON.stringify(chip)),
  chip,
];

/** @param {number} func @param {number} x @param {number} y @param {HTMLElement} opener */
function openMenu(func, x, y, opener) {
  const label = labelOf(func),
    place = placeOf(func),
    file = fileOf(func);
  /** @type {(kind: Chip['kind'], what: Chip['what'], value: string) => () => void} */
  const chip = (kind, what, value) => () => go({ chips: withChip({ kind, what, value }) });
  const copy = (/** @type {string} */ text) => () => navigator.clipboard?.writeText(text);
  /** @type {(isThere: unknown, ...entries: [string, () => void][]) => typeof entries} */
  const those = (isThere, ...entries) => (isThere ? entries : []);
  const entries = those(
    true,
    ['Open', () => window.location.assign(pathLink([func]))],
    ['Only call stacks with it', chip('only', 'function', label)],
    ['Only call stacks without it', chip('without', 'function', label)],
    ['Hide it: its time goes to its callers', chip('hide', 'function', label)],
    ['Show from it on', chip('from', 'function', label)],
    ...those(
      file,
      [`Only ${file}`, chip('only', 'file', file)],
      [`Hide ${file}`, chip('hide', 'file', file)]
    ),
    ['Copy name', copy(nameOf(func))],
    ...those(place.includes(':'), [`Copy ${place}`, copy(place)])
  );
  showMenu(label, entries, x, y, opener);
}

/**
 * Opens a menu at a place; the focus goes back to its opener.
 * @param {string} label
 * @param {[string, () => void][]} entries
 * @param {number} x
 * @param {number} y
 * @param {HTMLElement} opener
 */
export function showMenu(label, entries, x, y, opener) {
  closeMenu();
  const menu = h(
    'div.menu',
    { role: 'menu', 'aria-label': label },
    entries.map(([text, act]) =>
      h(
        'button',
        {
          role: 'menuitem',
          onclick: () => {
            closeMenu();
            act();
          },
        },
        text
      )
    )
  );
  /** @type {any} */ (menu).opener = opener;
  menu.onkeydown = (event) => {
    const buttons = [...menu.querySelectorAll('button')],
      at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length].focus();
    else if (event.key === 'ArrowUp') buttons[(at + buttons.length - 1) % buttons.length].focus();
    else if (event.key === 'Escape') closeMenu();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.body.append(menu);
  const { offsetWidth, offsetHeight } = menu;
  menu.style.left = `${Math.max(4, Math.min(x, window.innerWidth - offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, window.innerHeight - offsetHeight - 8))}px`;
  openedMenu = menu;
  menu.querySelector('button')?.focus();
}

/** @param {number} func */
function menuButton(func) {
  return h(
    'button.more',
    {
      tabindex: '-1',
      'aria-haspopup': 'menu',
      'aria-label': `Menu of ${nameOf(func)}`,
      onclick: (/** @type {MouseEvent} */ event) => {
        const button = /** @type {HTMLElement} */ (event.currentTarget),
          box = button.getBoundingClientRect();
        event.stopPropagation();
        openMenu(
          func,
          box.left,
          box.bottom + 2,
          button.parentElement?.querySelector('a') ?? button
        );
      },
    },
    '⋯'
  );
}

/* Tables ------------------------------------------------------------------------------------- */

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {string} [help]
 * @property {(row: any) => number} [value] else what the row has of that name
 * @property {(value: number, row: any) => string} [show]
 * @property {boolean} [isBar]
 * @property {(row: any) => HTMLElement} [draw] a picture in place of a bar
 * @property {boolean} [isSigned] a bar that goes to the left for less
 * @property {boolean} [isTime] ns, and -1 if it is not known
 * @property {number} [whole] what a full bar is; else the largest of the rows
 * @property {boolean} [isWide] shown on wide screens only
 * @property {boolean} [isWidest] shown on the widest screens only
 */

/** @param {Column} column @param {any} row @returns {number} */
export const valueOf = ({ key, value }, row) => (value ? value(row) : row[key]);
/** @param {Column} column @param {any} row */
export const showValue = (column, row) => (column.show ?? formatCount)(valueOf(column, row), row);

/** @param {Column} column */
const classOf = ({ isWide, isWidest }) => (isWidest ? 'wide widest' : isWide ? 'wide' : null);

/** @param {Column} column @param {any} row */
export const makeCell = (column, row) =>
  h(
    'td',
    {
      class: classOf(column),
      data: { key: column.key, value: valueOf(column, row) },
    },
    showValue(column, row)
  );

/**
 * The tables of the page, for copies: all of their rows, in order.
 * @type {Map<string, {element: HTMLElement, nameTitle: string, columns: Head[], rows: () =>
 * Copied[]}>}
 */
export const tables = new Map();

/**
 * `text` is the name in a copy, else that of the function with the row's id; `sort` the key of a
 * column, else rows stay in order; `sortName` that of the choice in the address; `limit` how many
 * rows there are at first, and with `isWhole` the others follow unasked; with `hasMarks` names have
 * the marks of functions.
 * @typedef {{rows: any[], columns: Column[], nameTitle: string, name: (row: any) => Node, text?:
 * (row: any) => string, caption: string, sort?: string, sortName?: string, limit?: number,
 * isWhole?: boolean, tie?: (row: any) => number, hasMarks?: boolean}} Table
 */

/** @param {Table} table */
export function makeTable({
  rows,
  columns,
  nameTitle,
  name,
  text = (row) => labelOf(row.id),
  caption,
  sort,
  sortName,
  limit = 60,
  isWhole = false,
  tie = (row) => row.at ?? row.id ?? 0,
  hasMarks = name === functionName,
}) {
  const chosen =
    columns.find(({ key }) => key === (sortName ? state.more.get(sortName) : null) && sortName) ??
    columns.find(({ key }) => key === sort);
  if (chosen) {
    const order = (/** @type {any} */ row) =>
      chosen.key.startsWith('change') && chosen.key !== 'changeEach'
        ? Math.abs(valueOf(chosen, row))
        : valueOf(chosen, row);
    // Equal ones as on the screen: a table of the data is in the order of self times already.
    const own = (/** @type {any} */ { self = 0, oldSelf }) =>
      oldSelf === undefined ? self : Math.abs(self - oldSelf);
    rows = [...rows].sort((a, b) => order(b) - order(a) || own(b) - own(a) || tie(a) - tie(b));
  }
  const bars = columns.filter(({ isBar }) => isBar);
  const largest = new Map(
    bars.map((column) => [
      column,
      column.whole ?? rows.reduce((most, row) => Math.max(most, Math.abs(valueOf(column, row))), 1),
    ])
  );
  const body = h('tbody');
  const makeBar = (/** @type {Column} */ column, /** @type {any} */ row) => {
    if (column.draw) return h('td.drawn', column.draw(row));
    const value = valueOf(column, row);
    const cell = h('td.bar.wide', { 'aria-hidden': 'true' }, h('i')),
      bar = /** @type {HTMLElement} */ (cell.firstChild);
    const size =
      (100 * Math.max(0, column.isSigned ? Math.abs(value) : value)) / (largest.get(column) ?? 1);
    bar.style.width = `${(column.isSigned ? size / 2 : size).toFixed(1)}%`;
    if (column.isSigned) {
      bar.className = value < 0 ? 'less' : 'more-time';
      bar.style.marginLeft = `${(value < 0 ? 50 - size / 2 : 50).toFixed(1)}%`;
    }
    return cell;
  };
  const addRows = (/** @type {number} */ from, /** @type {number} */ to) =>
    body.append(
      ...rows.slice(from, to).map((row) =>
        h(
          'tr',
          columns.map((column) => (column.isBar ? makeBar : makeCell)(column, row)),
          h('th', { scope: 'row' }, name(row))
        )
      )
    );
  addRows(0, limit);
  let shownCount = Math.min(limit, rows.length);
  // In parts: all of them at once would hold up the page.
  const showMore = () => {
    addRows(shownCount, shownCount + 100);
    shownCount = Math.min(shownCount + 100, rows.length);
    if (shownCount < rows.length) requestAnimationFrame(showMore);
    else delete body.dataset.growing;
  };
  const grow = () => {
    body.dataset.growing = 'yes';
    showMore();
  };
  const more =
    rows.length <= limit || isWhole
      ? null
      : h(
          'button.plain.show-all',
          {
            onclick: () => {
              const first = /** @type {HTMLElement} */ (body.lastElementChild);
              grow();
              more?.remove();
              // The button had the focus.
              /** @type {HTMLElement | null | undefined} */ (
                first.nextElementSibling?.querySelector('a, button')
              )?.focus({ preventScroll: true });
            },
          },
          `${formatThings(rows.length - limit, 'row is', 'rows are')} hidden`,
          h('span', ': show all')
        );
  if (isWhole && rows.length > limit) requestAnimationFrame(grow);
  const shownColumns = columns.filter(({ isBar }) => !isBar);
  if (rows.length > 0)
    tables.set(caption, {
      element: body,
      nameTitle,
      columns: shownColumns,
      rows: () =>
        rows.map((row) => ({
          name: text(row),
          cells: shownColumns.map((column) => ({
            column,
            value: valueOf(column, row),
            shown: showValue(column, row),
          })),
        })),
    });
  const header = columns.map((column) =>
    h(
      'th',
      {
        scope: 'col',
        class: column.draw ? 'drawn' : column.isBar ? 'bar wide' : classOf(column),
        title: column.help || null,
        'aria-sort': column === chosen && sortName ? 'descending' : null,
        'aria-hidden': column.isBar ? 'true' : null,
      },
      sortName && !column.isBar
        ? h(
            'a',
            { href: linkWith(sortName, column.key), data: { focus: `${caption} ${column.key}` } },
            column.title
          )
        : column.title
    )
  );
  return h(
    'div.scroll',
    { tabindex: '0', role: 'region', 'aria-label': caption },
    // How many columns there are says what goes first where they have no room.
    h(
      `table.rows${columns.length > 8 ? '.many' : columns.length > 4 ? '.some' : ''}`,
      h('caption.hidden', caption),
      h('thead', h('tr', header, h('th', { scope: 'col' }, nameTitle))),
      body
    ),
    more || hasMarks
      ? h('p.tools', more, hasMarks ? h('span.marks', legendOfMarks(rows)) : null)
      : null
  );
}

// As supprof's tables: calls that began before the recording were not counted.
export const showCalls = (/** @type {number} */ value, /** @type {any} */ row) =>
  value === 0 && (row.self !== 0 || row.total !== 0) ? '–' : formatCount(value);
export const showKnown =
  (/** @type {(value: number) => string} */ show) => (/** @type {number} */ value) =>
    value < 0 ? '–' : show(value);

/** A column of a time. @param {string} key @param {string} title @param {Partial<Column>} [more] */
export const timeColumn = (key, title, more = {}) => ({
  key,
  title,
  show: showTime,
  isTime: true,
  ...more,
});

/**
 * The columns of a time: itself, its part of a whole, and a bar.
 * @param {string} key of rows
 * @param {string} title
 * @param {number} whole
 * @param {string} of what the whole is
 * @param {number} [bar] what a full bar is
 * @returns {Column[]}
 */
export function timeColumns(key, title, whole, of, bar) {
  const value = (/** @type {any} */ row) => row[key];
  return [
    timeColumn(key, title),
    { key: `${key}%`, title: `% of ${of}`, value, show: (part) => formatPart(part, whole) },
    { key: 'bar', title: '', value, isBar: true, whole: bar },
  ];
}

/**
 * The columns that compare slow ticks with the others, of a time of rows.
 * @param {View} view
 * @param {string} key of the time in slow ticks
 * @param {string} oldKey of that in the others
 * @returns {Column[]}
 */
function slowColumns(view, key, oldKey) {
  const { slow } = view;
  if (!slow) return [];
  const [one, another] = slow.words;
  const each = (/** @type {number} */ time, /** @type {number} */ count) =>
    count > 0 ? Math.round(time / count) : 0;
  const now = (/** @type {any} */ row) => each(row[key], slow.count),
    other = (/** @type {any} */ row) => each(row[oldKey], slow.otherCount);
  const factor = (/** @type {any} */ row) =>
    other(row) > 0 ? now(row) / other(row) : now(row) > 0 ? Infinity : 0;
  /** @type {Column} */
  const growth = {
    key: 'changeEach',
    title: tickWords('change per tick'),
    value: (row) => now(row) - other(row),
    show: (value) => formatChange('time', value),
    isTime: true,
  };
  return [
    ...(slow.isGrowth ? [growth] : []),
    timeColumn('slow', tickWords(`per ${one} tick`), {
      help: tickWords(`${key} time in a ${one} tick`),
      value: now,
    }),
    { key: 'bar', title: '', value: now, isBar: true },
    timeColumn('other', `per ${another}`, {
      help: tickWords(`${key} time in one of the ${another} ticks`),
      value: other,
    }),
    {
      key: 'factor',
      title: 'factor',
      value: factor,
      show: (value) =>
        value === Infinity ? `only ${one}` : value === 0 ? '–' : `×${formatFactor(value)}`,
      isWide: slow.isGrowth,
    },
    {
      key: 'slow%',
      title: tickWords(`of ${one} ticks`),
      help: tickWords(`part of the time of the ${one} ticks`),
      value: (row) => row[key],
      show: (value) => formatPart(value, view.all, '%'),
      isWide: true,
    },
  ];
}

/**
 * The columns of a time of callers, callees and lines.
 * @param {View} view
 * @param {number} whole
 * @param {string} of what the whole is
 * @param {number} [bar]
 */
export const edgeColumns = (view, whole, of, bar) =>
  isCompared
    ? changeColumns('total')
    : view.slow
      ? slowColumns(view, 'total', 'oldTotal')
      : timeColumns('total', 'total', whole, of, bar);

/* Comparisons --------------------------------------------------------------------------------- */

/** @typedef {ReturnType<typeof rowOf>} Row */

/** How many times the old time the new one is; 0 without one. @param {Row} row */
const factorOf = (row) => (row.oldSelf > 0 && row.self > 0 ? row.self / row.oldSelf : 0);

/**
 * The columns of a figure of both sides: its change, a bar, old and new.
 * @param {'self' | 'total' | 'calls' | 'errors' | 'heap'} key
 * @param {boolean} [isWide]
 * @returns {Column[]}
 */
export function changeColumns(key, isWide = false) {
  const name = key[0].toUpperCase() + key.slice(1),
    old = `old${name}`,
    metric = key === 'heap' ? 'alloc' : key === 'calls' || key === 'errors' ? key : 'time',
    value = (/** @type {any} */ row) => row[key] - row[old];
  const isTime = metric === 'time';
  /** @type {(calls: string, total: string) => Column['show']} */
  const shows = (calls, total) => (number, row) =>
    // One of the sides may not have it.
    !row[calls] && !row[total] && !number
      ? '–'
      : isTime
        ? showTime(number)
        : formatMetric(metric, number);
  return [
    {
      key: key === 'self' ? 'change' : `change${name}`,
      title: `change of ${mean}${key}`,
      value,
      show: (number) => formatChange(metric, number),
      isTime,
      isWide,
    },
    { key: 'bar', title: 'less | more', value, isBar: true, isSigned: true },
    {
      key: old,
      title: `${said.before} ${key}`,
      show: shows('oldCalls', 'oldTotal'),
      isTime,
      isWide,
    },
    { key, title: `${said.now} ${key}`, show: shows('calls', 'total'), isTime, isWide },
  ];
}

/** The columns of functions, files and mods of both sides. @returns {Column[]} */
function bothColumns() {
  const lead = /** @type {'self' | 'calls' | 'errors' | 'heap'} */ (sortOfMetric());
  return [
    ...(lead === 'self' ? [] : changeColumns(lead)),
    ...changeColumns('self').filter(({ isBar }) => !isBar || lead === 'self'),
    {
      key: 'changeFactor',
      title: 'factor',
      help: 'how many times the old self time',
      // How far it is from 1, in either direction.
      value: (row) => Math.abs(Math.log(factorOf(row) || 1)),
      show: (_, row) => (factorOf(row) === 0 ? '–' : `×${formatFactor(factorOf(row))}`),
    },
    ...(lead === 'calls' ? [] : [{ ...callsColumn(), isWide: true }]),
    ...changeColumns('total', true).filter(({ isBar }) => !isBar),
  ];
}

/** A time in a sentence: with its part of a whole, or of both sides. */
export const formatShare = (
  /** @type {{total: number, oldTotal: number}} */ { total, oldTotal },
  /** @type {number} */ all
) =>
  isCompared
    ? `${mean}${formatPair(oldTotal, total, showTime)} (${formatChange('time', total - oldTotal)})`
    : `${mean}${formatTime(total)} · ${formatPart(total, all, '%')}`;

/** The column of calls, of both sides in a comparison. @returns {Column} */
export const callsColumn = (show = showCalls) => ({
  key: 'calls',
  title: isCompared ? `calls ${said.before} → ${said.now}` : `${mean}calls`,
  help: isCompared ? '=: as many in both' : '–: it ran already when the recording began',
  show: isCompared
    ? (now, row) => (row.isSelf || row.isUsed === false ? '' : formatPair(row.oldCalls, now))
    : show,
});

const sortOfSlow = (/** @type {NonNullable<View['slow']>} */ { isGrowth }) =>
  isGrowth ? 'changeEach' : 'slow';

/** The column by which rows of `edgeColumns` are in order. @param {View} view */
export const sortOfEdges = (view) =>
  isCompared
    ? 'changeTotal'
    : view.slow
      ? sortOfSlow(view.slow)
      : state.metric === 'calls'
        ? 'calls'
        : 'total';

/**
 * What else grows: calls, or what one takes.
 * @param {NonNullable<View['slow']>} slow
 * @returns {Column[]}
 */
function growthColumns({ count, otherCount }) {
  const each = (/** @type {number} */ time, /** @type {number} */ n) => (n > 0 ? time / n : 0);
  return [
    {
      key: 'callsEach',
      title: tickWords('calls per tick'),
      value: (row) => each(row.calls, count),
      show: (now, row) => formatPair(each(row.oldCalls, otherCount), now, formatFactor),
    },
    {
      key: 'each',
      title: 'self per call',
      value: (row) => each(row.self, row.calls),
      show: (now, row) =>
        formatPair(Math.round(each(row.oldSelf, row.oldCalls)), Math.round(now), showTime),
      isWide: true,
    },
  ];
}

/** On a screen there is room for one word. @type {Record<string, string>} */
const ofWakes = { wake_ns: 'median wake', wake_99_ns: '99% of wakes', polls_ns: 'time of polls' };

/**
 * The columns of a table of the data that people read: see html_data.h. Rows have their index as
 * `at`.
 * @param {any} table
 * @param {number} [whole] of which parts are
 * @returns {Column[]}
 */
export function columnsOfTable(table, whole = 0) {
  /** @type {Record<string, (value: number) => string>} */
  const shows = { time: showTime, part: (value) => formatPart(value, whole), count: formatCount };
  return table.columns.map((/** @type {any[]} */ [key, title, kind, help, order]) => ({
    key,
    title: tickWords(ofWakes[key] ?? (title || kind)).replace('+-', '±'),
    help: tickWords(help.replace('null:', '–:')),
    value: (/** @type {any} */ row) => cellOf(table, key, row.at) ?? -1,
    show:
      kind === 'change'
        ? (/** @type {number} */ value) => formatChange('time', value)
        : showKnown(shows[kind] ?? String),
    isTime: kind === 'time',
    isWide: table.columns.length > 3 && order > 0 && order < 9,
  }));
}

/**
 * A table of the data that has the labels of its rows itself; null without rows.
 * @param {any} table
 * @param {string} caption
 * @param {string} nameTitle
 */
export const makeLabelled = (table, caption, nameTitle) =>
  table.label
    ? makeTable({
        rows: table.label.map(
          (/** @type {string[]} */ [name, place], /** @type {number} */ id) => ({
            id,
            at: id,
            name,
            place,
          })
        ),
        caption,
        nameTitle,
        limit: 20,
        text: ({ name, place }) => `${name} ${place}`.trim(),
        name: ({ name, place }) =>
          h('span.function', h('span.name', name), place && h('span.place', place)),
        columns: columnsOfTable(table),
      })
    : null;

/** The tables of the data that say themselves what is above them. */
export const tableSections = () =>
  Object.values(data.tables).map((table) =>
    section(table.heading, table.about, makeLabelled(table, table.heading, table.label_title))
  );

/**
 * The columns of the whole report that cannot be made from its call tree.
 * @param {View} view
 * @param {string} kind as of rowColumns()
 * @returns {Column[]}
 */
function moreColumns(view, kind) {
  const table = isAll() ? data.rows?.[kind] : null;
  if (!table) return [];
  const names = kind === 'file' ? model.files : model.mods;
  /** @type {Map<number, number>} */
  const places = new Map(
    table[kind].map((/** @type {any} */ id, /** @type {number} */ at) => [
      kind === 'function' ? id : names.indexOf(id),
      at,
    ])
  );
  return columnsOfTable(table, view.all).map((column) => ({
    ...column,
    value: ({ id }) => valueOf(column, { at: places.get(id) }),
  }));
}

/** The name of an error that says what it is of; null if it is none. @param {Column} column */
export const errorName = ({ key }, unit = '') =>
  /_error_percent$/.test(key)
    ? `${isCompared ? `${said.now} ` : ''}${key.split('_')[0]} ±${unit}`
    : null;

/**
 * The columns of a row with `self`, `total`, `calls` and so on; that of the chosen metric first,
 * with a bar.
 * @param {View} view
 * @param {string} [kind] of what the ids of rows are: function, file, mod
 */
export function rowColumns(view, kind = '') {
  if (view.slow) {
    const { slow } = view,
      isWhole = state.chips.length === 0 && state.thread === 'all' && kind === 'function';
    /** @type {Column} */
    const inTicks = {
      key: 'in',
      title: 'in',
      help: tickWords(`${slow.words[0]} ticks in which it did anything`),
      value: (row) => slow.countsOfFunctions()[row.id],
      show: (value) => `${formatCount(value)} of ${formatCount(slow.count)}`,
      isWide: true,
    };
    return [
      ...slowColumns(view, 'self', 'oldSelf'),
      ...(isWhole ? [inTicks] : []),
      ...(slow.isGrowth ? growthColumns(slow) : []),
      {
        key: 'calls',
        title: 'calls',
        help: tickWords(`in the ${slow.words[0]} ticks`),
        show: showCalls,
        isWide: true,
      },
    ];
  }
  const more = moreColumns(view, kind),
    moreOf = (/** @type {RegExp} */ names) => more.filter(({ key }) => names.test(key));
  if (isCompared)
    return [
      ...bothColumns(),
      ...more.map((column) => ({
        ...column,
        title: errorName(column, '%') ?? `${said.now} ${column.title}`,
      })),
    ];
  const lead = sortOfMetric(),
    [self, part, bar] = timeColumns('self', `${mean}self`, view.share, 'all'),
    [total, totalPart] = timeColumns('total', `${mean}total`, view.share, 'all'),
    totalErrors = moreOf(/^total_/);
  /** @type {Column[]} */
  const columns = [
    { ...self, help: 'time in the function itself' },
    {
      ...part,
      help: 'self time as part of what is shown',
      isWide: lead !== 'self' && lead !== 'calls',
    },
    ...moreOf(/^self_/),
    ...(lead === 'self' ? [bar] : []),
    { ...total, help: 'time with all that it called, each call stack counted once' },
    // Its error is a part, too.
    { ...totalPart, isWide: true, isWidest: totalErrors.length === 0 },
    ...totalErrors,
    callsColumn(),
    timeColumn('each', 'self per call', {
      help: 'the mean',
      value: (/** @type {any} */ row) => (row.calls > 0 ? row.self / row.calls : -1),
      show: (value, row) => (row.calls > 0 ? showTime(value) : '–'),
      isWide: true,
    }),
  ];
  if (isRecording) {
    if (state.ticks === '')
      columns.push(
        timeColumn('longest', 'longest total', {
          help: 'the longest call that returned, with all that it called',
          show: showKnown(showTime),
          isWide: true,
        })
      );
    for (const [key, title, help] of [
      ['errors', 'errors', 'calls that an error ended'],
      ['heap', 'heap KB', 'growth of the memory in use'],
    ])
      if (data.nodes[key])
        columns.push({ key, title, help, isWide: lead !== key, isWidest: lead !== key });
  }
  columns.push(...moreOf(/^(?!self_|total_)/));
  if (lead === 'self') return columns;
  const first = columns.filter(({ key }) => key === lead);
  return [
    ...first,
    { ...bar, value: (/** @type {any} */ row) => row[lead] },
    ...columns.filter(({ key }) => key !== lead),
  ];
}

/** @param {import('./report_model.js').Sums} sums @param {number} i */
export function rowOf(sums, i) {
  const of = (/** @type {string} */ column) => sums.columns[column]?.[i] ?? 0;
  return {
    id: i,
    self: of('self'),
    total: sums.total[i],
    calls: of('calls'),
    errors: of('errors'),
    heap: of('heap'),
    longest: sums.columns.longest ? of('longest') : -1,
    oldSelf: of('oldSelf'),
    oldTotal: sums.oldTotal[i],
    oldCalls: of('oldCalls'),
    oldErrors: of('oldErrors'),
    oldHeap: of('oldHeap'),
  };
}

/** @param {import('./report_model.js').Sums} sums */
export const rowsOf = (sums) =>
  Array.from({ length: sums.count }, (_, i) => i)
    .filter((i) => sums.isUsed[i])
    .map((i) => rowOf(sums, i));

/** The column by which rows are in order. @returns {string} */
export const sortOfMetric = () => metrics[state.metric].column;

/** The column by which a table of `rowColumns` is in order. @param {View} view */
export const sortOfRows = (view) =>
  view.slow ? sortOfSlow(view.slow) : isCompared ? rowColumns(view)[0].key : sortOfMetric();

/**
 * A table of functions, with what is special of it.
 * @param {View} view
 * @param {Row[]} rows
 * @param {Partial<Table>} more
 */
export const functionTable = (view, rows, more) =>
  makeTable({
    rows,
    columns: rowColumns(view, 'function'),
    caption: 'Functions',
    nameTitle: 'function',
    name: functionName,
    sort: sortOfRows(view),
    ...more,
  });

/**
 * Choices of which one holds, as links.
 * @param {string} label
 * @param {[string, string, boolean][]} choices text, address, whether it holds
 */
export const makeSwitch = (label, choices) =>
  h(
    'span.switch',
    { role: 'group', 'aria-label': label },
    choices.map(([text, href, isChosen]) =>
      h(
        'a',
        { href, 'aria-current': isChosen ? 'true' : null, data: { focus: `${label} ${text}` } },
        text
      )
    )
  );

/** The switch between all ticks and slow ticks beside the others; null without such data. */
export const slowSwitch = () =>
  !model.changes || isCompared || tickCount() < 2
    ? null
    : makeSwitch(tickWords('Ticks of the tables'), [
        [
          tickWords('all ticks'),
          linkTo({ slow: 0, growth: '' }),
          state.slow === 0 && state.growth === '',
        ],
        [
          'slow v. other',
          linkTo({ slow: state.slow || usualSlow(), isIdle: false }),
          state.slow > 0 && !state.isIdle,
        ],
        ...(data.ticks.disturbed
          ? /** @type {[string, string, boolean][]} */ ([
              [
                'on an idle computer',
                linkTo({ slow: state.slow || usualSlow(), isIdle: true }),
                state.isIdle,
              ],
            ])
          : []),
        [
          'late v. early',
          linkTo({ slow: 0, growth: state.growth || earlyAndLate().join() }),
          state.growth !== '',
        ],
      ]);

export const titleOfMetric = () =>
  state.metric === 'time' ? 'self time' : metrics[state.metric].name;

/* Flame graphs --------------------------------------------------------------------------------- */

/**
 * `zoomName` is that of the choice in the address; `starts` are those of nodes in the order of
 * time.
 * @param {import('./report_model.js').Tree} tree without lines
 * @param {{heightMax: number, rootName: string, zoomName?: string, colorBy?: 'file' | 'mod',
 * hasCard?: boolean, starts?: Float64Array}} options
 */
export function makeFlame(
  tree,
  { heightMax, rootName, zoomName, colorBy = 'file', hasCard = false, starts }
) {
  const metric = starts ? 'time' : state.metric,
    owners = ownersOf(tree, functions.kind);
  const column = metrics[metric].column;
  const own = (tree.columns[column] ?? tree.columns.self).map((value) => Math.max(0, value));
  const values = sumUp({ ...tree, columns: { own } }, 'own');
  const oldColumn = `old${column[0].toUpperCase()}${column.slice(1)}`,
    oldOwn = tree.columns[oldColumn]?.map((value) => Math.max(0, value)) ?? null;
  const oldValues = oldOwn ? sumUp({ ...tree, columns: { own: oldOwn } }, 'own') : null;
  const linesOf = (/** @type {number} */ node) =>
    linesOfFrame(tree, node, { metric, values, own, oldValues, oldOwn });
  const flame = new Flame({
    tree,
    values,
    starts,
    oldValues,
    nameOf,
    labelOf,
    rootName,
    heightMax,
    colorOf: (node) => colorOf(owners[node], colorBy),
    isPale: (node) => owners[node] !== tree.func[node],
    open: (func) => {
      window.location.hash = pathLink([func]);
    },
    makeCard: hasCard
      ? (node) => [
          h('p', h('b', nameOf(tree.func[node])), ' ', h('small', placeOf(tree.func[node]))),
          h(
            'table',
            linesOf(node).map(([name, ...cells]) =>
              h(
                'tr',
                h('th', name),
                cells.map((cell) => h('td', cell))
              )
            )
          ),
          h('p', h('small', 'Enter or click: zoom · O: open · right click: menu')),
        ]
      : null,
    describe: (node) =>
      `${node === 0 ? rootName : labelOf(tree.func[node])}: ` +
      linesOf(node)
        .map((cells) => cells.join(' '))
        .join(', '),
    openMenu: (func, _, x, y) => openMenu(func, x, y, flame.canvas),
    onZoom: (node) => zoomName && note(zoomName, node === 0 ? '' : String(node), true),
  });
  const zoom = Number(zoomName ? state.more.get(zoomName) : 0);
  if (zoom > 0 && zoom < tree.count) flame.zoomTo(zoom);
  return flame;
}

/** @param {string} color */
function swatch(color) {
  const square = h('i', { 'aria-hidden': 'true' });
  square.style.background = color;
  return square;
}

/**
 * What is known of a frame: its total and self value, as parts of the whole and of its caller, or
 * of both sides, and its calls.
 * @param {import('./report_model.js').Tree} tree
 * @param {number} node
 * @param {{metric: string, values: Float64Array, own: Float64Array, oldValues: Float64Array | null,
 * oldOwn: Float64Array | null}} of
 */
function linesOfFrame(tree, node, { metric, values, own, oldValues, oldOwn }) {
  const { calls, oldCalls } = tree.columns,
    each = calls[node] > 0 && metric === 'time' ? values[node] / calls[node] : 0,
    show = (/** @type {number} */ value) => formatMetric(metric, value),
    part = (/** @type {number} */ value, of = 0) => formatPercent(value, values[of]);
  /** @type {(name: string, old: Float64Array, now: Float64Array) => string[]} */
  const both = (name, old, now) => [
    name,
    `${said.before} ${show(old[node])}`,
    `${said.now} ${show(now[node])}`,
    formatChange(metric, now[node] - old[node]),
  ];
  const times =
    oldValues && oldOwn
      ? [both('total', oldValues, values), both('self', oldOwn, own)]
      : [
          [
            'total',
            show(values[node]),
            `${part(values[node])}% of all`,
            ...(node > 0 ? [`${part(values[node], tree.parent[node])}% of caller`] : []),
          ],
          ['self', show(own[node]), `${part(own[node])}%`],
        ];
  return [
    ...times,
    ...(metric === 'calls' || node === 0
      ? []
      : [
          [
            'calls',
            isCompared ? formatPair(oldCalls[node], calls[node]) : formatCount(calls[node]),
            ...(each > 0 && !isCompared ? [`${formatTime(each)} each`] : []),
          ],
        ]),
  ];
}

/**
 * A field for what is looked for, which is in the address; it is shown at once.
 * @param {(text: string) => void} show
 * @param {Record<string, string>} properties
 */
export function findField(show, properties) {
  const value = state.more.get('find') ?? '';
  const field = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'search',
      id: 'find',
      value,
      oninput: () => {
        note('find', field.value);
        show(field.value);
      },
      ...properties,
    })
  );
  show(value);
  return field;
}

/** @type {(color: string, text: string, part?: string, of?: any) => Node} */
export const legendEntry = (color, text, part = '', of = {}) =>
  h('span', swatch(color), text, part ? h('span.quiet', { data: of }, part) : null);

/**
 * What the colours mean, the one with the most self time first.
 * @param {View} view
 * @param {'file' | 'mod'} by
 * @param {Flame} [flame] of a comparison: the scale of its changes
 */
export function makeLegend(view, by, flame) {
  if (isCompared && flame) {
    const { values, oldValues } = flame.options,
      hasChange = (/** @type {number} */ sign) =>
        sign === 0 ||
        values.some((value, node) => (value - (oldValues?.[node] ?? value)) * sign > 0);
    return h(
      'p.legend.scale',
      [-0.25, -0.06, -0.01, 0, 0.01, 0.06, 0.25]
        .filter(hasChange)
        .map((part) =>
          legendEntry(
            colorOfChange(part, 0, 1),
            part === 0 ? 'no change' : `${part > 0 ? '+' : '−'}${Math.abs(100 * part)}%`
          )
        ),
      h('span', 'of all that is drawn, or more')
    );
  }
  const rows = groupSums(view, by),
    largest = rows.filter(({ color }) => color < colors.others),
    others = rows.filter(({ color }) => color === colors.others);
  return h(
    'p.legend',
    largest.map(({ color, text, self }) =>
      legendEntry(`var(--frame-${color})`, text, formatPart(self, view.share, '%'))
    ),
    others.length > 0
      ? legendEntry(
          `var(--frame-${colors.others})`,
          formatThings(others.length, 'other'),
          formatPart(
            others.reduce((sum, { self }) => sum + self, 0),
            view.share,
            '%'
          )
        )
      : [],
    h('span.quiet', 'pale: C functions, in the colour of their caller')
  );
}

/** How times get to files and mods, as with --by. */
export const groupRule = 'C functions count for what calls them';

/**
 * The sums of files or mods, that with the most self time first. C functions count for their
 * caller.
 * @param {View} view
 * @param {'file' | 'mod'} by
 */
export function groupSums(view, by) {
  const texts = by === 'file' ? model.files : model.mods;
  const groups = ownersOf(view.tree, functions.kind).map((func) =>
    func < 0 ? -1 : functions[by][func]
  );
  return rowsOf(sumGroups(view.tree, groups, texts.length))
    .map((row) => ({ ...row, color: groupColors[by][row.id], text: texts[row.id] }))
    .sort((a, b) => b.self - a.self || a.id - b.id);
}

/** @param {string} title @param {string | Node} more @param {...(Node | null)} children */
export function section(title, more, ...children) {
  // They stay together at the end of the line, or in the next one.
  const switches = more instanceof Element ? [...more.querySelectorAll(':scope > .switch')] : [];
  return h(
    'section',
    h(
      'h2',
      title,
      more ? h('small', more) : null,
      switches.length > 0 ? h('span.switches', switches) : null
    ),
    ...children.filter((child) => child !== null)
  );
}

/** @param {string} text @param {string} what @param {() => string} make */
export function copyButton(text, what, make) {
  const button = h(
    'button',
    {
      class: 'plain copy',
      'aria-label': `Copy ${what}`,
      onclick: async () => {
        await navigator.clipboard?.writeText(make());
        button.textContent = 'Copied';
        announce(`${what} copied`);
        setTimeout(() => {
          button.textContent = text;
        }, 1500);
      },
    },
    text
  );
  return button;
}
