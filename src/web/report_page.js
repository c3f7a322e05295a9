// report_page.js - the pages of the report. The address holds all choices, so that every
// view is a link. Names from the log reach the page as text nodes only.

import { colorOfFile, formatChange, formatCount, formatGameTime, formatMetric, formatPercent, formatTime } from './report_format.js';
import { applyChip, decodeChanges, decodeTree, findSequence, heaviestStacks, keepThread, keepTicks, sumCallees, sumCallers, sumGroups, sumLines, sumNodes, sumUp, treeFrom, withoutLines } from './report_model.js';
import { Flame } from './report_flame.js';

const header = /** @type {HTMLElement} */ (document.getElementById('header'));
const page = /** @type {HTMLElement} */ (document.getElementById('page'));
const sentences = document.getElementById('sentences');

// Another page can hold this report (page.js): then this event ends it, before the next one begins.
const closing = new AbortController();
document.addEventListener('report-close', () => closing.abort(), { once: true });

/* The data --------------------------------------------------------------------------------- */

async function readData() {
  const text = atob(/** @type {HTMLElement} */ (document.getElementById('data')).textContent ?? '');
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}

/** @param {any} data */
function makeModel(data) {
  const count = data.functions.name.length;
  const functions = { ...data.functions, count, kind: data.functions.kind ?? new Array(count).fill(0) };
  const tree = decodeTree(data);
  return { data, functions, files: data.files, mods: data.mods, folded: data.folded ?? -1, tree, changes: decodeChanges(data, tree) };
}

const data = await readData();
const model = makeModel(data);
const { functions } = model;
const isCompared = Boolean(data.old), isRecording = Boolean(model.tree.columns.longest);
// A recording is rebuilt for one kind of thread by supprof alone: what ran on both is one here.
const canChooseThread = !isRecording || !model.tree.threads.includes(3);
/** @type {Record<string, {name: string, column: string}>} */
const metrics = {
  time: { name: 'time', column: 'self' },
  calls: { name: 'calls', column: 'calls' },
  ...(isRecording ? { errors: { name: 'errors', column: 'errors' } } : {}),
  ...(data.nodes.heap ? { alloc: { name: 'heap growth', column: 'heap' } } : {}),
};

const nameOf = (/** @type {number} */ func) => (func < 0 ? '(engine)' : functions.name[func]);
const labelOf = (/** @type {number} */ func) => (func < 0 ? '(engine)' : functions.label[func]);
const fileOf = (/** @type {number} */ func) => (functions.kind[func] === 0 ? model.files[functions.file[func]] : '');

/** The part of a label after the name. */
function placeOf(/** @type {number} */ func) {
  const name = nameOf(func), label = labelOf(func);
  return label.startsWith(`${name} `) ? label.slice(name.length + 1) : '';
}

/* What is chosen --------------------------------------------------------------------------- */

/** @typedef {import('./report_model.js').Chip} Chip */
/** `ticks`: those that are shown, as "38-40", "over100" (ms) or "" for all.
 * @typedef {{page: string, path: number[], metric: string, thread: string, ticks: string, chips: Chip[], more: URLSearchParams}} State */

const words = { only: 'only', without: 'without', hide: 'hide', from: 'from' };
const pages = [
  ['overview', 'Overview'],
  ...(data.ticks ? [['ticks', 'Ticks']] : []),
  ['functions', 'Functions'],
  ['flame', 'Flame graph'],
  ['files', 'Files'],
  ...(isCompared ? [['compare', 'Compare']] : []),
  ['about', 'About'],
];

/** @returns {State} */
function readState() {
  const [route, query] = window.location.hash.slice(1).split('?');
  const [, page, rest] = route.split('/');
  const more = new URLSearchParams(query ?? '');
  const chips = more.getAll('chip').map((text) => {
    const [kind, what, ...value] = text.split('~');
    return /** @type {Chip} */ ({ kind, what, value: value.join('~') });
  }).filter(({ kind, what, value }) => kind in words && ['function', 'file', 'mod', 'pattern'].includes(what) && value !== '');
  const path = (rest ?? '').split(',').map(Number).filter((func) => func >= 0 && func < functions.count);
  const metric = more.get('metric') ?? data.metric, thread = canChooseThread ? more.get('thread') ?? 'all' : 'all';
  const ticks = model.changes && parseTicks(more.get('ticks') ?? '') ? more.get('ticks') ?? '' : '';
  for (const name of ['chip', 'metric', 'thread', 'ticks']) more.delete(name);
  const known = page === 'path' ? rest && path.length > 0 : pages.some(([name]) => name === page);
  return { page: known ? page : 'overview', path, metric: metric in metrics ? metric : 'time', thread, ticks, chips, more };
}

/**
 * The address of a view: the current choices with the changes.
 * @param {Partial<State> & {more?: any}} changes
 */
function linkTo(changes) {
  const next = { ...state, more: changes.page && changes.page !== state.page ? new URLSearchParams() : state.more, ...changes };
  const query = new URLSearchParams();
  if (next.metric !== data.metric) query.set('metric', next.metric);
  if (next.thread !== 'all') query.set('thread', next.thread);
  if (next.ticks !== '') query.set('ticks', next.ticks);
  for (const { kind, what, value } of next.chips) query.append('chip', `${kind}~${what}~${value}`);
  for (const [name, value] of new URLSearchParams(next.more)) query.append(name, value);
  const text = query.toString();
  return `#/${next.page}${next.page === 'path' ? `/${next.path.join(',')}` : ''}${text ? `?${text}` : ''}`;
}

const pathLink = (/** @type {number[]} */ path) => linkTo({ page: 'path', path, more: new URLSearchParams() });

/** @param {Partial<State> & {more?: any}} changes */
function go(changes) {
  window.location.hash = linkTo(changes);
}

/** Notes something in the address without a new view. @param {string} name @param {string} value */
function note(name, value) {
  if (value === '') state.more.delete(name);
  else state.more.set(name, value);
  window.history.replaceState(null, '', linkTo({}));
}

let state = readState();

/* What is shown of the profile --------------------------------------------------------------- */

/** @typedef {ReturnType<typeof makeView>} View */

/** The ticks that a text of the address chooses. @param {string} text */
function parseTicks(text) {
  const range = /^(\d+)-(\d+)$/.exec(text), over = /^over(\d+(?:\.\d+)?)$/.exec(text);
  if (range) return { from: Number(range[1]), to: Number(range[2]), over: -1 };
  return over ? { from: 0, to: 0, over: Number(over[1]) * 1e6 } : null;
}

/** Which ticks are shown: those that the address chooses, and those that share a bin with them. */
function shownTicks() {
  const choice = parseTicks(state.ticks), { changes } = model, isShown = new Uint8Array(tickCount());
  /** @type {Set<number>} */
  const bins = new Set();
  if (!choice || !changes) return { isShown: isShown.fill(1), bins, problem: '' };
  let problem = '';
  for (let bin = 0, at = 0; bin < changes.ticks.length; at += changes.ticks[bin++]) {
    let isChosen = false, isWhole = true;
    for (let i = at; i < at + changes.ticks[bin]; i++) {
      const isWanted = choice.over < 0 ? numberOfTick(i) >= choice.from && numberOfTick(i) <= choice.to : timeOfTick(i) > choice.over;
      isChosen ||= isWanted;
      isWhole &&= isWanted;
    }
    if (!isChosen) continue;
    if (!isWhole) problem = 'To limit the size of this page, some ticks are one here: those beside the chosen ones are shown too. supprof --max-size=0 keeps them apart.';
    bins.add(bin);
    isShown.fill(1, at, at + changes.ticks[bin]);
  }
  return { isShown, bins, problem };
}

function makeView() {
  let tree = model.tree, problem = '';
  const ticks = shownTicks();
  if (state.ticks !== '' && model.changes) {
    tree = keepTicks(tree, model.changes, (bin) => ticks.bins.has(bin));
    problem = ticks.problem;
  }
  if (state.thread !== 'all') tree = keepThread(tree, state.thread === 'main' ? 1 : 2);
  const threadTotal = tree.total[0];
  const steps = state.chips.map((chip) => {
    const before = tree.total[0];
    try {
      tree = applyChip(tree, chip, model);
    } catch (error) {
      problem = `${chip.value}: ${/** @type {Error} */ (error).message}`;
    }
    return { chip, before, after: tree.total[0] };
  });
  const groups = tree.func;
  const sums = sumGroups(tree, groups, functions.count);
  /** @type {Map<string, Float64Array>} */
  const totals = new Map([['self', tree.total]]);
  const totalOf = (/** @type {string} */ column) => {
    const known = totals.get(column) ?? sumUp(tree, column);
    totals.set(column, known);
    return known;
  };
  /** @type {import('./report_model.js').Tree | null} */
  let paths = null;
  return {
    tree, sums, steps, problem, threadTotal, totalOf, isShownTick: ticks.isShown,
    all: tree.total[0],
    paths: () => (paths ??= withoutLines(tree, functions.count)),
  };
}

/** @type {{key: string, view: View | null}} */
const lastView = { key: '', view: null };

function currentView() {
  const key = JSON.stringify([state.thread, state.ticks, state.chips]);
  if (lastView.key !== key || !lastView.view) {
    lastView.key = key;
    lastView.view = makeView();
  }
  return lastView.view;
}

/* Making elements ---------------------------------------------------------------------------- */

/**
 * @param {string} tag
 * @param {Record<string, any>} properties
 * @param {...(Node | string | null | undefined | (Node | string)[])} children
 * @returns {HTMLElement}
 */
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'data') Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** @param {number} func @param {number[]} [path] */
function functionLink(func, path) {
  if (func < 0) return h('span', { class: 'name' }, '(engine)');
  const place = placeOf(func);
  return h('span', { class: 'function' },
    h('a', { href: pathLink(path ?? [func]), class: 'name', title: labelOf(func) }, nameOf(func)),
    place ? h('span', { class: 'place', title: place }, place) : null,
    menuButton(func));
}

/* The menu of a function ----------------------------------------------------------------------- */

/** @type {HTMLElement | null} */
let openedMenu = null;

function closeMenu() {
  const opener = /** @type {any} */ (openedMenu)?.opener;
  const hadFocus = openedMenu?.contains(document.activeElement);
  openedMenu?.remove();
  openedMenu = null;
  if (hadFocus) opener?.focus();
}

/** @param {Chip} chip */
const withChip = (chip) => [...state.chips.filter((other) => JSON.stringify(other) !== JSON.stringify(chip)), chip];

/**
 * @param {number} func
 * @param {number} x
 * @param {number} y
 * @param {HTMLElement} opener
 */
function openMenu(func, x, y, opener) {
  closeMenu();
  const label = labelOf(func), place = placeOf(func), file = fileOf(func);
  const chip = (/** @type {Chip['kind']} */ kind, /** @type {Chip['what']} */ what, /** @type {string} */ value) =>
    () => go({ chips: withChip({ kind, what, value }) });
  const copy = (/** @type {string} */ text) => () => navigator.clipboard?.writeText(text);
  /** @type {[string, () => void][]} */
  const entries = [
    ['Open', () => { window.location.hash = pathLink([func]); }],
    ['Only call stacks with it', chip('only', 'function', label)],
    ['Only call stacks without it', chip('without', 'function', label)],
    ['Hide: its time to its callers', chip('hide', 'function', label)],
    ['Show from it on', chip('from', 'function', label)],
    ...(file ? /** @type {[string, () => void][]} */ ([
      [`Only ${file}`, chip('only', 'file', file)],
      [`Hide ${file}`, chip('hide', 'file', file)],
    ]) : []),
    ['Copy name', copy(nameOf(func))],
    ...(place ? /** @type {[string, () => void][]} */ ([[`Copy ${place}`, copy(place)]]) : []),
  ];
  const menu = h('div', { class: 'menu', role: 'menu', 'aria-label': label }, entries.map(([text, act]) =>
    h('button', { role: 'menuitem', type: 'button', onclick: () => { closeMenu(); act(); } }, text)));
  menu.style.left = `${Math.max(4, Math.min(x, window.innerWidth - 260))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, window.innerHeight - entries.length * 30 - 12))}px`;
  /** @type {any} */ (menu).opener = opener;
  menu.addEventListener('keydown', (event) => {
    const buttons = [...menu.querySelectorAll('button')], at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length].focus();
    else if (event.key === 'ArrowUp') buttons[(at + buttons.length - 1) % buttons.length].focus();
    else if (event.key === 'Escape') closeMenu();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.body.append(menu);
  openedMenu = menu;
  menu.querySelector('button')?.focus();
}

/** @param {number} func */
function menuButton(func) {
  return h('button', {
    class: 'more', type: 'button', 'aria-haspopup': 'menu', 'aria-label': `Menu of ${nameOf(func)}`,
    onclick: (/** @type {MouseEvent} */ event) => {
      const button = /** @type {HTMLElement} */ (event.currentTarget), box = button.getBoundingClientRect();
      event.stopPropagation();
      openMenu(func, box.left, box.bottom + 2, button);
    },
  }, '⋯');
}

/* Tables ------------------------------------------------------------------------------------- */

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {string} [help]
 * @property {(row: any) => number} value
 * @property {(value: number, row: any) => string} [show]
 * @property {boolean} [isBar]
 * @property {boolean} [isWide] shown on wide screens only
 */

/**
 * @param {object} options
 * @param {any[]} options.rows
 * @param {Column[]} options.columns
 * @param {string} options.nameTitle
 * @param {(row: any) => Node} options.name
 * @param {string} options.caption
 * @param {string} [options.sort] the key of the column, or nothing: rows stay in order
 * @param {string} [options.sortName] of the choice in the address
 * @param {number} [options.limit]
 * @param {(row: any) => number} [options.tie]
 */
function makeTable({ rows, columns, nameTitle, name, caption, sort, sortName, limit = 200, tie }) {
  const chosen = columns.find(({ key }) => key === (sortName ? state.more.get(sortName) : null) && sortName) ?? columns.find(({ key }) => key === sort);
  if (chosen) {
    const order = (/** @type {any} */ row) => (isCompared && chosen.key.startsWith('change') ? Math.abs(chosen.value(row)) : chosen.value(row));
    rows = [...rows].sort((a, b) => order(b) - order(a) || (tie ? tie(a) - tie(b) : 0));
  }
  const bars = columns.filter(({ isBar }) => isBar);
  const largest = new Map(bars.map((column) => [column, Math.max(1, ...rows.slice(0, 5000).map((row) => Math.abs(column.value(row))))]));
  const body = h('tbody', {});
  const addRows = (/** @type {number} */ from, /** @type {number} */ to) => body.append(...rows.slice(from, to).map((row) => h('tr', {},
    columns.map((column) => {
      const value = column.value(row);
      if (!column.isBar)
        return h('td', { class: column.isWide ? 'wide' : null, data: { key: column.key, value } }, column.show ? column.show(value, row) : formatCount(value));
      const cell = h('td', { class: 'bar wide', 'aria-hidden': 'true' }, h('i', {}));
      /** @type {HTMLElement} */ (cell.firstChild).style.width = `${((100 * Math.max(0, value)) / (largest.get(column) ?? 1)).toFixed(1)}%`;
      return cell;
    }),
    h('th', { scope: 'row' }, name(row)))));
  addRows(0, limit);
  const more = rows.length <= limit ? null : h('button', {
    class: 'show-all', type: 'button',
    onclick: () => { addRows(limit, rows.length); more?.remove(); },
  }, `Show all ${formatCount(rows.length)} rows`);
  const header = columns.map((column) => h('th', {
    scope: 'col', class: column.isBar ? 'bar wide' : column.isWide ? 'wide' : null, title: column.help,
    'aria-sort': column === chosen && sortName ? 'descending' : null,
    'aria-hidden': column.isBar ? 'true' : null,
  }, sortName && !column.isBar
    ? h('a', { href: linkTo({ more: new URLSearchParams([...[...state.more].filter(([key]) => key !== sortName), [sortName, column.key]]) }) }, column.title)
    : column.title));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', { class: 'rows' }, h('caption', { class: 'hidden' }, caption),
      h('thead', {}, h('tr', {}, header, h('th', { scope: 'col' }, nameTitle))), body),
    more);
}

const showTime = (/** @type {number} */ value) => formatTime(value);
// As supprof's tables: calls that began before the recording were not counted.
const showCalls = (/** @type {number} */ value, /** @type {any} */ row) => (value === 0 && (row.self !== 0 || row.total !== 0) ? '–' : formatCount(value));
const showKnown = (/** @type {(value: number) => string} */ show) => (/** @type {number} */ value) => (value < 0 ? '–' : show(value));

/** The columns of a row with `self`, `total`, `calls` and so on. */
function rowColumns(/** @type {number} */ all) {
  /** @type {Column[]} */
  const columns = [
    { key: 'self', title: 'self', help: 'time in the function itself', value: (row) => row.self, show: showTime },
    { key: 'self%', title: '%', help: 'self time as part of what is shown', value: (row) => row.self, show: (value) => formatPercent(value, all) },
    { key: 'bar', title: '', value: (row) => row.self, isBar: true },
    { key: 'total', title: 'total', help: 'time with all that it called, each call stack counted once', value: (row) => row.total, show: showTime },
    { key: 'total%', title: '%', value: (row) => row.total, show: (value) => formatPercent(value, all), isWide: true },
    { key: 'calls', title: 'calls', help: '– : it ran already when the recording began', value: (row) => row.calls, show: showCalls },
    { key: 'each', title: 'per call', help: 'self time of a call', value: (row) => (row.calls > 0 ? row.self / row.calls : -1), show: showKnown((value) => formatTime(Math.round(value))), isWide: true },
  ];
  if (isRecording) {
    if (state.ticks === '') columns.push({ key: 'longest', title: 'longest', help: 'the longest call that returned, with all that it called', value: (row) => row.longest, show: showKnown(showTime), isWide: true });
    if (data.nodes.errors) columns.push({ key: 'errors', title: 'errors', help: 'calls that an error ended', value: (row) => row.errors, show: formatCount, isWide: true });
    if (data.nodes.heap) columns.push({ key: 'heap', title: 'heap KB', help: 'growth of the memory in use', value: (row) => row.heap, show: formatCount, isWide: true });
  }
  return columns;
}

/**
 * @param {import('./report_model.js').Sums} sums
 * @param {number} i
 */
function rowOf(sums, i) {
  const of = (/** @type {string} */ column) => sums.columns[column]?.[i] ?? 0;
  return {
    id: i, self: of('self'), total: sums.total[i], calls: of('calls'), errors: of('errors'), heap: of('heap'),
    longest: sums.columns.longest ? of('longest') : -1,
    oldSelf: of('oldSelf'), oldTotal: sums.oldTotal[i], oldCalls: of('oldCalls'),
  };
}

/** @param {import('./report_model.js').Sums} sums */
const rowsOf = (sums) => Array.from({ length: sums.count }, (_, i) => i).filter((i) => sums.isUsed[i]).map((i) => rowOf(sums, i));

const sortOfMetric = () => ({ time: 'self', calls: 'calls', errors: 'errors', alloc: 'heap' })[state.metric] ?? 'self';

/** Text for a spreadsheet, or a table in Markdown. @param {any[]} rows @param {boolean} isMarkdown */
function rowsAsText(rows, isMarkdown) {
  const lines = rows.map((row) => [labelOf(row.id), row.calls, (row.self / 1000).toFixed(3), (row.total / 1000).toFixed(3)]);
  const head = ['function', 'calls', 'self_us', 'total_us'];
  if (isMarkdown)
    return [`| ${head.join(' | ')} |`, '|---|--:|--:|--:|', ...lines.map((line) => `| ${line.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)].join('\n');
  const cell = (/** @type {string | number} */ value) => {
    const text = /^[=+\-@\t]/.test(String(value)) && typeof value === 'string' && Number.isNaN(Number(value)) ? `'${value}` : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head.join(','), ...lines.map((line) => line.map(cell).join(','))].join('\n');
}

/* Flame graphs --------------------------------------------------------------------------------- */

/**
 * @param {import('./report_model.js').Tree} tree without lines
 * @param {object} options
 * @param {number} options.heightMax
 * @param {string} options.rootName
 * @param {string} [options.zoomName] of the choice in the address
 * @param {string} [options.metric]
 * @param {string[]} [options.find]
 */
function makeFlame(tree, { heightMax, rootName, zoomName, metric = state.metric }) {
  const column = metrics[metric].column;
  const own = (tree.columns[column] ?? tree.columns.self).map((value) => Math.max(0, value));
  const values = sumUp({ ...tree, columns: { own } }, 'own');
  const oldOwn = isCompared && metric === 'time' ? tree.columns.oldSelf.map((value) => Math.max(0, value)) : null;
  const oldValues = oldOwn ? sumUp({ ...tree, columns: { own: oldOwn } }, 'own') : null;
  const flame = new Flame({
    tree, values, oldValues, nameOf, labelOf, fileOf, rootName, heightMax,
    describe: (node) => {
      const label = node === 0 ? rootName : labelOf(tree.func[node]);
      const change = oldValues ? `, before ${formatMetric(metric, oldValues[node])} (${formatChange(metric, values[node] - oldValues[node])})` : '';
      const self = node === 0 ? '' : `, self ${formatMetric(metric, own[node])}`;
      const calls = node === 0 || metric === 'calls' ? '' : `, ${formatCount(tree.columns.calls[node])} calls`;
      return `${label}: ${formatMetric(metric, values[node])} (${formatPercent(values[node], values[0])} %)${self}${calls}${change}`;
    },
    openMenu: (func, _, x, y) => openMenu(func, x, y, flame.canvas),
    onZoom: (node) => zoomName && note(zoomName, node === 0 ? '' : String(node)),
    onMatched: () => {},
  });
  const zoom = Number(zoomName ? state.more.get(zoomName) : 0);
  if (zoom > 0 && zoom < tree.count) flame.zoomTo(zoom);
  return flame;
}

/** The files with the most self time, with their colours. @param {View} view */
function makeLegend(view) {
  if (isCompared)
    return h('p', { class: 'legend' }, h('span', {}, swatch('#5a91f5'), 'less than before'), h('span', {}, swatch('#ececec'), 'the same'), h('span', {}, swatch('#f05046'), 'more than before'));
  const byFile = fileSums(view).filter(({ file }) => file !== '').slice(0, 8);
  return h('p', { class: 'legend' }, byFile.map(({ file }) => h('span', {}, swatch(colorOfFile(file)), file)), h('span', {}, swatch('#cfcfd4'), 'C functions'));
}

/** @param {string} color */
function swatch(color) {
  const element = h('i', { 'aria-hidden': 'true' });
  element.style.background = color;
  return element;
}

/* The pages ------------------------------------------------------------------------------------ */

/** @param {View} view */
function fileSums(view) {
  const groups = view.tree.func.map((func) => (func < 0 ? -1 : functions.file[func]));
  const kinds = new Map(functions.file.map((/** @type {number} */ file, /** @type {number} */ i) => [file, functions.kind[i]]));
  return rowsOf(sumGroups(view.tree, groups, model.files.length))
    .map((row) => ({ ...row, file: kinds.get(row.id) === 0 ? model.files[row.id] : '', text: model.files[row.id] }))
    .sort((a, b) => b.self - a.self || a.id - b.id);
}

/** @param {View} view */
function modSums(view) {
  const groups = view.tree.func.map((func) => (func < 0 ? -1 : functions.mod[func]));
  return rowsOf(sumGroups(view.tree, groups, model.mods.length)).map((row) => ({ ...row, text: model.mods[row.id] }))
    .sort((a, b) => b.self - a.self || a.id - b.id);
}

/**
 * @param {{text: string, self: number}[]} rows
 * @param {'file' | 'mod'} what
 * @param {number} all
 */
function makeBars(rows, what, all) {
  const largest = Math.max(1, ...rows.map(({ self }) => self));
  return h('ul', { class: 'bars' }, rows.slice(0, 8).map(({ text, self }) => {
    const bar = h('i', {});
    bar.style.width = `${((100 * Math.max(0, self)) / largest).toFixed(1)}%`;
    return h('li', {}, h('span', { class: 'amount' }, formatTime(self)), h('span', { class: 'percent' }, `${formatPercent(self, all)} %`),
      h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
      h('a', { href: linkTo({ chips: withChip({ kind: 'only', what, value: text }) }), title: `Only call stacks with ${text}` }, text));
  }));
}

/** @param {View} view */
function overviewPage(view) {
  const rows = rowsOf(view.sums), sort = sortOfMetric();
  const flame = makeFlame(view.paths(), { heightMax: 19 * 14, rootName: 'all' });
  const mods = modSums(view);
  return [
    sentences ? sentences.cloneNode(true) : null,
    state.chips.length > 0 || state.thread !== 'all' || state.ticks !== ''
      ? h('p', { class: 'quiet' }, 'These sentences are about all of the profile; what follows is what the choice above leaves.') : null,
    data.ticks ? section('Ticks', `amber: more than 100 ms, red: more than 200 ms${model.changes ? '; click on one, or drag over some to show only these' : ''}`, makeTickStrip(view, data.budget_ns, 84, (i) => go({ page: 'ticks', more: new URLSearchParams({ tick: String(i) }) }))) : null,
    data.findings.length > 0 && state.chips.length === 0 && state.thread === 'all' && state.ticks === ''
      ? section('What stands out', '', h('ol', { class: 'findings' }, data.findings.map(makeFinding))) : null,
    section(`Functions by ${{ self: 'self time', calls: 'calls', errors: 'errors', heap: 'heap growth' }[sort]}`,
      h('a', { href: linkTo({ page: 'functions' }) }, `all ${formatCount(rows.length)} functions`),
      makeTable({
        rows: topRows(rows, sort, 10), columns: rowColumns(view.all), caption: 'Functions', nameTitle: 'function', name: (row) => functionLink(row.id), sort, tie: (row) => row.id,
      })),
    section('Where from', h('a', { href: linkTo({ page: 'flame' }) }, 'larger'), flame.element, flame.status, makeLegend(view)),
    h('div', { class: 'columns' },
      section('Files by self time', h('a', { href: linkTo({ page: 'files' }) }, 'all files'), makeBars(fileSums(view), 'file', view.all)),
      mods.length > 1 ? section('Mods by self time', '', makeBars(mods, 'mod', view.all)) : null),
  ];
}

/** @param {[string, number | null, string]} finding */
function makeFinding([text, func, kind]) {
  const link = (/** @type {string} */ href, /** @type {string} */ words) => h('a', { href }, words);
  const links = [];
  if (kind === 'distance') links.push(link(linkTo({ page: 'ticks' }), 'Open the ticks'));
  else if (func !== null && kind === 'slow-ticks' && model.changes) {
    const slow = linkTo({ page: 'path', path: [func], more: new URLSearchParams(), ticks: `over${data.budget_ns / 1e6}` });
    links.push(link(slow, 'Open it in the slow ticks'), ' or ', link(pathLink([func]), 'in all'));
  } else if (func !== null) links.push(link(pathLink([func]), `Open ${nameOf(func)}`));
  return h('li', {}, text, '. ', links);
}

/** @param {any[]} rows @param {string} key @param {number} limit */
function topRows(rows, key, limit) {
  return [...rows].sort((a, b) => b[key] - a[key] || a.id - b.id).slice(0, limit);
}

/**
 * @param {string} title
 * @param {string | Node} more
 * @param {...(Node | null)} children
 */
function section(title, more, ...children) {
  return h('section', {}, h('h2', {}, title, more ? h('small', {}, more) : null), ...children.filter((child) => child !== null));
}

/* Ticks */

const timeOfTick = (/** @type {number} */ i) => data.ticks.time?.[i] ?? 0;
const numberOfTick = (/** @type {number} */ i) => data.ticks.number?.[i] ?? 0;
const secondsOfTick = (/** @type {number} */ i) => data.runs[data.ticks.run?.[i] ?? 0][1] + numberOfTick(i) / 10;
const tickCount = () => (data.ticks?.functions ?? []).length;

/**
 * A bar for each tick, or for as many as share a pixel. A click chooses one, a drag a row of them.
 * @param {View} view
 * @param {number} budget
 * @param {number} height
 * @param {(tick: number) => void} choose
 */
function makeTickStrip(view, budget, height, choose) {
  const count = tickCount(), canvas = /** @type {HTMLCanvasElement} */ (h('canvas', {
    class: 'strip', tabindex: '0', role: 'application', 'aria-label': 'Ticks. Left and right move, Enter opens the tick.',
  }));
  const status = h('p', { class: 'strip-status', role: 'status' });
  const longest = Array.from({ length: count }, (_, i) => timeOfTick(i)).reduce((most, time) => Math.max(most, time), budget * 1.2);
  let width = 0, current = -1, pressed = -1;
  const draw = () => {
    const context = canvas.getContext('2d'), ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas);
    width = canvas.clientWidth;
    if (!context || width === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const bar = Math.max(1, width / count - (width / count > 3 ? 1 : 0));
    for (let i = 0; i < count; i++) {
      const time = timeOfTick(i), size = Math.max(1, (time / longest) * (height - 4));
      const isMarked = pressed >= 0 && current >= 0 ? i >= Math.min(pressed, current) && i <= Math.max(pressed, current) : state.ticks !== '' && view.isShownTick[i] === 1;
      if (isMarked) {
        context.fillStyle = style.getPropertyValue('--accent');
        context.globalAlpha = 0.16;
        context.fillRect((i * width) / count, 0, Math.max(1, width / count), height);
        context.globalAlpha = 1;
      }
      context.fillStyle = style.getPropertyValue(i === current ? '--accent' : time > 2 * budget ? '--bad' : time > budget ? '--warn' : '--bar-quiet');
      context.fillRect((i * width) / count, height - size, i === current ? Math.max(2, bar) : bar, size);
    }
    const y = Math.round(height - (budget / longest) * (height - 4)) + 0.5;
    context.strokeStyle = style.getPropertyValue('--bad');
    context.setLineDash([3, 3]);
    context.globalAlpha = 0.7;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  };
  const point = (/** @type {number} */ i) => {
    current = i;
    status.textContent = i >= 0 && pressed >= 0 && pressed !== i ? `#${numberOfTick(Math.min(i, pressed))} to #${numberOfTick(Math.max(i, pressed))}` : i < 0 ? `${formatGameTime(secondsOfTick(0))} to ${formatGameTime(secondsOfTick(count - 1))}` : tickTitle(i);
    draw();
  };
  const at = (/** @type {MouseEvent} */ event) => {
    const from = Math.floor((event.offsetX / width) * count), to = Math.max(from + 1, Math.floor(((event.offsetX + 1) / width) * count));
    let best = from;
    for (let i = from; i < Math.min(to, count); i++) if (timeOfTick(i) > timeOfTick(best)) best = i;
    return Math.max(0, Math.min(count - 1, best));
  };
  canvas.addEventListener('mousemove', (event) => point(at(event)));
  canvas.addEventListener('mouseleave', () => { pressed = -1; point(-1); });
  canvas.addEventListener('mousedown', (event) => { if (model.changes && event.button === 0) pressed = at(event); });
  canvas.addEventListener('click', (event) => {
    const from = pressed, to = at(event);
    pressed = -1;
    if (from < 0 || from === to) choose(to);
    else go({ ticks: `${numberOfTick(Math.min(from, to))}-${numberOfTick(Math.max(from, to))}` });
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowRight') point(Math.min(count - 1, current + 1));
    else if (event.key === 'ArrowLeft') point(Math.max(0, current - 1));
    else if (event.key === 'Enter' && current >= 0) choose(current);
    else return;
    event.preventDefault();
  });
  canvas.style.height = `${height}px`;
  new ResizeObserver(draw).observe(canvas);
  point(-1);
  return h('div', {}, canvas, status);
}

const tickTitle = (/** @type {number} */ i) => `#${numberOfTick(i)} (${formatGameTime(secondsOfTick(i))}): ${formatTime(timeOfTick(i))}`;

/** @param {number} part of all ticks, that take no longer */
function tickPercentile(part) {
  const times = Array.from({ length: tickCount() }, (_, i) => timeOfTick(i)).sort((a, b) => a - b);
  return times[Math.max(0, Math.ceil(part * times.length) - 1)] ?? 0;
}

/** @param {View} view */
function ticksPage(view) {
  const over = Number(state.more.get('over') ?? data.budget_ns / 1e6), chosen = state.more.has('tick') ? Number(state.more.get('tick')) : -1;
  const rows = Array.from({ length: tickCount() }, (_, i) => ({ id: i, time: timeOfTick(i), calls: data.ticks.calls?.[i] ?? 0 }));
  const slow = rows.filter(({ time }) => time > over * 1e6);
  const slider = /** @type {HTMLInputElement} */ (h('input', {
    type: 'range', min: '1', max: String(Math.ceil(rows.reduce((most, { time }) => Math.max(most, time), data.budget_ns) / 1e6)), value: String(over), id: 'over',
    onchange: () => go({ more: new URLSearchParams({ over: slider.value }) }),
  }));
  const isCollection = (/** @type {number} */ i) => numberOfTick(i) % data.collection === 0;
  return [
    h('p', { class: 'lead' }, h('b', {}, `${formatCount(slow.length)} of ${formatCount(rows.length)} ticks`), ` took more than ${over} ms. `,
      `Half of all take no more than ${formatTime(tickPercentile(0.5))}, 95 % ${formatTime(tickPercentile(0.95))}, 99 % ${formatTime(tickPercentile(0.99))}.`),
    h('p', { class: 'controls' }, h('label', { for: 'over' }, `Slow is more than ${over} ms `), slider,
      model.changes && slow.length > 0 ? h('a', { href: linkTo({ ticks: `over${over}` }) }, `Show only ${slow.length === 1 ? 'the slow tick' : `the ${formatCount(slow.length)} slow ticks`} on all pages`) : null),
    model.changes ? makeTickForm() : null,
    section('All ticks', model.changes ? 'click on one; drag over some to show only these on all pages' : 'choose one', makeTickStrip(view, over * 1e6, 140, (i) => go({ more: new URLSearchParams([['tick', String(i)], ...(over === data.budget_ns / 1e6 ? [] : [['over', String(over)]])]) }))),
    chosen >= 0 && chosen < rows.length ? tickSection(chosen) : null,
    section('Slow ticks', 'with the functions that took the most time of their own', makeTable({
      rows: slow, limit: 100, sort: 'time', caption: 'Slow ticks', nameTitle: 'tick', tie: (row) => row.id,
      columns: [
        { key: 'time', title: 'time', value: (row) => row.time, show: showTime },
        { key: 'bar', title: '', value: (row) => row.time, isBar: true },
        { key: 'calls', title: 'calls', value: (row) => row.calls, show: formatCount },
      ],
      name: (row) => h('span', { class: 'function' },
        h('a', { class: 'name', href: linkTo({ more: new URLSearchParams({ tick: String(row.id) }) }) }, `#${numberOfTick(row.id)}`),
        h('span', { class: 'place' }, `${formatGameTime(secondsOfTick(row.id))}${isCollection(row.id) ? ' garbage collection' : ''} `,
          tickFunctions(row.id).slice(0, 3).map(({ func, self }) => h('span', {}, ` ${nameOf(func)} ${formatTime(self)}`)))),
    })),
    h('p', { class: 'quiet' }, 'The time of a tick is that of the Lua that was recorded; what the engine does itself is not in it. ',
      model.changes ? 'Chosen ticks change the numbers of all pages, as --from, --to and --ticks-over do; the list of slow ticks is always of all.'
        : 'The choice above does not filter ticks.'),
  ];
}

/** The first and the last tick that are shown, to be typed. */
function makeTickForm() {
  const choice = parseTicks(state.ticks), last = tickCount() - 1;
  const field = (/** @type {string} */ label, /** @type {number} */ value) => /** @type {HTMLInputElement} */ (h('input', {
    type: 'number', class: 'chip', 'aria-label': label, value, min: numberOfTick(0), max: numberOfTick(last),
  }));
  const from = field('First tick', choice && choice.over < 0 ? choice.from : numberOfTick(0));
  const to = field('Last tick', choice && choice.over < 0 ? choice.to : numberOfTick(last));
  return h('form', { class: 'controls', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const ends = [Number(from.value), Number(to.value)];
    go({ ticks: `${Math.min(...ends)}-${Math.max(...ends)}` });
  } }, 'Ticks # ', from, ' to # ', to, h('button', { type: 'submit', class: 'plain' }, 'Show only these'),
  state.ticks !== '' ? h('a', { href: linkTo({ ticks: '' }) }, 'Show all ticks') : null);
}

/** @param {number} i */
function tickFunctions(i) {
  const list = data.ticks.functions[i] ?? [], found = [];
  for (let k = 0; k < list.length; k += 3) found.push({ func: list[k], self: list[k + 1], calls: list[k + 2] });
  return found;
}

/** @param {number} i */
function tickSection(i) {
  const rows = tickFunctions(i).map(({ func, self, calls }) => ({ id: func, self, calls }));
  const number = numberOfTick(i);
  return section(`Tick ${tickTitle(i)}`, '',
    rows.length === 0 ? h('p', {}, 'Of this tick the functions are not listed here: only of the slowest. What follows has them.') : makeTable({
      rows, caption: 'Functions of the tick', nameTitle: 'function', name: (row) => functionLink(row.id),
      columns: [
        { key: 'self', title: 'self', value: (row) => row.self, show: showTime },
        { key: 'self%', title: '%', value: (row) => row.self, show: (value) => formatPercent(value, timeOfTick(i)) },
        { key: 'bar', title: '', value: (row) => row.self, isBar: true },
        { key: 'calls', title: 'calls', value: (row) => row.calls, show: formatCount },
      ],
    }),
    model.changes ? h('p', {}, h('a', { href: linkTo({ page: 'overview', ticks: `${number}-${number}` }) }, 'Show only this tick on all pages'), ': callers, callees, flame graph.') : null,
    model.changes ? null : h('p', { class: 'quiet' }, 'All of it, with callers and callees: ', h('code', {}, `supprof --from "#${number}" --to "#${number + 1}" ${data.title} -o tick-${number}.html`)));
}

/* Functions */

/** @param {View} view */
function functionsPage(view) {
  const all = rowsOf(view.sums), wanted = state.more.get('find') ?? '';
  const output = h('div', {});
  const show = (/** @type {string} */ text) => {
    const lower = text.toLowerCase();
    const rows = all.filter(({ id }) => labelOf(id).toLowerCase().includes(lower));
    output.replaceChildren(
      h('p', { class: 'quiet' }, `${formatCount(rows.length)} of ${formatCount(all.length)} functions. `,
        copyButton('Copy as CSV', () => rowsAsText(rows, false)), ' ', copyButton('Copy as Markdown', () => rowsAsText(rows.slice(0, 50), true))),
      makeTable({ rows, columns: rowColumns(view.all), caption: 'Functions', nameTitle: 'function', name: (row) => functionLink(row.id), sort: sortOfMetric(), sortName: 'sort', tie: (row) => row.id }));
  };
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', id: 'find', placeholder: 'part of a name or place', value: wanted,
    oninput: () => { note('find', input.value); show(input.value); },
  }));
  show(wanted);
  return [h('p', { class: 'controls' }, h('label', { for: 'find' }, 'Functions with '), input), output];
}

/** @param {string} text @param {() => string} make */
function copyButton(text, make) {
  const button = h('button', { type: 'button', class: 'plain', onclick: async () => {
    await navigator.clipboard?.writeText(make());
    button.textContent = 'Copied';
  } }, text);
  return button;
}

/** @param {View} view */
function pathPage(view) {
  const { tree } = view, { path } = state, last = path[path.length - 1];
  const nodes = findSequence(tree, path);
  const sums = sumNodes(tree, nodes), row = rowOf(sums, 0);
  const prefixes = path.map((_, i) => rowOf(sumNodes(tree, findSequence(tree, path.slice(0, i + 1))), 0));
  const isRecursive = nodes.some((node) => {
    for (let at = tree.parent[node]; at > 0; at = tree.parent[at]) if (tree.func[at] === last) return true;
    return false;
  });
  const facts = rowColumns(view.all).filter(({ key, isBar }) => !isBar && key !== 'self%' && key !== 'total%');
  const edgeTable = (/** @type {any[]} */ edges, /** @type {string} */ caption, /** @type {(func: number) => number[]} */ extend, isCallee = false) => makeTable({
    rows: edges, caption, limit: 50, nameTitle: isCallee ? 'function, and the lines here that call it' : 'function, and its lines that call',
    columns: [
      { key: 'total', title: 'time', value: (edge) => edge.total, show: showTime },
      { key: 'total%', title: '%', value: (edge) => edge.total, show: (value) => formatPercent(value, row.total) },
      { key: 'bar', title: '', value: (edge) => edge.total, isBar: true },
      { key: 'calls', title: 'calls', value: (edge) => edge.calls, show: formatCount },
    ],
    name: (edge) => h('span', {}, functionLink(edge.func, edge.func < 0 ? undefined : extend(edge.func)), linesOf(edge.lines, isCallee ? last : edge.func)),
  });
  const result = [
    h('ol', { class: 'path' }, path.map((func, i) => h('li', {},
      i === path.length - 1 ? functionLink(func) : functionLink(func, path.slice(0, i + 1)),
      h('span', { class: 'amount' }, `${formatTime(prefixes[i].total)} · ${formatPercent(prefixes[i].total, view.all)} %`),
      path.length > 1 && (i === 0 || i === path.length - 1)
        ? h('a', { class: 'drop', href: pathLink(i === 0 ? path.slice(1) : path.slice(0, -1)), 'aria-label': `Without ${nameOf(func)}`, title: 'Take this frame off the sequence' }, '×') : null))),
    h('dl', { class: 'facts' }, facts.map((column) => h('div', {}, h('dt', {}, column.title),
      h('dd', { data: { key: column.key, value: column.value(row) } }, column.show?.(column.value(row), row) ?? '')))),
    isRecursive ? h('p', { class: 'quiet' }, 'It is on some call stacks more than once. Each call stack counts once in its total, so callers and callees together may have more.') : null,
    nodes.length === 0 ? h('p', { class: 'empty' }, 'Nothing of this is in what the choice above leaves.') : null,
  ];
  if (nodes.length === 0) return result;
  const down = makeFlame(treeFrom(tree, nodes, functions.count, false), { heightMax: 19 * 16, rootName: 'all', metric: 'time' });
  const up = makeFlame(treeFrom(tree, nodes, functions.count, true), { heightMax: 19 * 16, rootName: 'all', metric: 'time' });
  const stacks = heaviestStacks(tree, nodes, 5);
  result.push(
    h('div', { class: 'columns' },
      section('Callers', '', edgeTable(sumCallers(tree, nodes, path.length), 'Callers', (func) => [func, ...path])),
      section('Callees', '', sumCallees(tree, nodes).length === 0 ? h('p', { class: 'quiet' }, 'It called nothing that was recorded.') : edgeTable(sumCallees(tree, nodes), 'Callees', (func) => [...path, func], true))),
    down.rows > 2 ? section('What it calls', '', down.element, down.status) : null,
    section('What calls it', 'the nearest caller below', up.element, up.status),
    section('Call stacks with the most time of their own', '', h('ol', { class: 'stacks' }, stacks.map((node) => {
      const frames = [];
      for (let at = node; at > 0; at = tree.parent[at]) frames.unshift(tree.func[at]);
      return h('li', {}, h('span', { class: 'amount' }, formatTime(tree.columns.self[node])), ' ',
        frames.slice(-40).flatMap((func, i) => [...(i > 0 ? [' › '] : frames.length > 40 ? ['… › '] : []), h('a', { href: pathLink([func]), title: labelOf(func) }, nameOf(func))]));
    }))));
  return result;
}

/**
 * @param {{line: number, calls: number, total: number}[]} lines
 * @param {number} caller whose lines they are
 */
function linesOf(lines, caller) {
  const file = caller < 0 ? '' : fileOf(caller), place = file === '' ? 'line ' : `${file.slice(file.lastIndexOf('/') + 1)}:`;
  const known = lines.filter(({ line }) => line !== 0 && line !== -1);
  if (known.length === 0) return '';
  const shown = known.slice(0, 6).map(({ line, calls, total }) =>
    `from ${place}${line < 0 ? `${-line} or near (tail call)` : line}: ${formatTime(total)}, ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`);
  return h('span', { class: 'lines', title: file }, shown.join(' · '), known.length > 6 ? ` · ${formatCount(known.length - 6)} more lines` : '');
}

/* The flame graph */

/** @param {View} view */
function flamePage(view) {
  const flame = makeFlame(view.paths(), { heightMax: Math.max(300, window.innerHeight - 260), rootName: 'all', zoomName: 'zoom' });
  const matched = h('span', { class: 'matched', role: 'status' });
  const find = (/** @type {string} */ text) => {
    const lower = text.toLowerCase();
    const matches = text === '' ? null : Uint8Array.from(functions.label, (/** @type {string} */ label) => Number(label.toLowerCase().includes(lower)));
    const { part, count } = flame.search(matches);
    matched.textContent = text === '' ? '' : `${(100 * part).toFixed(2)} % in ${formatCount(count)} frames`;
  };
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', id: 'find', placeholder: 'part of a name or place', value: state.more.get('find') ?? '',
    oninput: () => { note('find', input.value); find(input.value); },
  }));
  find(input.value);
  return [
    h('p', { class: 'controls' }, h('label', { for: 'find' }, 'Mark '), input, matched,
      h('button', { type: 'button', class: 'plain', onclick: () => { flame.zoomTo(0); note('zoom', ''); } }, 'Zoom out')),
    flame.element, flame.status, makeLegend(view),
    h('p', { class: 'quiet' }, 'A frame is as wide as its ', metrics[state.metric].name, ' with all that it called. Click to zoom, right click for a menu, Shift and the wheel to magnify. ',
      'Keys: arrows, Enter, Escape, + and −, M for the menu. Grey marks are frames too narrow to be drawn.'),
  ];
}

/* Files and lines */

/** @param {View} view */
function filesPage(view) {
  const files = fileSums(view), chosen = state.more.get('file');
  const table = (/** @type {any[]} */ rows, /** @type {string} */ caption, /** @type {string} */ nameTitle, /** @type {(row: any) => Node} */ name) => makeTable({
    rows, caption, nameTitle, name, sort: 'self', limit: 60, tie: (row) => row.id, columns: rowColumns(view.all).filter(({ key }) => key !== 'longest'),
  });
  const fileTable = section('Files', '', table(files, 'Files', 'file', (row) => h('span', { class: 'function' },
    h('a', { class: 'name', href: linkTo({ more: new URLSearchParams({ file: row.text }) }) }, row.text))));
  if (chosen === null) return [fileTable, section('Mods', '', table(modSums(view), 'Mods', 'mod', (row) => h('a', { href: linkTo({ chips: withChip({ kind: 'only', what: 'mod', value: row.text }) }) }, row.text)))];
  const { lines, sums } = sumLines(view.tree);
  const inFile = (/** @type {number} */ func) => func >= 0 && model.files[functions.file[func]] === chosen;
  const lineRows = rowsOf(sums).map((row) => ({ ...row, ...lines[row.id] })).filter(({ func, line }) => inFile(func) && line !== 0);
  return [
    h('p', { class: 'lead' }, h('a', { href: linkTo({ more: new URLSearchParams() }) }, 'All files'), ' › ', h('b', {}, chosen)),
    section('Functions of this file', '', table(rowsOf(view.sums).filter(({ id }) => inFile(id)), 'Functions of this file', 'function', (row) => functionLink(row.id))),
    section('Lines that call', 'what they call, with all that this calls', makeTable({
      rows: lineRows, caption: 'Lines that call', nameTitle: 'line', sort: 'total', limit: 60, tie: (row) => row.line,
      columns: [
        { key: 'total', title: 'time', value: (row) => row.total, show: showTime },
        { key: 'total%', title: '%', value: (row) => row.total, show: (value) => formatPercent(value, view.all) },
        { key: 'bar', title: '', value: (row) => row.total, isBar: true },
        { key: 'calls', title: 'calls', value: (row) => row.calls, show: formatCount },
      ],
      name: (row) => h('span', { class: 'function' }, h('b', {}, row.line < 0 ? `near line ${-row.line} (tail call)` : `line ${row.line}`), h('span', { class: 'place' }, 'in '), functionLink(row.func)),
    })),
  ];
}

/* A comparison */

/** @param {View} view */
function comparePage(view) {
  const alike = new Set(state.chips.length === 0 && state.thread === 'all' ? data.old.alike : []);
  const rows = rowsOf(view.sums);
  const change = (/** @type {(row: any) => number} */ now, /** @type {(row: any) => number} */ old) => (/** @type {any} */ row) => now(row) - old(row);
  const selfChange = change((row) => row.self, (row) => row.oldSelf);
  const total = view.all, oldTotal = view.tree.oldTotal?.[0] ?? 0;
  return [
    h('p', { class: 'lead' }, 'Now ', h('b', {}, data.title), `: ${formatTime(total)}; before `, h('b', {}, data.old_title), `: ${formatTime(oldTotal)}. The difference is `,
      h('b', {}, formatChange('time', total - oldTotal)), oldTotal > 0 ? ` (${formatPercent(total - oldTotal, oldTotal).replace('-', '−')} %).` : '.', data.scaled ? ` Old values: ${data.scaled}.` : ''),
    section('Functions by how much their self time changed', '~ cannot be told from no change', makeTable({
      rows, caption: 'Functions by change', nameTitle: 'function', sort: 'change', sortName: 'sort', tie: (row) => row.id,
      name: (row) => h('span', {}, functionLink(row.id), h('span', { class: 'tag' }, row.oldCalls === 0 && row.oldTotal === 0 ? 'new' : row.calls === 0 && row.total === 0 ? 'gone' : '')),
      columns: [
        { key: 'oldSelf', title: 'self before', value: (row) => row.oldSelf, show: showTime },
        { key: 'self', title: 'now', value: (row) => row.self, show: showTime },
        { key: 'change', title: 'change', value: selfChange, show: (value, row) => `${alike.has(row.id) ? '~ ' : ''}${formatChange('time', value)}` },
        { key: 'oldTotal', title: 'total before', value: (row) => row.oldTotal, show: showTime, isWide: true },
        { key: 'total', title: 'now', value: (row) => row.total, show: showTime, isWide: true },
        { key: 'changeTotal', title: 'change', value: change((row) => row.total, (row) => row.oldTotal), show: (value) => formatChange('time', value), isWide: true },
        { key: 'oldCalls', title: 'calls before', value: (row) => row.oldCalls, show: formatCount, isWide: true },
        { key: 'calls', title: 'now', value: (row) => row.calls, show: formatCount, isWide: true },
      ],
    })),
  ];
}

/* About */

function aboutPage() {
  const list = (/** @type {string[]} */ lines) => h('ul', {}, lines.map((line) => h('li', {}, line)));
  return [
    section('How to read this', '', list([
      'Self time is what a function took itself; total time is with all that it called. A call stack counts once in a total, also where a function is on it twice.',
      'A choice ("only", "without", "hide", "from") changes all numbers on all pages, as the options --focus, --ignore, --hide and --show-from do: to the nanosecond the same.',
      ...(model.changes ? ['Chosen ticks change all numbers in the same way, as --from, --to and --ticks-over do. The longest call is known for all of the recording only.'] : []),
      'Hiding a function gives its time to its callers. "From" cuts off what called a function.',
      'The address of this page is the view: copy it, go back with your browser.',
      'Keys: / to search, 1 to 7 for the pages, Escape to close.',
    ])),
    section('What to know before you trust a number', '', list([
      ...data.notes, ...data.shown,
      ...(data.folded_below_ns > 0 ? [`So that the page is not too large, what has less than ${formatTime(data.folded_below_ns)} in all was folded into its caller, and its calls are not counted here. supprof --max-size=0 keeps all.`] : []),
      ...(canChooseThread ? [] : ['Some call stacks ran on the main thread and in coroutines, and have one number for both here; supprof --thread tells them apart.']),
      'Numbers above 9,007,199,254,740,992 ns (104 days) are rounded here.',
    ])),
    section('Made by', '', h('p', {}, data.program, ' from ', data.title, isCompared ? ` and ${data.old_title}` : '', '.')),
  ];
}

/* The frame of all pages --------------------------------------------------------------------------- */

/** @param {View} view */
function makeHeader(view) {
  const search = /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', id: 'search', placeholder: '/ search', 'aria-label': 'Search functions', value: state.page === 'functions' ? state.more.get('find') ?? '' : '',
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Enter') go({ page: 'functions', more: new URLSearchParams({ find: search.value }) });
    },
  }));
  const select = (/** @type {string} */ id, /** @type {string} */ label, /** @type {[string, string][]} */ choices, /** @type {string} */ chosen, /** @type {(value: string) => void} */ choose) => {
    const element = /** @type {HTMLSelectElement} */ (h('select', { id, 'aria-label': label, class: 'chip', onchange: () => choose(element.value) },
      choices.map(([value, text]) => h('option', { value, selected: value === chosen }, text))));
    return element;
  };
  const chips = view.steps.map(({ chip, before, after }, i) => h('span', { class: 'chip' },
    `${words[chip.kind]} `, h('b', {}, chip.value), h('span', { class: 'amount' }, chipAmount(chip, before, after)),
    h('a', { href: linkTo({ chips: state.chips.filter((_, k) => k !== i) }), 'aria-label': `Remove: ${words[chip.kind]} ${chip.value}`, class: 'remove' }, '×')));
  const kinds = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Kind of filter', class: 'chip' }, Object.entries({ only: 'only', without: 'without', hide: 'hide', from: 'from' })
    .map(([value, text]) => h('option', { value }, text))));
  const pattern = /** @type {HTMLInputElement} */ (h('input', { class: 'chip', size: '14', placeholder: 'pattern', 'aria-label': 'Pattern of a filter' }));
  const form = h('form', { class: 'add', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    if (pattern.value !== '') go({ chips: withChip({ kind: /** @type {any} */ (kinds.value), what: 'pattern', value: pattern.value }) });
  } }, kinds, pattern, h('button', { type: 'submit', class: 'plain' }, 'Add'));
  const ticks = data.ticks ? `, ${formatCount(tickCount())} ticks` : '';
  return [
    h('div', { class: 'top' },
      h('h1', { tabindex: '-1' }, data.title),
      h('p', { class: 'what' }, `${formatTime(data.all_ns)} of Lua${ticks}${isCompared ? `, compared with ${data.old_title}` : ''}`),
      h('nav', { 'aria-label': 'Pages' }, pages.map(([name, title]) => h('a', { href: linkTo({ page: name, path: [] }), 'aria-current': name === state.page || (name === 'functions' && state.page === 'path') ? 'page' : null }, title))),
      search),
    h('div', { class: 'choice', role: 'group', 'aria-label': 'What is shown' },
      select('metric', 'What is measured', Object.entries(metrics).map(([value, { name }]) => [value, name]), state.metric, (metric) => go({ metric })),
      !canChooseThread ? [] : select('thread', 'Threads', [['all', 'all threads'], ['main', 'main thread'], ['coroutine', 'coroutines']], state.thread, (thread) => go({ thread })),
      tickChip(view), chips, form,
      h('span', { class: 'left', id: 'left', data: { value: view.all } }, view.all === data.all_ns ? formatTime(view.all) : `${formatTime(view.all)} of ${formatTime(data.all_ns)}`)),
    view.problem ? h('p', { class: 'problem', role: 'alert' }, view.problem) : null,
  ];
}

/** @param {View} view */
function tickChip(view) {
  const choice = parseTicks(state.ticks);
  if (!choice) return [];
  const count = view.isShownTick.reduce((sum, isShown) => sum + isShown, 0);
  const text = choice.over >= 0 ? `over ${choice.over / 1e6} ms` : choice.from === choice.to ? `#${choice.from}` : `#${choice.from} to #${choice.to}`;
  return [h('span', { class: 'chip' }, 'ticks ', h('b', {}, text), h('span', { class: 'amount' }, `${formatCount(count)} of ${formatCount(tickCount())}`),
    h('a', { href: linkTo({ ticks: '' }), 'aria-label': 'Remove: choice of ticks', class: 'remove' }, '×'))];
}

/** @param {Chip} chip @param {number} before @param {number} after */
function chipAmount(chip, before, after) {
  if (chip.kind === 'without') return `−${formatTime(before - after)}`;
  if (chip.kind === 'hide') return 'to callers';
  return `${formatPercent(after, before)} %`;
}

/** @type {Record<string, (view: View) => any[]>} */
const makers = { overview: overviewPage, ticks: ticksPage, functions: functionsPage, path: pathPage, flame: flamePage, files: filesPage, compare: comparePage, about: aboutPage };

/** Whether another page that holds this report (page.js) hides it: then nothing has a size to draw in. */
const isHidden = () => header.closest('[hidden]') !== null;

function render() {
  if (isHidden()) return;
  const old = state;
  state = readState();
  closeMenu();
  const view = currentView();
  header.replaceChildren(.../** @type {Node[]} */ (makeHeader(view).filter(Boolean)));
  page.replaceChildren(.../** @type {Node[]} */ (makers[state.page](view).filter(Boolean)));
  const title = state.page === 'path' ? nameOf(state.path[state.path.length - 1]) : pages.find(([name]) => name === state.page)?.[1];
  document.title = `${title} - ${data.title} - supprof`;
  if (old.page !== state.page || old.path.join() !== state.path.join()) window.scrollTo(0, 0);
}

const { signal } = closing;
window.addEventListener('hashchange', render, { signal });
document.addEventListener('click', (event) => {
  if (openedMenu && !openedMenu.contains(/** @type {Node} */ (event.target))) closeMenu();
}, { signal });
document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target), isTyping = target.matches('input, select, textarea');
  if (event.ctrlKey || event.metaKey || event.altKey || isHidden() || document.querySelector('dialog[open]')) return;
  if (event.key === 'Escape') {
    if (openedMenu) closeMenu();
    else target.blur();
  } else if (!isTyping && event.key === '/') {
    event.preventDefault();
    /** @type {HTMLElement} */ (document.getElementById('find') ?? document.getElementById('search')).focus();
  } else if (!isTyping && /^[1-9]$/.test(event.key) && pages[Number(event.key) - 1]) {
    go({ page: pages[Number(event.key) - 1][0], path: [] });
  }
}, { signal });
if (!signal.aborted) {
  render();
  document.documentElement.dataset.ready = 'yes';
  document.dispatchEvent(new Event('report-ready'));
}
