// report_function.js - the page of a function, or of functions that call each other: what it costs,
// who calls it, and what it calls.

import { fitStart } from '../frames.js';
import { formatCount, formatPair, formatThings, formatTime, showTime } from './report_format.js';
import {
  findSequence,
  heaviestStacks,
  columnOf,
  nothing,
  rootsOf,
  sumGroups,
  sumCallees,
  sumCallers,
  sumLines,
  selfInTicks,
  sumNodes,
  sumTicks,
  totalInTicks,
  treeFrom,
  whatIf,
} from './report_model.js';
import {
  cellOf,
  data,
  fileOf,
  fullNameOfTick,
  functions,
  isCompared,
  isOfFrames,
  isRecording,
  isSlowed,
  labelOf,
  model,
  nameInTextOf,
  numberOfTick,
  placeOf,
  rowsOfTable,
  said,
  tickCount,
  tickWords,
  timeOfTick,
} from './report_data.js';
import { isAll, linkTo, literal, note, pathLink, quoted, state, tickLink } from './report_state.js';
import {
  announce,
  callsColumn,
  columnsOfTable,
  copyButton,
  edgeColumns,
  errorName,
  formatShare,
  functionLink,
  h,
  makeFlame,
  makeLegend,
  makeTable,
  nameLinks,
  rowColumns,
  rowOf,
  section,
  showCalls,
  showKnown,
  showValue,
  sortOfEdges,
  timeColumn,
  valueOf,
  withChip,
} from './report_elements.js';
import { repeatedSection } from './report_repeated.js';
import { makeTickChart } from './report_ticks.js';

/** @typedef {import('./report_state.js').View} View */

/** What can be done with a function. @param {number} func */
function makeActions(func) {
  const value = labelOf(func),
    place = placeOf(func),
    name = nameInTextOf(func),
    link = (/** @type {string} */ text, /** @type {string} */ href) => h('a', { href }, text);
  const chips = (/** @type {'only' | 'without' | 'hide'} */ kind) =>
    linkTo({ chips: withChip({ kind, what: 'function', value }) });
  return h(
    'p.actions',
    link(`Only ${name}`, chips('only')),
    link(`Without ${name}`, chips('without')),
    link(`Hide ${name}`, chips('hide')),
    link('In the flame graph', linkTo({ page: 'flame', path: [], more: { find: value } })),
    place.includes(':') ? copyButton(`Copy ${place}`, place, () => place) : null,
    place.includes(':') ? h('span.quiet', 'key c') : null
  );
}

/**
 * The tick in which the longest call of a function ended, if that is the call that is shown.
 * @param {number} func
 * @param {number} longest
 */
function longestTick(func, longest) {
  const { tree } = model,
    tick = (data.functions.longest_in?.[func] ?? 0) - 1;
  let most = -1;
  for (let node = 1; node < tree.count; node++)
    if (tree.func[node] === func) most = Math.max(most, tree.columns.longest[node]);
  return tick < 0 || most !== longest
    ? null
    : [
        ' in ',
        h(
          'a',
          { href: tickLink(tick), title: `It ended in ${fullNameOfTick(tick)}` },
          `#${numberOfTick(tick)}`
        ),
      ];
}

/**
 * The functions that the threads began with in which some nodes ran, that with the most time first.
 * @param {import('./report_model.js').Tree} tree
 * @param {number[]} nodes
 */
function makeRoots(tree, nodes) {
  const roots = rootsOf(tree),
    groups = new Int32Array(tree.count).fill(-1);
  for (const node of nodes) groups[node] = roots[node];
  const { isUsed, total } = sumGroups(tree, groups, functions.count);
  const found = [...isUsed.keys()]
    .filter((func) => isUsed[func])
    .sort((a, b) => total[b] - total[a] || a - b);
  return h('div', h('dt', 'runs in threads of'), h('dd.roots', nameLinks(found, 2)));
}

/** How slow the ticks would be if a function were faster, by a slider. @param {number} func */
function makeWhatIfSection(func) {
  const own = selfInTicks(data.ticks, model.changes, model.tree.func, func);
  if (!own || own.length < 2) return null;
  const given = state.more.get('whatif') ?? '50',
    hasTotals = model.changes?.ticks.every((count) => count === 1);
  const slowTicks = [...own.keys()].filter((tick) => timeOfTick(tick) > data.budget_ns),
    slowCount = slowTicks.length,
    computerCount = slowTicks.filter(isSlowed).length;
  /** @type {Float64Array | null} */
  let totals = null;
  const times = () =>
    (all.checked ? (totals ??= totalInTicks(model.tree, model.changes, func)) : null) ?? own;
  const of = (/** @type {number} */ percent) =>
    whatIf(data.ticks, times(), percent / 100, data.budget_ns);
  const slider = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'range',
      min: '0',
      max: '100',
      value: given.replace('+', ''),
      id: 'whatif',
      'aria-describedby': 'whatif-then',
    })
  );
  const all = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'checkbox',
      id: 'whatif-all',
      checked: given.endsWith('+') ? 'checked' : null,
    })
  );
  const label = h('label', { for: 'whatif' }),
    output = h('div', { role: 'status', id: 'whatif-then' }),
    command = h('code');
  const timesOfTicks = ['median', 'most99', 'longest'].map((key) =>
    timeColumn(key, key === 'most99' ? '99%' : key)
  );
  const show = () => {
    const percent = Number(slider.value);
    label.textContent =
      `Its ${all.checked ? 'time with all that it calls' : 'own time'} is ` +
      (percent === 50 ? 'half' : percent === 0 ? 'nothing' : `${percent}%`) +
      ' of what it is ';
    output.replaceChildren(
      makeTable({
        rows: [
          { ...of(100), name: 'as it is' },
          { ...of(percent), name: 'then' },
          { ...of(0), name: 'if it took nothing' },
        ],
        columns: [{ key: 'slow', title: tickWords('slow ticks') }, ...timesOfTicks],
        caption: tickWords('Ticks as they are, and then'),
        nameTitle: tickWords('ticks'),
        name: (row) => h('span', row.name),
        text: (row) => row.name,
      })
    );
    const pattern = `^${literal(labelOf(func))}$`;
    command.textContent =
      'supprof --what-if ' +
      quoted(`${all.checked ? `total(${pattern})` : pattern}*${percent / 100}`) +
      ` ${quoted(data.title)}`;
  };
  for (const input of [slider, all]) {
    input.oninput = show;
    input.onchange = () => note('whatif', `${slider.value}${all.checked ? '+' : ''}`);
  }
  show();
  return section(
    `What if it were faster?${said.of && ' In the new log'}`,
    tickWords(
      'sums over all ticks that were recorded' +
        (computerCount > 0
          ? `; ${formatCount(computerCount)} of the ${formatCount(slowCount)} slow ticks count ` +
            'with what their calls usually take: there the computer was slow'
          : '')
    ),
    h('p.controls', label, slider, hasTotals ? h('label', all, ' and what it calls') : null),
    output,
    h('p.quiet', 'The same in a terminal: ', command)
  );
}

/** How long one call took, of each side where that is known. @param {number} func */
function makeDurations(func) {
  const of = data.durations?.[func],
    froms = columnOf(of, 'from');
  if (!of || !isAll()) return null;
  const sides = ['old', 'new'].filter((side) => of[side]),
    most = Math.max(...sides.flatMap((side) => of[side].calls)),
    ofSide = (/** @type {string} */ side) => (isCompared ? `${side} ` : ''),
    caption = 'How long a call took';
  const nameOfRow = (/** @type {{id: number}} */ { id }) =>
    `${formatTime(froms[id])} to ${formatTime(of.to[id])}`;
  const timesOf = (/** @type {string} */ side) =>
    ['shortest', 'median', 'mean', 'longest']
      .filter((key) => of[side][key] !== null)
      .map((key) => `${key} ${formatTime(of[side][key])}`);
  const columns = sides.flatMap((side) => {
    const value = (/** @type {{id: number}} */ { id }) => of[side].calls[id];
    // A row with a call in it has a bar.
    const size = (/** @type {any} */ row) => value(row) && Math.max(value(row), most / 200);
    return [
      { key: 'calls', title: `${ofSide(side)}calls`, value },
      { key: 'bar', title: '', value: size, isBar: true, whole: most },
    ];
  });
  const table = makeTable({
    rows: froms.map((/** @type {number} */ _, /** @type {number} */ id) => ({ id })),
    columns,
    caption,
    nameTitle: 'time of a call',
    text: nameOfRow,
    name: (row) => h('span', nameOfRow(row)),
  });
  return section(
    caption,
    'with all that it calls: ' +
      sides.map((side) => ofSide(side) + timesOf(side).join(', ')).join('; '),
    froms.length > 0 ? h('div.durations', table) : null
  );
}

/** @param {View} view @param {number[]} path */
function makeTimeSection(view, path) {
  const { changes, tree } = model;
  if (!changes || tickCount() < 2) return null;
  // 0: its own; 1: of what it calls.
  const groups = new Int32Array(tree.count).fill(-1);
  for (const node of findSequence(tree, path)) groups.fill(1, node, tree.end[node]);
  for (const node of findSequence(tree, path)) groups[node] = 0;
  const sums = sumTicks(changes, groups, 2),
    times = new Float64Array(tickCount()),
    own = new Float64Array(tickCount());
  for (let bin = 0, tick = 0; bin < changes.ticks.length; bin++)
    for (const end = tick + changes.ticks[bin]; tick < end; tick++) {
      own[tick] = Math.max(0, sums[2 * bin]) / changes.ticks[bin];
      times[tick] = own[tick] + Math.max(0, sums[2 * bin + 1]) / changes.ticks[bin];
    }
  let most = 0,
    count = 0;
  times.forEach((time, tick) => {
    if (time > 0) count++;
    if (time > times[most]) most = tick;
  });
  return section(
    (isOfFrames ? 'Over time' : 'Over game time') + said.of,
    h(
      'span',
      tickWords(
        'time in each tick with all that it calls; the foot, in the colour of text, is its ' +
          `own. It runs in ${formatCount(count)} of ${formatThings(tickCount(), 'tick')}; the ` +
          'most ' +
          `is ${formatTime(times[most])} in `
      ),
      h('a', { href: tickLink(most), data: { value: times[most] } }, `#${numberOfTick(most)}`)
    ),
    makeTickChart(view, {
      times,
      isLog: false,
      limit: 0,
      height: 100,
      choose: (tick) => {
        window.location.hash = tickLink(tick);
      },
      partsOf: (tick) => [
        { color: '--text', part: times[tick] > 0 ? own[tick] / times[tick] : 0 },
        { color: '--bar', part: times[tick] > 0 ? 1 - own[tick] / times[tick] : 0 },
      ],
      describe: (tick) =>
        `${fullNameOfTick(tick)}: ${formatTime(times[tick])}, its ` +
        `own ${formatTime(own[tick])}`,
    })
  );
}

/** @param {View} view */
export function pathPage(view) {
  const { tree } = view,
    { path } = state,
    last = path[path.length - 1];
  const nodes = findSequence(tree, path);
  const prefixes = path.map((_, i) =>
    rowOf(sumNodes(tree, findSequence(tree, path.slice(0, i + 1))), 0)
  );
  const row = prefixes[path.length - 1],
    named = { ...row, id: last };
  const isRecursive = nodes.some((node) => {
    for (let at = tree.parent[node]; at > 0; at = tree.parent[at])
      if (tree.func[at] === last) return true;
    return false;
  });
  const facts = rowColumns({ ...view, slow: null }, path.length > 1 ? '' : 'function')
    .filter(
      ({ key, isBar }) =>
        !isBar &&
        !/%$/.test(key) &&
        // Repeated logs have medians of it below.
        !(data.repeated && isAll() && /^(self|oldSelf|change|changeFactor|each)$/.test(key))
    )
    // Beside a time, its error is one.
    .map((column) => {
      const title = errorName(column);
      return title ? { ...column, title, show: showKnown(formatTime) } : column;
    });
  /** @typedef {(func: number) => number[]} Extend the sequence that a function makes of it */
  /** @type {(edges: any[], caption: string, extend: Extend, isCallee?: boolean) => Node} */
  const edgeTable = (edges, caption, extend, isCallee = false) =>
    makeTable({
      rows: edges,
      sort: sortOfEdges(view),
      caption,
      limit: 10,
      text: (edge) => (edge.isSelf ? '(self)' : labelOf(edge.func)),
      nameTitle: isCallee
        ? 'function, and the lines here that call it'
        : 'function, and its lines that call',
      columns: [
        ...edgeColumns(
          view,
          view.share < 0 ? -1 : row.total,
          fitStart(nameInTextOf(last), 18),
          Math.max(1, row.total)
        ),
        callsColumn((value, edge) => (edge.isSelf ? '' : showCalls(value, edge))),
      ],
      name: (edge) =>
        edge.isSelf
          ? h('span.name', { title: 'time in the function itself' }, '(self)')
          : h(
              'span',
              functionLink(edge.func, edge.func < 0 ? undefined : extend(edge.func)),
              linesOf(edge.lines, isCallee ? last : edge.func)
            ),
    });
  const result = [
    h(
      'ol.path',
      path.map((func, i) =>
        h(
          'li',
          i === path.length - 1 ? functionLink(func) : functionLink(func, path.slice(0, i + 1)),
          h('span.amount', formatShare(prefixes[i], view.share)),
          path.length > 1 && (i === 0 || i === path.length - 1)
            ? h(
                'a.drop',
                {
                  href: pathLink(i === 0 ? path.slice(1) : path.slice(0, -1)),
                  'aria-label': `Without ${nameInTextOf(func)}`,
                  title: 'Take this frame off the sequence',
                },
                '×'
              )
            : null
        )
      )
    ),
    makeActions(last),
    h(
      'dl.facts',
      facts.map((column) =>
        h(
          'div',
          h('dt', column.title),
          h(
            'dd',
            { data: { key: column.key, value: valueOf(column, named) } },
            showValue(column, named),
            column.key === 'longest' ? longestTick(last, row.longest) : null
          )
        )
      ),
      isRecording && nodes.length > 0 ? [makeRoots(tree, nodes)] : []
    ),
    isRecursive
      ? h(
          'p.quiet',
          'It is on some call stacks more than once. Each call stack counts once in its total, ' +
            'so callers and callees together may have more.'
        )
      : null,
    nodes.length === 0 ? h('p.empty', 'The choice above leaves no call of it.') : null,
  ];
  if (nodes.length === 0) return result;
  const down = makeFlame(treeFrom(tree, nodes, false), { heightMax: 19 * 16, rootName: 'all' });
  const up = makeFlame(treeFrom(tree, nodes, true), { heightMax: 19 * 16, rootName: 'all' });
  const flameSection = (/** @type {string} */ title, /** @type {string} */ more, flame = up) =>
    section(
      title,
      more,
      flame.element,
      flame.status,
      isCompared ? makeLegend(view, 'file', flame) : null
    );
  const stacks = heaviestStacks(tree, nodes, 5),
    callees = sumCallees(tree, nodes);
  const withSelf = [
    ...callees,
    { ...row, func: last, calls: 0, total: row.self, oldTotal: row.oldSelf, isSelf: true },
  ];
  result.push(
    data.repeated ? repeatedSection(last) : null,
    h(
      'div.columns',
      section(
        'Callers',
        '',
        edgeTable(sumCallers(tree, nodes, path.length), 'Callers', (func) => [func, ...path])
      ),
      section(
        'Callees',
        '',
        callees.length === 0
          ? h('p.quiet', 'It called nothing that was recorded.')
          : edgeTable(withSelf, 'Callees', (func) => [...path, func], true)
      )
    ),
    path.length === 1 && data.sources?.[last] ? makeSource(view, last) : null,
    path.length === 1 ? makeDurations(last) : null,
    makeTimeSection(view, path),
    path.length === 1 ? makeWhatIfSection(last) : null,
    down.view.rows > 2 ? flameSection('What it calls', '', down) : null,
    callersOf(tree, nodes) ?? flameSection('What calls it', 'the nearest caller below', up),
    section(
      `Call stacks with the most time of their own${said.of && ', ' + said.now}`,
      '',
      h(
        'ol.stacks',
        stacks.map((node) => {
          const frames = [];
          for (let at = node; at > 0; at = tree.parent[at]) frames.unshift(tree.func[at]);
          return h(
            'li',
            h(
              'span.amount',
              formatTime(tree.columns.self[node]) +
                (isCompared ? `, ${said.before} ${formatTime(tree.columns.oldSelf[node])}` : '')
            ),
            ' ',
            frames.length > 40 ? '… › ' : '',
            nameLinks(frames.slice(-40), 40, ' › ')
          );
        })
      )
    )
  );
  return result;
}

/**
 * What calls it, as a line; null where more than one does.
 * @param {import('./report_model.js').Tree} tree
 * @param {number[]} nodes
 */
function callersOf(tree, nodes) {
  const up = treeFrom(tree, nodes, true),
    callers = [...up.func.keys()].slice(2).map((node) => up.func[node]);
  if (up.depth.some((depth, node) => depth !== node)) return null;
  return section(
    'What calls it',
    '',
    h(
      'p.stacks',
      callers.length === 0
        ? 'Nothing: threads begin with it.'
        : ['only ', nameLinks(callers.slice(0, 40), 40, ' ‹ ')]
    )
  );
}

/** The source of a function, with what each line called. @param {View} view @param {number} func */
function makeSource(view, func) {
  const [first, ...texts] = data.sources[func],
    { lines, sums, callees } = sumLines(view.tree);
  const rows = texts.map((/** @type {string} */ text, /** @type {number} */ i) => ({
    id: i,
    line: first + i,
    text,
    ...nothing,
    callees: /** @type {number[]} */ ([]),
    isUsed: false,
  }));
  lines.forEach((line, i) => {
    const row = line.func === func ? rows[Math.abs(line.line) - first] : undefined;
    if (!row || line.line === 0) return;
    row.calls += sums.columns.calls[i];
    row.total += sums.total[i];
    row.oldTotal += sums.oldTotal[i];
    row.oldCalls += sums.columns.oldCalls?.[i] ?? 0;
    row.callees.push(...callees[i]);
    row.isUsed = true;
  });
  // What lines had themselves is known of the whole recording only.
  const own = isAll() && !view.slow ? rowsOfTable(data.lines) : [];
  for (const { id, at } of own) {
    const row = id === func ? rows[cellOf(data.lines, 'line', at) - first] : undefined;
    if (!row) continue;
    row.at = at;
    row.total += cellOf(data.lines, 'line_self_ns', at);
    row.isUsed = true;
  }
  const ifUsed =
    (/** @type {(value: number) => string} */ show) =>
    (/** @type {number} */ value, /** @type {any} */ row) => (row.isUsed ? show(value) : '');
  const indent = Math.min(
    ...texts
      .filter((/** @type {string} */ text) => text.trim() !== '')
      .map((/** @type {string} */ text) => text.length - text.trimStart().length)
  );
  const ownColumns = own.length > 0 ? columnsOfTable(data.lines) : [],
    has = (/** @type {import('./report_elements.js').Column} */ column) =>
      rows.some((/** @type {any} */ row) => valueOf(column, row) > 0);
  const columns = edgeColumns(view, view.share, 'all').map((column) =>
    column.isBar ? column : { ...column, show: ifUsed(/** @type {any} */ (column.show)) }
  );
  const file = placeOf(func).replace(/:\d+$/, ''),
    most = rows.reduce(
      (/** @type {any} */ best, /** @type {any} */ row) => (row.total > best.total ? row : best),
      rows[0]
    );
  const table = makeTable({
    rows,
    caption: 'Source',
    nameTitle: 'source, and what it calls',
    limit: 100,
    isWhole: true,
    text: (row) => row.text,
    columns: [
      { key: 'line', title: 'line', show: String },
      ...ownColumns.filter(has).map((column) => ({
        ...column,
        title: isCompared ? `${said.now} ${column.title}` : column.title,
        show: ifUsed(/** @type {any} */ (column.show)),
      })),
      ...columns,
      callsColumn(ifUsed(formatCount)),
    ],
    name: (row) =>
      h(
        'span',
        {
          class: row.isUsed ? 'source' : 'source quiet',
          tabindex: row === most ? '0' : '-1',
          data: { place: `${file}:${row.line}`, focus: `line ${row.line}` },
        },
        h('code', row.text.slice(indent) || ' '),
        h('span.callees', ' ', nameLinks(row.callees, 3))
      ),
  });
  table.onkeydown = (event) => {
    const at = /** @type {HTMLElement} */ (event.target),
      row = at.closest('tr');
    if (!at.dataset.place || !/^Arrow(Up|Down)$/.test(event.key)) return;
    const next = /** @type {HTMLElement | null | undefined} */ (
      (event.key === 'ArrowDown'
        ? row?.nextElementSibling
        : row?.previousElementSibling
      )?.querySelector('[data-place]')
    );
    event.preventDefault();
    if (!next) return;
    at.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
  return section(
    'Source',
    h(
      'span',
      'with the time of ' +
        (ownColumns.some(has) ? 'each line, of what it calls' : 'what each line calls') +
        ', and of all that this calls',
      h('span', { id: 'line-keys', class: 'hint' }, ` · ${lineKeys}`)
    ),
    table
  );
}

const lineKeys =
  '↑ ↓ line · key c copies file:line of the one with the focus, or under the pointer';

/**
 * Copies the place of a line of the source, or else that of the function.
 * @param {HTMLElement} page
 */
export async function copyPlace(page) {
  const line = /** @type {HTMLElement | null} */ (
    page.querySelector('[data-place]:focus-visible') ?? page.querySelector('tr:hover [data-place]')
  );
  if (!line)
    return /** @type {HTMLElement | null} */ (page.querySelector('.actions .copy'))?.click();
  const place = line.dataset.place ?? '',
    keys = document.getElementById('line-keys');
  await navigator.clipboard?.writeText(place);
  announce(`${place} copied`);
  if (!keys) return;
  keys.textContent = ` · Copied ${place}`;
  setTimeout(() => {
    keys.textContent = ` · ${lineKeys}`;
  }, 1500);
}

/**
 * @param {import('./report_model.js').Edge['lines']} lines
 * @param {number} caller whose lines they are
 */
function linesOf(lines, caller) {
  const file = caller < 0 ? '' : fileOf(caller),
    place = file === '' ? 'line ' : `${file.slice(file.lastIndexOf('/') + 1)}:`;
  const known = lines.filter(({ line }) => line !== 0 && line !== -1);
  if (known.length === 0) return '';
  const amounts = (/** @type {typeof lines[0]} */ { calls, total, oldCalls, oldTotal }) =>
    isCompared
      ? `${formatPair(oldTotal, total, showTime)}, calls ${formatPair(oldCalls, calls)}`
      : `${formatTime(total)}, ${formatThings(calls, 'call')}`;
  const shown = known
    .slice(0, 6)
    .flatMap((of, i) => [
      i > 0 ? ' · ' : '',
      h(
        'span',
        `from ${place}${of.line < 0 ? `${-of.line} or near (tail call)` : of.line}: ${amounts(of)}`
      ),
    ]);
  return h(
    'span.lines',
    { title: file },
    shown,
    known.length > 6 ? ` · ${formatCount(known.length - 6)} more lines` : ''
  );
}
