// report_ticks.js - the chart of ticks, the part of the first page with it, and the page about
// ticks.

import {
  axisSteps,
  formatCount,
  formatGameTime,
  formatLimit,
  formatPercent,
  formatStep,
  formatThings,
  formatTime,
  heightOf,
  timeSteps,
  withMicro,
} from './report_format.js';
import { columnOf, firstOf, rootsOf, ownersOf, sumTicks } from './report_model.js';
import {
  colors,
  data,
  functions,
  hasOrder,
  isCompared,
  isOfFrames,
  isSampled,
  isSlowed,
  labelOf,
  listedTick,
  model,
  nameInTextOf,
  nameOfTick,
  numberOfTick,
  rowsOfTable,
  runOfTick,
  said,
  secondsOfTick,
  tickCount,
  tickPercentile,
  tickTitle,
  tickWords,
  slowCount,
  ticksOf,
  timeOfTick,
  whenOfTick,
} from './report_data.js';
import { hasCard, saveCard } from './report_card.js';
import { earlyAndLate, go, linkTo, linkWith, parseTicks, state } from './report_state.js';
import {
  columnsOfTable,
  functionLink,
  groupRule,
  h,
  legendEntry,
  makeSwitch,
  makeTable,
  section,
  showCalls,
  timeColumn,
  timeColumns,
} from './report_elements.js';

import { percentiles } from './report_lead.js';

/** @typedef {import('./report_state.js').View} View */

/* The chart ---------------------------------------------------------------------------------- */

/**
 * What a chart shows. Each bar is a tick, or the longest of as many as share a pixel; `partsOf`
 * says of what it is made, from below: names of colours, and parts of 1. Times are ns: `limit` is a
 * line across, or 0; `oldTimes` are those of the ticks with the same numbers in the old log, -1:
 * none; `opened` is the tick that the page is about.
 * @typedef {{times: ArrayLike<number>, partsOf: (tick: number) => {color: string, part: number}[],
 * describe: (tick: number) => string, isLog: boolean, limit: number, height: number, choose: (tick:
 * number) => void, opened?: number, oldTimes?: ArrayLike<number>}} Chart
 */

const margin = { top: 8, bottom: 16 };

/**
 * Where ticks are on the axis: side by side, or, where some of a recording are left out, at their
 * numbers.
 * @param {number} count
 */
function placeTicks(count) {
  const first = numberOfTick(0),
    span = numberOfTick(count - 1) - first + 1,
    hasGaps = data.runs.length === 1 && span > count;
  return {
    hasGaps,
    slots: hasGaps ? span : count,
    slotOf: (/** @type {number} */ i) => (hasGaps ? numberOfTick(i) - first : i),
    secondsOf: (/** @type {number} */ slot) =>
      hasGaps ? secondsOfTick(0) + slot / 10 : secondsOfTick(slot),
  };
}

/** @param {View} view @param {Chart} chart */
export function makeTickChart(
  view,
  { times, partsOf, describe, isLog, limit, height, choose, opened = -1, oldTimes = [] }
) {
  const count = times.length,
    { hasGaps, slots, slotOf, secondsOf } = placeTicks(count),
    canvas = /** @type {HTMLCanvasElement} */ (
      h('canvas.strip', {
        tabindex: '0',
        role: 'application',
        'aria-label': tickWords(
          'Ticks. Left and right move, with Shift they choose some, Enter opens the tick or ' +
            'shows only the chosen ones.'
        ),
      })
    );
  const status = h('p.strip-status', { role: 'status' });
  let longest = 1;
  for (let i = 0; i < count; i++) longest = Math.max(longest, times[i], oldTimes[i] ?? -1);
  const isOver = limit > 0 && longest > limit,
    top = isOver ? Math.max(longest, limit * 1.2) : longest;
  const choice = parseTicks(state.ticks),
    isRange = choice !== null && choice.over < 0;
  let width = 0,
    left = 0,
    perBar = 1,
    current = -1,
    pressed = -1;
  const plotHeight = height - margin.top - margin.bottom,
    base = height - margin.bottom;
  const sizeOf = (/** @type {number} */ time) => heightOf(time, top, isLog) * plotHeight;
  const steps = axisSteps(top, isLog),
    xOf = (/** @type {number} */ slot) => left + ((width - left) * slot) / slots,
    barOf = (/** @type {number} */ i) => Math.floor(slotOf(i) / perBar);
  /** The first tick that is not before a slot. @param {number} slot */
  const tickFrom = (slot) => {
    let i = Math.max(0, Math.min(count, slot));
    if (hasGaps) for (i = 0; i < count && slotOf(i) < slot;) i++;
    return i;
  };
  const draw = () => {
    const context = canvas.getContext('2d'),
      ratio = window.devicePixelRatio || 1,
      style = getComputedStyle(canvas);
    width = canvas.clientWidth;
    if (!context || width === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = '11px system-ui, "DejaVu Sans", sans-serif';
    const colorOf = (/** @type {string} */ name) => style.getPropertyValue(name);
    const labels = [...steps, ...(isOver ? [limit] : [])].map(formatStep);
    left = 8 + Math.ceil(Math.max(...labels.map((text) => context.measureText(text).width)));
    perBar = Math.max(1, Math.ceil(slots / (width - left)));
    drawAxes(context, colorOf);
    const marked =
      pressed >= 0 && current >= 0
        ? [Math.min(pressed, current), Math.max(pressed, current)]
        : null;
    for (let from = 0, to = 0; from < count; from = to) {
      while (to < count && barOf(to) === barOf(from)) to++;
      const x = Math.round(xOf(perBar * barOf(from))),
        next = Math.round(xOf(perBar * (barOf(from) + 1))),
        room = hasGaps && to < count ? xOf(slotOf(to)) - x - 1 : 0,
        bar = Math.max(1, next - x - (next - x > 3 ? 1 : 0), Math.min(3, Math.floor(room)));
      let tick = from,
        isMarked = false,
        oldTime = -1;
      for (let i = from; i < to; i++) {
        oldTime = Math.max(oldTime, oldTimes[i] ?? -1);
        if (times[i] > times[tick]) tick = i;
        isMarked ||= marked
          ? i >= marked[0] && i <= marked[1]
          : (state.ticks !== '' || state.growth !== '') && view.isShownTick[i] === 1;
      }
      if (isMarked) {
        context.globalAlpha = 0.15;
        context.fillStyle = colorOf('--accent');
        context.fillRect(x, margin.top, next - x, plotHeight);
        context.globalAlpha = 1;
      }
      const isOpened = (current >= from && current < to) || (opened >= from && opened < to),
        size = times[tick] > 0 ? Math.max(1, sizeOf(times[tick])) : 0;
      let y = base;
      for (const { color, part } of partsOf(tick)) {
        context.fillStyle = colorOf(color);
        context.fillRect(x, y - part * size, bar, part * size);
        y -= part * size;
      }
      if (limit > 0 && times[tick] > limit) {
        context.fillStyle = colorOf('--bad');
        context.fillRect(x, base - size, bar, Math.max(2, size - sizeOf(limit)));
      }
      // On the axis, they would be a line of their own.
      if (sizeOf(oldTime) > 4) {
        context.fillStyle = colorOf('--text');
        context.fillRect(x, Math.round(base - sizeOf(oldTime)), Math.max(2, bar), 1);
      }
      if (isOpened) {
        context.strokeStyle = colorOf('--text');
        context.strokeRect(x - 1, base - size - 1, bar + 2, size + 1);
      }
    }
    if (isRange) drawRange(context, colorOf('--accent'));
  };
  /** @type {(context: CanvasRenderingContext2D, colorOf: (name: string) => string) => void} */
  const drawAxes = (context, colorOf) => {
    const line = (time = 0, color = '', text = '') => {
      const y = Math.round(base - sizeOf(time)) + 0.5;
      context.strokeStyle = colorOf(color);
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(width, y);
      context.stroke();
      context.fillStyle = colorOf(color === '--line' ? '--quiet' : color);
      context.textAlign = 'right';
      context.textBaseline = 'middle';
      context.fillText(text, left - 6, y);
    };
    for (const time of steps)
      if (!isOver || Math.abs(sizeOf(time) - sizeOf(limit)) > 11)
        line(time, '--line', formatStep(time));
    if (isOver) {
      context.setLineDash([3, 3]);
      line(limit, '--bad', formatStep(limit));
      context.setLineDash([]);
    }
    context.fillStyle = colorOf('--quiet');
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
    for (const { at, seconds } of isOfFrames
      ? []
      : timeSteps(secondsOf, slots, Math.max(2, Math.floor(width / 110)))) {
      context.fillRect(Math.round(xOf(at)), base, 1, 5);
      if (xOf(at) < width - 40)
        context.fillText(
          formatGameTime(seconds).replace(/\.0$/, ''),
          Math.round(xOf(at)) + 4,
          height - 3
        );
    }
  };
  /** @type {(context: CanvasRenderingContext2D, color: string) => void} */
  const drawRange = (context, color) => {
    const first = view.isShownTick.indexOf(1),
      last = view.isShownTick.lastIndexOf(1);
    if (first < 0) return;
    context.strokeStyle = color;
    context.strokeRect(
      xOf(slotOf(first)) - 0.5,
      margin.top + 0.5,
      Math.max(3, xOf(slotOf(last) + 1) - xOf(slotOf(first))),
      plotHeight
    );
  };
  const rangeOf = (/** @type {number} */ from, /** @type {number} */ to) =>
    [Math.min(from, to), Math.max(from, to)].map(numberOfTick);
  const point = (/** @type {number} */ i) => {
    current = i;
    if (i >= 0 && pressed >= 0 && pressed !== i)
      status.textContent = `#${rangeOf(i, pressed).join(' to #')}`;
    else
      status.textContent =
        i >= 0
          ? describe(i)
          : [0, count - 1]
              .map((tick) => {
                return isOfFrames ? `#${numberOfTick(tick)}` : formatGameTime(secondsOfTick(tick));
              })
              .join(' to ') +
            (isLog ? '; heights are logarithmic, the colours in a bar are shares' : '') +
            (perBar > 1 ? tickWords(`; a bar is the longest of ${perBar} ticks`) : '');
    draw();
  };
  // Where late ticks are compared with early ones, those that are nearer are chosen.
  const chooseRange = (/** @type {number} */ from, /** @type {number} */ to) => {
    const range = rangeOf(from, to).join('-'),
      [early, late] = earlyAndLate(state.growth);
    if (state.growth === '') go({ ticks: range });
    else go({ growth: from + to < count ? `${range},${late}` : `${early},${range}` });
  };
  // A finger is wider than a bar: it takes the longest near it, and where ticks have gaps, so does
  // a mouse.
  const at = (/** @type {PointerEvent} */ event) => {
    const around = event.pointerType === 'touch' ? 12 : hasGaps ? 4 : 0,
      slotAt = (/** @type {number} */ x) => ((x - left) / (width - left)) * slots;
    const start = Math.floor(slotAt(event.offsetX - around) / perBar) * perBar,
      from = Math.min(count - 1, tickFrom(start)),
      to = tickFrom(Math.max(start + perBar, Math.floor(slotAt(event.offsetX + 1 + around))));
    let best = from;
    for (let i = from; i < Math.min(to, count); i++) if (times[i] > times[best]) best = i;
    return best;
  };
  canvas.onpointermove = (event) => point(at(event));
  canvas.onpointerleave = canvas.onpointercancel = () => {
    pressed = -1;
    point(-1);
  };
  canvas.onpointerdown = (event) => {
    if (model.changes && event.button === 0) pressed = at(event);
  };
  canvas.onpointerup = (event) => {
    const from = pressed,
      to = at(event);
    pressed = -1;
    if (event.button !== 0) return;
    if (from < 0 || from === to) choose(to);
    else chooseRange(from, to);
  };
  canvas.ondblclick = () => {
    if (state.ticks !== '') go({ ticks: '' });
  };
  canvas.onkeydown = (event) => {
    const isArrow = event.key === 'ArrowRight' || event.key === 'ArrowLeft',
      next = current + (event.key === 'ArrowRight' ? 1 : -1);
    if (isArrow) {
      pressed =
        event.shiftKey && model.changes ? (pressed >= 0 ? pressed : Math.max(0, current)) : -1;
      point(Math.max(0, Math.min(count - 1, next)));
    } else if (event.key === 'Enter' && current >= 0 && pressed >= 0 && pressed !== current)
      chooseRange(pressed, current);
    else if (event.key === 'Enter' && current >= 0) choose(current);
    else return;
    event.preventDefault();
  };
  canvas.style.height = `${height}px`;
  canvas.addEventListener('redraw', draw);
  new ResizeObserver(draw).observe(canvas);
  point(-1);
  return h('div.strip-box', canvas, status);
}

/* The ticks of the first page ------------------------------------------------------------------ */

const groupings = ['file', 'mod', 'function', 'thread'];

/**
 * The groups of nodes by what colours the chart: names, and the number of each node.
 * @param {string} by
 */
function groupNodes(by) {
  const { tree } = model,
    owners = ownersOf(tree, functions.kind);
  if (by === 'function') return { names: functions.label, groups: tree.func };
  if (by === 'thread') return { names: functions.label, groups: rootsOf(tree) };
  const [names, of] = by === 'mod' ? [model.mods, functions.mod] : [model.files, functions.file];
  return { names, groups: owners.map((func) => (func < 0 ? -1 : of[func])) };
}

/**
 * The eight largest groups, and the parts that they have of each tick; null without such data.
 * @param {string} by
 */
function stackTicks(by) {
  const { tree, changes } = model;
  if (!changes) return null;
  const { names, groups } = groupNodes(by),
    totals = new Float64Array(names.length);
  for (let node = 1; node < tree.count; node++)
    if (groups[node] >= 0) totals[groups[node]] += tree.columns.self[node];
  const largest = [...totals.keys()]
    .filter((group) => totals[group] > 0)
    .sort((a, b) => totals[b] - totals[a] || a - b)
    .slice(0, colors.others);
  const ranks = new Int32Array(names.length).fill(colors.others);
  largest.forEach((group, rank) => {
    ranks[group] = rank;
  });
  const groupCount = colors.others + 1;
  const sums = sumTicks(
    changes,
    groups.map((group) => (group < 0 ? colors.others : ranks[group])),
    groupCount
  );
  const binOf = new Int32Array(tickCount());
  for (let bin = 0, tick = 0; bin < changes.ticks.length; tick += changes.ticks[bin++])
    binOf.fill(bin, tick, tick + changes.ticks[bin]);
  const partsOf = (/** @type {number} */ tick) => {
    const parts = [...sums.subarray(binOf[tick] * groupCount, (binOf[tick] + 1) * groupCount)].map(
        (sum) => Math.max(0, sum)
      ),
      all = parts.reduce((sum, part) => sum + part, 0) || 1;
    return parts
      .map((part, rank) => ({ color: `--bar-${rank}`, part: part / all }))
      .filter(({ part }) => part > 0);
  };
  const used = [...totals.values()].filter((total) => total > 0).length;
  return {
    partsOf,
    legend: largest.map((group, rank) => ({ rank, text: names[group], total: totals[group] })),
    others: used - largest.length,
    all: tree.total[0],
  };
}

/** @type {Map<string, ReturnType<typeof stackTicks>>} */
const stacked = new Map();

/** Whether the longest tick would hide all others on a linear scale. */
const needsLog = () => tickPercentile(1) > 50 * Math.max(1, tickPercentile(0.95));

/** Why no ticks can be chosen in a page that has some; "" if they can. */
export function whyNoChoice() {
  if (model.changes) return '';
  const options = tickWords('supprof --from, --to and --ticks-over show some of them');
  if (data.is_rest)
    return tickWords(
      'Ticks cannot be chosen in this comparison: it compares the slow ticks with all others.'
    );
  if (isCompared)
    return tickWords(
      'Ticks cannot be chosen in this comparison: for that each side must be one recording ' +
        'of all ticks, all of it, neither scaled nor repeated, and the page must have room for ' +
        `what each tick did (--max-size=0). ${options}, of both logs.`
    );
  if (isSampled)
    return tickWords(
      'Ticks cannot be chosen on this page: they were recorded by chance, and all sums are ' +
        `estimates from them. ${options}; --tick has a single one as it was.`
    );
  return data.runs.length > 1
    ? tickWords(`Ticks cannot be chosen on this page, which is of several recordings: ${options}.`)
    : tickWords(
        'Ticks cannot be chosen on this page: it is of a part of what was recorded, or too ' +
          `small to have what each tick did. ${options}; --max-size=0 makes a page with all.`
      );
}

/** @param {View} view */
export function makeTickSection(view) {
  const by = groupings.includes(state.more.get('by') ?? '')
    ? (state.more.get('by') ?? 'file')
    : 'file';
  const scale = state.more.get('scale'),
    isLog = scale === null ? needsLog() : scale === 'log';
  if (!stacked.has(by)) stacked.set(by, stackTicks(by));
  const stacks = stacked.get(by) ?? null;
  const plain = (/** @type {number} */ tick) => [
    { color: timeOfTick(tick) > data.budget_ns ? '--bad' : '--bar-8', part: 1 },
  ];
  /** @type {Map<number, number>} */
  const oldTimeOf = new Map(
    (model.oldChanges ? data.ticks.old.tick : []).map(
      (/** @type {number} */ number, /** @type {number} */ i) => [
        number,
        data.ticks.old.time_ns?.[i] ?? 0,
      ]
    )
  );
  const oldTimes = oldTimeOf.size > 0 ? ticksOf((i) => oldTimeOf.get(numberOfTick(i)) ?? -1) : [];
  const chart = makeTickChart(view, {
    oldTimes,
    describe: (i) =>
      `${tickTitle(i)}` +
      (oldTimes.length === 0
        ? ''
        : oldTimes[i] < 0
          ? ', not in the old log'
          : `, old ${formatTime(oldTimes[i])}`),
    times: ticksOf(timeOfTick),
    partsOf: stacks?.partsOf ?? plain,
    isLog,
    limit: data.budget_ns,
    height: 112,
    choose: (i) => go({ page: 'ticks', more: { tick: nameOfTick(i) } }),
  });
  const legend = stacks
    ? h(
        'p.legend',
        // Where it is one line that scrolls, keys reach it.
        window.innerWidth > 700
          ? {}
          : { tabindex: '0', role: 'group', 'aria-label': 'What the colours mean' },
        [
          ...stacks.legend,
          ...(stacks.others > 0
            ? [
                {
                  rank: colors.others,
                  text: formatThings(stacks.others, 'other'),
                  total: stacks.all - stacks.legend.reduce((sum, { total }) => sum + total, 0),
                },
              ]
            : []),
        ].map(({ rank, text, total }) =>
          legendEntry(`var(--bar-${rank})`, text, `${formatPercent(total, stacks.all)}%`, {
            value: total,
          })
        )
      )
    : null;
  return section(
    tickWords(data.is_rest ? 'Slow ticks' : `Ticks${said.of}`),
    h(
      'span',
      percentiles() ? `${percentiles()}; ` : '',
      stacks
        ? tickWords(
            `red: over ${formatLimit(data.budget_ns)}; other colours: the ${by} that spends` +
              (oldTimes.length > 0 ? '; a mark is the old tick of the same number' : '') +
              '; drag to choose; '
          )
        : '',
      h('a', { href: linkTo({ page: 'ticks' }) }, tickWords('the slowest ticks')),
      data.ticks.ledger
        ? ['; ', h('a', { href: linkTo({ page: 'budget' }) }, 'what the budget is spent on')]
        : [],
      makeSwitch('Scale', [
        ['linear', linkWith('scale', 'linear'), !isLog],
        ['log', linkWith('scale', 'log'), isLog],
      ]),
      stacks
        ? makeSwitch(
            'Colours',
            groupings.map((name) => [name, linkWith('by', name), name === by])
          )
        : null
    ),
    chart,
    legend,
    stacks ? null : h('p.quiet', whyNoChoice())
  );
}

/* The page about ticks ------------------------------------------------------------------------- */

/** @param {import('./report_elements.js').Column[]} columns the first gets a bar */
const withBar = ([first, ...columns]) => [
  first,
  { key: 'bar', title: '', value: first.value, isBar: true },
  ...columns,
];

/** Threads, by the function that they began with, and what stands out in them. */
export function threadsPage() {
  const rows = rowsOfTable(data.threads);
  if (rows.length === 0) return [];
  const found = data.findings
    .filter((/** @type {any} */ { kind }) => kind === 'ended-threads')
    .map((/** @type {any} */ { text, function: func }) =>
      h('li', withMicro(text), '. ', func === null ? null : functionLink(func))
    );
  const notes = data.thread_notes.map((/** @type {string} */ text) =>
    h('li', `${withMicro(text.replace('Note: ', '').replace(/^threads /, 'Threads '))}.`)
  );
  return [
    found.length + notes.length > 0
      ? section('What stands out', '', h('ul.findings', found, notes))
      : null,
    section(
      `Threads${said.of}`,
      'of the whole recording, by the function that they began with',
      makeTable({
        rows,
        limit: 20,
        sort: 'total_ns',
        sortName: 'threads',
        caption: 'Threads',
        nameTitle: 'function',
        name: (row) => functionLink(row.id),
        columns: withBar(columnsOfTable(data.threads)),
      })
    ),
  ];
}

/** @param {View} view */
export function ticksPage(view) {
  const asked = Number(state.more.get('over')),
    over = asked > 0 && asked < 1e9 ? asked : data.budget_ns / 1e6,
    wanted = state.more.get('tick');
  const rows = ticksOf((i) => ({ id: i, time: timeOfTick(i) }));
  const chosen = rows.findIndex(({ id }) => nameOfTick(id) === wanted);
  const slow = rows.filter(({ time }) => time > over * 1e6);
  const listed =
    slow.length >= 10
      ? slow
      : [...rows].sort((a, b) => b.time - a.time || a.id - b.id).slice(0, 10);
  const title = tickWords(slow.length >= 10 ? 'Slow ticks' : 'The slowest ticks') + said.of;
  const slider = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'range',
      min: '1',
      max: String(
        Math.ceil(rows.reduce((most, { time }) => Math.max(most, time), data.budget_ns) / 1e6)
      ),
      value: String(over),
      id: 'over',
      onchange: () => go({ more: { over: slider.value } }),
    })
  );
  const isCollection = (/** @type {number} */ i) => numberOfTick(i) % data.collection === 0;
  return [
    h(
      'p.lead',
      h('b', tickWords(`${formatCount(slow.length)} of ${formatThings(rows.length, listedTick)}`)),
      `${said.of} took more than ${over} ms. `,
      tickWords(
        `Median ${formatTime(data.ticks.median)}; 95% of the ticks took at ` +
          `most ${formatTime(data.ticks.most95)}, 99% at most ${formatTime(data.ticks.most99)}.`
      )
    ),
    h(
      'p.controls',
      h('label', { for: 'over' }, `Slow is more than ${over} ms `),
      slider,
      model.changes && slow.length > 0
        ? h(
            'a',
            { href: linkTo({ ticks: `over${over}` }) },
            tickWords(
              'Show only ' +
                (slow.length === 1
                  ? 'the slow tick'
                  : `the ${formatCount(slow.length)} slow ticks`) +
                ' on all pages'
            )
          )
        : null
    ),
    section(
      tickWords(`All ticks${said.of}`),
      model.changes ? 'click on one; drag over some to show only these on all pages' : 'choose one',
      makeTickChart(view, {
        times: rows.map(({ time }) => time),
        partsOf: (i) => [{ color: timeOfTick(i) > over * 1e6 ? '--bad' : '--bar-8', part: 1 }],
        describe: tickTitle,
        isLog: false,
        limit: over * 1e6,
        height: 140,
        opened: chosen,
        choose: (i) =>
          go({
            more: {
              tick: nameOfTick(i),
              ...(over === data.budget_ns / 1e6 ? {} : { over: String(over) }),
            },
          }),
      })
    ),
    chosen >= 0 ? tickSection(chosen) : null,
    section(
      title,
      'with the functions that took the most time of their own',
      makeTable({
        rows: listed.map(({ id }) => ({ id, at: id })),
        limit: 100,
        sort: 'time_ns',
        caption: title,
        text: (row) => `#${numberOfTick(row.id)} ${whenOfTick(row.id)}`,
        nameTitle: tickWords('tick'),
        columns: withBar(columnsOfTable(data.ticks)),
        name: (row) =>
          h(
            'span.function',
            h(
              'a.name',
              { href: linkTo({ more: { tick: nameOfTick(row.id) } }) },
              `#${numberOfTick(row.id)}`
            ),
            h(
              'span.place',
              `${whenOfTick(row.id)}${isCollection(row.id) ? ' garbage collection' : ''}` +
                (isSlowed(row.id) ? ' · probably the computer, not the game' : '') +
                ' ',
              tickFunctions(row.id)
                .slice(0, 3)
                .map(({ id, self }) => h('span', ` · ${nameInTextOf(id)} ${formatTime(self)}`))
            )
          ),
      })
    ),
    h(
      'p.quiet',
      tickWords(
        'The time of a tick is that of the Lua that was recorded; what the engine does itself ' +
          'is not in it. '
      ),
      model.changes
        ? tickWords(
            'Chosen ticks change the numbers of all pages; this list is always of all ticks.'
          )
        : tickCount() > 1
          ? tickWords(`The choice above does not filter ticks. ${whyNoChoice()}`)
          : null
    ),
  ];
}

/** The ledger of the budget: what ticks would be without each function, and without each mod. */
export function budgetPage() {
  const { ledger } = data.ticks,
    [slow] = ledger.slow,
    [most99] = ledger.most99,
    mods = columnOf(ledger.mods, 'mod');
  /** @type {(caption: string, ids: number[], of: any, name: (row: any) => Node) => Node} */
  const table = (caption, ids, of, name) =>
    makeTable({
      rows: ids
        .map((id, i) => ({
          id,
          slow: of.slow[i],
          fewer: slow - of.slow[i],
          most99: of.most99[i],
          less: most99 - of.most99[i],
          longest: of.longest[i],
        }))
        .filter(({ id }) => id >= 0),
      caption,
      nameTitle: 'without the self time of',
      limit: 30,
      sort: slow > 0 ? 'fewer' : 'less',
      sortName: 'sort',
      tie: (row) => row.most99,
      text: (row) => (of === ledger ? labelOf(row.id) : model.mods[row.id]),
      name,
      columns: [
        { key: 'fewer', title: tickWords('fewer slow ticks') },
        { key: 'bar', title: '', value: (row) => row.fewer, isBar: true, whole: Math.max(1, slow) },
        { key: 'slow', title: 'left' },
        timeColumn('less', '99% less'),
        timeColumn('most99', '99% below'),
        timeColumn('longest', 'longest', { isWide: true }),
      ],
    });
  const all = slowCount(),
    ofComputer = all - slow;
  return [
    h(
      'p.lead',
      h('b', tickWords(formatThings(all, 'slow tick'))),
      tickWords(
        ` (over ${formatLimit(data.budget_ns)})` +
          (ofComputer > 0
            ? `, ${formatCount(ofComputer)} of them the computer's doing: ` +
              `${formatCount(slow)} are left to explain; with what those usually take, `
            : '; ') +
          `99% of the ticks are below ${formatTime(most99)}. What else would change is not known.`
      )
    ),
    h(
      'div.beside.even',
      section(
        `Functions${said.of}`,
        '',
        table('Budget by function', ledger.function, ledger, (row) => functionLink(row.id))
      ),
      mods.length > 0
        ? section(
            `Mods${said.of}`,
            groupRule,
            table('Budget by mod', mods, ledger.mods, (row) => h('span.name', model.mods[row.id]))
          )
        : null
    ),
  ];
}

/** @param {number} i @returns {{id: number, self: number, calls: number}[]} */
function tickFunctions(i) {
  const { counts, self, calls } = data.ticks.functions,
    first = firstOf(counts, i);
  return columnOf(data.ticks.functions, 'function')
    .slice(first, first + counts[i])
    .map((/** @type {number} */ id, /** @type {number} */ k) => ({
      id,
      self: self[first + k],
      calls: calls[first + k],
    }));
}

/** @param {number} i */
function tickSection(i) {
  const rows = tickFunctions(i);
  const number = numberOfTick(i),
    run = data.runs.length > 1 ? `--run ${runOfTick(i)} ` : '';
  // A report of several logs has only the name of the first.
  const logs = /\band [\d,]+ more$/.test(data.title) ? 'LOG...' : `"${data.title}"`;
  return section(
    tickWords(`Tick ${tickTitle(i)}`) + said.of,
    '',
    rows.length === 0
      ? h(
          'p',
          tickWords(
            'Functions are listed here only for the slowest ticks. This is how to see those of ' +
              'this tick:'
          )
        )
      : makeTable({
          rows,
          caption: tickWords('Functions of the tick'),
          nameTitle: 'function',
          name: (row) => functionLink(row.id),
          columns: [
            ...timeColumns('self', 'self', timeOfTick(i), 'the tick', Math.max(1, timeOfTick(i))),
            {
              key: 'calls',
              title: 'calls',
              help: tickWords('–: it ran already when the tick began'),
              show: showCalls,
            },
          ],
        }),
    model.changes
      ? h(
          'p',
          h(
            'a',
            { href: linkTo({ page: 'overview', ticks: `${number}-${number}` }) },
            tickWords('Show only this tick on all pages')
          ),
          `: callers, callees, flame graph. `,
          hasOrder && data.runs.length === 1
            ? h(
                'a',
                {
                  href: linkTo({
                    page: 'flame',
                    ticks: `${number}-${number}`,
                    more: { order: 'time' },
                  }),
                },
                'In order of time'
              )
            : null,
          hasOrder ? '. ' : '',
          hasCard(i)
            ? [
                'A card for a chat: ',
                h('button.plain', { onclick: () => saveCard(i, 'png') }, 'png'),
                ' ',
                h('button.plain', { onclick: () => saveCard(i, 'svg') }, 'svg'),
                '. ',
              ]
            : null
        )
      : null,
    model.changes
      ? null
      : h(
          'p.quiet',
          'All of it, with callers and callees: ',
          h('code', `supprof ${run}--tick ${number} ${logs} -o tick-${number}.html`)
        )
  );
}
