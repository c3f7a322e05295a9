// report_page.js - the pages of the report, what is above all of them, and keys. Names from the log reach
// the page as text nodes only.

import { findLabels } from '../frames.js';
import { formatChange, formatCount, formatPercent, formatTime } from './report_format.js';
import { compilePattern, findSequence, heaviestStacks, sumCallees, sumCallers, sumLines, sumNodes, treeFrom } from './report_model.js';
import { canChooseThread, closing, data, fileOf, functions, isCompared, isHeld, labelOf, metrics, model, nameInTextOf, nameOfTick, tickCount } from './report_data.js';
import { currentView, go, linkTo, mistakeOf, note, noteShown, pages, parseTicks, pathLink, readAddress, state, words } from './report_state.js';
import { closeMenu, copyButton, fileSums, functionLink, functionName, h, makeFlame, makeLegend, makeTable, modSums, openedMenu, rowColumns, rowOf, rowsAsText, rowsOf, section, showCalls, showTime, showValue, sortOfMetric, timeColumns, valueOf, withChip } from './report_elements.js';
import { makeTickStrip, ticksPage } from './report_ticks.js';

/** @typedef {import('./report_model.js').Chip} Chip */
/** @typedef {import('./report_state.js').View} View */

const header = /** @type {HTMLElement} */ (document.getElementById('header'));
const page = /** @type {HTMLElement} */ (document.getElementById('page'));
const sentences = document.getElementById('sentences');

/* The pages ------------------------------------------------------------------------------------ */

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
    return h('li', {}, h('span', { class: 'amount' }, formatTime(self)), h('span', { class: 'percent' }, `${formatPercent(self, all)}%`),
      h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
      h('a', { href: linkTo({ chips: withChip({ kind: 'only', what, value: text }) }), title: `Only call stacks with ${text}` }, text));
  }));
}

/** The sentences of the page without a script. Their link keeps the choices. */
function makeSentences() {
  const copy = /** @type {HTMLElement | null} */ (sentences?.cloneNode(true) ?? null);
  copy?.querySelector('a')?.setAttribute('href', linkTo({ page: 'about', path: [] }));
  return copy;
}

/** The program writes us, which a terminal can show. @param {string} text */
const withMicro = (text) => text.replace(/(\d) us\b/g, '$1 µs');

/** @param {number} now @param {number} old */
function formatChangePercent(now, old) {
  const text = formatPercent(now - old, old);
  return text === '0.0' ? '0.0%' : `${now > old ? '+' : '−'}${text.replace('-', '')}%`;
}

/** What is wrong with a pattern; "" if nothing. @param {string} pattern */
function findMistake(pattern) {
  try {
    compilePattern(pattern);
    return '';
  } catch (error) {
    return mistakeOf(pattern, error);
  }
}

/** @param {View} view */
function overviewPage(view) {
  const rows = rowsOf(view.sums), sort = sortOfMetric();
  const flame = makeFlame(view.paths(), { heightMax: 19 * 14, rootName: 'all' });
  const mods = modSums(view);
  const budget = formatTime(data.budget_ns), isAnySlow = (data.ticks?.time ?? []).some((/** @type {number} */ time) => time > data.budget_ns);
  return [
    makeSentences(),
    state.chips.length > 0 || state.thread !== 'all' || state.ticks !== ''
      ? h('p', { class: 'quiet' }, `These sentences${data.ticks ? ' and the chart of ticks' : ''} are about all of the profile. The rest of this page is about what the choice above leaves; what stands out is shown where nothing is chosen.`) : null,
    data.ticks ? section('Ticks', `${isAnySlow ? `amber: more than ${budget}, red: more than ${formatTime(2 * data.budget_ns)}` : `none took more than ${budget}`}${model.changes ? '; click on one, or drag over some to show only these' : ''}`, makeTickStrip(view, data.budget_ns, 84, (i) => go({ page: 'ticks', more: new URLSearchParams({ tick: nameOfTick(i) }) }))) : null,
    data.findings.length > 0 && state.chips.length === 0 && state.thread === 'all' && state.ticks === ''
      ? section('What stands out', '', h('ol', { class: 'findings' }, data.findings.map(makeFinding))) : null,
    section(`Functions by ${{ self: 'self time', calls: 'calls', errors: 'errors', heap: 'heap growth' }[sort]}`,
      h('a', { href: linkTo({ page: 'functions' }) }, `all ${formatCount(rows.length)} functions`),
      makeTable({
        rows: topRows(rows, sort, 10), columns: rowColumns(view.all), caption: 'Functions', nameTitle: 'function', name: functionName, sort, tie: (row) => row.id,
      })),
    section('Where from', h('a', { href: linkTo({ page: 'flame' }) }, 'larger'), flame.element, flame.status, makeLegend(view)),
    h('div', { class: 'columns' },
      section('Files by self time', h('a', { href: linkTo({ page: 'files' }) }, 'all files'), makeBars(fileSums(view), 'file', view.all)),
      mods.length > 1 ? section('Mods by self time', '', makeBars(mods, 'mod', view.all)) : null),
  ];
}

/** @param {[string, number | null, string]} finding its sentence, its function, and the page that shows more of it */
function makeFinding([text, func, page]) {
  const link = (/** @type {string} */ href, /** @type {string} */ words) => h('a', { href }, words);
  const links = [];
  if (page === 'ticks') links.push(link(linkTo({ page: 'ticks' }), 'Open the ticks'));
  else if (func !== null && page === 'slow-ticks' && model.changes) {
    const slow = linkTo({ page: 'path', path: [func], more: new URLSearchParams(), ticks: `over${data.budget_ns / 1e6}` });
    links.push(link(slow, 'Open it in the slow ticks'), ' or ', link(pathLink([func]), 'in all'));
  } else if (func !== null) links.push(link(pathLink([func]), `Open ${nameInTextOf(func)}`));
  const shown = withMicro(isHeld ? text.replace('--lua-root finds names in the game\'s sources', 'choose the game\'s sources in the Options, Lua sources') : text);
  return h('li', {}, shown, '. ', links);
}

/** @param {any[]} rows @param {string} key @param {number} limit */
function topRows(rows, key, limit) {
  return [...rows].sort((a, b) => b[key] - a[key] || a.id - b.id).slice(0, limit);
}

/* Functions */

/** @param {View} view */
function functionsPage(view) {
  const all = rowsOf(view.sums), wanted = state.more.get('find') ?? '';
  const output = h('div', {});
  const show = (/** @type {string} */ text) => {
    const isFound = findLabels(functions.label, text), rows = all.filter(({ id }) => isFound[id]);
    if (rows.length === 0 && text !== '') {
      output.replaceChildren(h('p', {}, `'${text}' is in no name and no place of a function.`));
      return;
    }
    output.replaceChildren(
      h('p', { class: 'quiet' }, `${formatCount(rows.length)} of ${formatCount(all.length)} functions. `,
        copyButton('Copy as CSV', () => rowsAsText(rows, false)), ' ', copyButton('Copy as Markdown', () => rowsAsText(rows.slice(0, 50), true))),
      makeTable({ rows, columns: rowColumns(view.all), caption: 'Functions', nameTitle: 'function', name: functionName, sort: sortOfMetric(), sortName: 'sort', tie: (row) => row.id }));
  };
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', id: 'find', placeholder: 'part of a name or place', value: wanted,
    oninput: () => { note('find', input.value); show(input.value); },
  }));
  show(wanted);
  return [h('p', { class: 'controls' }, h('label', { for: 'find' }, 'Functions with '), input), output];
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
      ...timeColumns('total', 'time', row.total, Math.max(1, row.total)),
      { key: 'calls', title: 'calls', show: (value, edge) => (edge.isSelf ? '' : showCalls(value, edge)) },
    ],
    name: (edge) => edge.isSelf ? h('span', { class: 'name', title: 'time in the function itself' }, '(self)') : h('span', {}, functionLink(edge.func, edge.func < 0 ? undefined : extend(edge.func)), linesOf(edge.lines, isCallee ? last : edge.func)),
  });
  const result = [
    h('ol', { class: 'path' }, path.map((func, i) => h('li', {},
      i === path.length - 1 ? functionLink(func) : functionLink(func, path.slice(0, i + 1)),
      h('span', { class: 'amount' }, `${formatTime(prefixes[i].total)} · ${formatPercent(prefixes[i].total, view.all)}%`),
      path.length > 1 && (i === 0 || i === path.length - 1)
        ? h('a', { class: 'drop', href: pathLink(i === 0 ? path.slice(1) : path.slice(0, -1)), 'aria-label': `Without ${nameInTextOf(func)}`, title: 'Take this frame off the sequence' }, '×') : null))),
    h('dl', { class: 'facts' }, facts.map((column) => h('div', {}, h('dt', {}, column.title),
      h('dd', { data: { key: column.key, value: valueOf(column, row) } }, showValue(column, row))))),
    isRecursive ? h('p', { class: 'quiet' }, 'It is on some call stacks more than once. Each call stack counts once in its total, so callers and callees together may have more.') : null,
    nodes.length === 0 ? h('p', { class: 'empty' }, 'The choice above leaves no call of it.') : null,
  ];
  if (nodes.length === 0) return result;
  const down = makeFlame(treeFrom(tree, nodes, functions.count, false), { heightMax: 19 * 16, rootName: 'all', metric: 'time' });
  const up = makeFlame(treeFrom(tree, nodes, functions.count, true), { heightMax: 19 * 16, rootName: 'all', metric: 'time' });
  const stacks = heaviestStacks(tree, nodes, 5), callees = sumCallees(tree, nodes);
  const withSelf = [...callees, { func: last, calls: 0, total: row.self, lines: [], isSelf: true }].sort((a, b) => b.total - a.total);
  result.push(
    h('div', { class: 'columns' },
      section('Callers', '', edgeTable(sumCallers(tree, nodes, path.length), 'Callers', (func) => [func, ...path])),
      section('Callees', '', callees.length === 0 ? h('p', { class: 'quiet' }, 'It called nothing that was recorded.') : edgeTable(withSelf, 'Callees', (func) => [...path, func], true))),
    down.view.rows > 2 ? section('What it calls', '', down.element, down.status) : null,
    section('What calls it', 'the nearest caller below', up.element, up.status),
    section('Call stacks with the most time of their own', '', h('ol', { class: 'stacks' }, stacks.map((node) => {
      const frames = [];
      for (let at = node; at > 0; at = tree.parent[at]) frames.unshift(tree.func[at]);
      return h('li', {}, h('span', { class: 'amount' }, formatTime(tree.columns.self[node])), ' ',
        frames.slice(-40).flatMap((func, i) => [...(i > 0 ? [' › '] : frames.length > 40 ? ['… › '] : []), h('a', { href: pathLink([func]), title: labelOf(func) }, nameInTextOf(func))]));
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
    const found = flame.search(text === '' ? null : findLabels(functions.label, text));
    matched.textContent = text === '' ? '' : found.count === 0 ? `'${text}' is in no name and no place` : found.text;
  };
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', id: 'find', placeholder: 'part of a name or place', value: state.more.get('find') ?? '',
    oninput: () => { note('find', input.value); find(input.value); },
  }));
  find(input.value);
  return [
    h('p', { class: 'controls' }, h('label', { for: 'find' }, 'Mark '), input, matched,
      h('button', { type: 'button', class: 'plain', onclick: () => { flame.zoomTo(0); note('zoom', '', true); } }, 'Zoom out')),
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
    section('Functions of this file', '', table(rowsOf(view.sums).filter(({ id }) => inFile(id)), 'Functions of this file', 'function', functionName)),
    section('Lines that call', 'what they call, with all that this calls', makeTable({
      rows: lineRows, caption: 'Lines that call', nameTitle: 'line', sort: 'total', limit: 60, tie: (row) => row.line,
      columns: [...timeColumns('total', 'time', view.all), { key: 'calls', title: 'calls' }],
      name: (row) => h('span', { class: 'function' }, h('b', {}, row.line < 0 ? `near line ${-row.line} (tail call)` : `line ${row.line}`), h('span', { class: 'place' }, 'in '), functionLink(row.func)),
    })),
  ];
}

/* A comparison */

/** @param {View} view */
function comparePage(view) {
  const alike = new Set(state.chips.length === 0 && state.thread === 'all' ? data.old.alike : []);
  const rows = rowsOf(view.sums);
  const selfChange = (/** @type {any} */ row) => row.self - row.oldSelf;
  const total = view.all, oldTotal = view.tree.oldTotal?.[0] ?? 0;
  return [
    h('p', { class: 'lead' }, 'Now ', h('b', {}, data.title), `: ${formatTime(total)}; before `, h('b', {}, data.old_title), `: ${formatTime(oldTotal)}. The difference is `,
      h('b', {}, formatChange('time', total - oldTotal)), oldTotal > 0 ? ` (${formatChangePercent(total, oldTotal)}).` : '.', data.scaled ? ` Old values: ${data.scaled}.` : ''),
    ...data.notes.filter((/** @type {string} */ text) => text.startsWith('Note: ')).map((/** @type {string} */ text) => h('p', { class: 'quiet' }, `${withMicro(text)}.`)),
    section('Functions by how much their self time changed', '~ may be no change', makeTable({
      rows, caption: 'Functions by change', nameTitle: 'function', sort: 'change', sortName: 'sort', tie: (row) => row.id,
      name: (row) => h('span', {}, functionName(row), h('span', { class: 'tag' }, row.oldCalls === 0 && row.oldTotal === 0 ? 'new' : row.calls === 0 && row.total === 0 ? 'gone' : '')),
      columns: [
        { key: 'oldSelf', title: 'self before', show: showTime },
        { key: 'self', title: 'now', show: showTime },
        { key: 'change', title: 'change', value: selfChange, show: (value, row) => `${alike.has(row.id) ? '~ ' : ''}${formatChange('time', value)}` },
        { key: 'change%', title: '%', help: 'change as part of the self time before', value: (row) => (row.oldSelf > 0 ? (100 * selfChange(row)) / row.oldSelf : 0), show: (_, row) => (row.oldSelf > 0 ? formatChangePercent(row.self, row.oldSelf) : '–') },
        { key: 'oldTotal', title: 'total before', show: showTime, isWide: true },
        { key: 'total', title: 'now', show: showTime, isWide: true },
        { key: 'changeTotal', title: 'change', value: (row) => row.total - row.oldTotal, show: (value) => formatChange('time', value), isWide: true },
        { key: 'oldCalls', title: 'calls before', isWide: true },
        { key: 'calls', title: 'now', isWide: true },
      ],
    })),
  ];
}

/* About */

function aboutPage() {
  const isRounded = model.tree.total.some((value) => Math.abs(value) > Number.MAX_SAFE_INTEGER);
  const list = (/** @type {string[]} */ lines) => h('ul', {}, lines.map((line) => h('li', {}, line)));
  return [
    section('How to read this', '', list([
      'Self time is what a function took itself; total time is with all that it called. A call stack counts once in a total, also where a function is on it twice.',
      'A choice ("only", "without", "hide", "from") changes all numbers on all pages, as the program\'s options --focus, --ignore, --hide and --show-from do.',
      ...(model.changes ? ['Chosen ticks change all numbers on all pages, as the program\'s options --from, --to and --ticks-over do. The longest call is known for all of the recording only. The list of ticks does not change: there the cost of recording each tick is subtracted from that tick, while chosen ticks get their share of the cost of the whole recording.'] : []),
      'Hiding a function gives its time to its callers. "From" cuts off what called a function.',
      isHeld ? 'Back and Forward of your browser lead through the views. A reload closes the log: to keep or to send this report, save it (Save as…, This report).'
        : 'The address of this page is the view: copy it, go back with your browser.',
      `Keys: / to search, 1 to ${pages.length} for the pages, Escape to close.`,
    ])),
    section('What to know before you trust a number', '', list([
      ...[...data.notes, ...data.shown].map(withMicro),
      ...(data.folded_below_ns > 0 ? [`To limit the size of this page, functions on a call stack with a total time below ${formatTime(data.folded_below_ns)} were folded into their callers, and their calls are not counted. supprof --max-size=0 keeps all.`] : []),
      ...(canChooseThread ? [] : ['Some call stacks ran on the main thread and in coroutines, and have one number for both here; supprof --thread tells them apart.']),
      ...(isRounded ? ['Numbers above 9,007,199,254,740,992 ns (104 days) are rounded here.'] : []),
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
  const chips = view.steps.map(({ chip, before, after, mistake, isMatched }, i) => h('span', { class: 'chip' },
    `${words[chip.kind]} `, h('b', {}, chip.value), h('span', { class: 'amount' }, mistake ? 'no pattern' : !isMatched ? 'no function' : chipAmount(chip, before, after)),
    h('a', { href: linkTo({ chips: state.chips.filter((_, k) => k !== i) }), 'aria-label': `Remove: ${words[chip.kind]} ${chip.value}`, class: 'remove' }, '×')));
  const kinds = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': 'Kind of filter', class: 'chip' }, Object.entries({ only: 'only', without: 'without', hide: 'hide', from: 'from' })
    .map(([value, text]) => h('option', { value }, text))));
  const pattern = /** @type {HTMLInputElement} */ (h('input', { class: 'chip', size: '14', placeholder: 'pattern', 'aria-label': 'Pattern of a filter' }));
  pattern.addEventListener('input', () => pattern.setCustomValidity(''));
  const form = h('form', { class: 'add', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    pattern.setCustomValidity(findMistake(pattern.value));
    if (pattern.value !== '' && pattern.reportValidity()) go({ chips: withChip({ kind: /** @type {any} */ (kinds.value), what: 'pattern', value: pattern.value }) });
  } }, h('span', {}, 'Filter'), kinds, pattern, h('button', { type: 'submit', class: 'plain' }, 'Add'));
  const ticks = data.ticks ? `, ${formatCount(tickCount())} ticks` : '';
  return [
    h('div', { class: 'top' },
      h('h1', { tabindex: '-1' }, data.title),
      h('p', { class: isCompared ? 'what compared' : 'what' }, `${formatTime(data.all_ns)} of Lua${ticks}${isCompared ? `, compared with ${data.old_title}` : ''}`),
      h('nav', { 'aria-label': 'Pages' }, pages.map(([name, title]) => h('a', { href: linkTo({ page: name, path: [] }), 'aria-current': name === state.page || (name === 'functions' && state.page === 'path') ? 'page' : null }, title))),
      search),
    h('div', { class: 'choice', role: 'group', 'aria-label': 'What is shown' },
      h('span', {}, 'Show'),
      select('metric', 'What is measured', Object.entries(metrics).map(([value, { name }]) => [value, name]), state.metric, (metric) => go({ metric })),
      !canChooseThread ? [] : select('thread', 'Threads', [['all', 'all threads'], ['main', 'main thread'], ['coroutine', 'coroutines']], state.thread, (thread) => go({ thread })),
      tickChip(view), chips, form,
      h('span', { class: 'left', id: 'left', data: { value: view.all } }, view.all === data.all_ns ? formatTime(view.all) : `${formatTime(view.all)} of ${formatTime(data.all_ns)}`)),
    view.problem ? h('p', { class: 'problem', role: 'alert' }, view.problem) : null,
    ...view.steps.map(({ chip, mistake, isMatched }, i) => (!mistake && isMatched ? null : h('p', { class: mistake ? 'problem' : 'unmatched', role: 'alert' },
      `${mistake || `'${chip.value}' matches no function`}. `, h('a', { href: linkTo({ chips: state.chips.filter((_, k) => k !== i) }) }, 'Remove this filter')))),
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
  return `${formatPercent(after, before)}%`;
}

/** @type {Record<string, (view: View) => any[]>} */
const makers = { overview: overviewPage, ticks: ticksPage, functions: functionsPage, path: pathPage, flame: flamePage, files: filesPage, compare: comparePage, about: aboutPage };

/** Whether a choice leaves nothing. @param {View} view */
const isEmpty = (view) => !view.sums.isUsed.includes(1) && linkTo({ chips: [], thread: 'all', ticks: '' }) !== linkTo({});

function emptyPage() {
  return [h('p', { class: 'lead' }, 'The choice above leaves nothing of the profile. ', h('a', { href: linkTo({ chips: [], thread: 'all', ticks: '' }) }, 'Show all of it'))];
}

/** Whether another page that holds this report (page.js) hides it: then nothing has a size to draw in. */
const isHidden = () => header.closest('[hidden]') !== null;

function render() {
  if (isHidden()) return;
  const old = readAddress();
  closeMenu();
  const view = currentView();
  header.replaceChildren(.../** @type {Node[]} */ (makeHeader(view).filter(Boolean)));
  const make = isEmpty(view) && state.page !== 'ticks' && state.page !== 'about' ? emptyPage : makers[state.page];
  page.replaceChildren(.../** @type {Node[]} */ (make(view).filter(Boolean)));
  const title = state.page === 'path' ? nameInTextOf(state.path[state.path.length - 1]) : pages.find(([name]) => name === state.page)?.[1];
  document.title = `${title} - ${data.title} - supprof`;
  if (old.page !== state.page || old.path.join() !== state.path.join()) window.scrollTo(0, 0);
  noteShown();
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
