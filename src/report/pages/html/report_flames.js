// report_flames.js - the page of the flame graph: with a map of all of it, from threads down or
// from functions up.

import { findLabels } from '../frames.js';
import { colorOfChange, formatMetric, formatThings, formatTime } from './report_format.js';
import { columnOf, orderInTick, treeFrom, withoutRecursion } from './report_model.js';
import {
  data,
  functions,
  hasOrder,
  isCompared,
  labelOf,
  metrics,
  nameOfTick,
  tickCount,
  tickTitle,
  tickWords,
  timeOfTick,
} from './report_data.js';
import { linkTo, linkWith, note, onlyTick, state } from './report_state.js';
import { makePlayer } from './report_play.js';
import {
  findField,
  functionLink,
  h,
  makeFlame,
  makeLegend,
  makeSwitch,
  makeTable,
  section,
  timeColumns,
} from './report_elements.js';

/** @typedef {import('./report_state.js').View} View */
/** @typedef {import('./report_flame.js').Flame} Flame */

/** Inverted trees are as large as all their stacks together: of more nodes none is made. */
const invertedMax = 400000;

/** @param {View} view @param {boolean} isInverted @param {boolean} isFolded */
function treeOf(view, isInverted, isFolded) {
  const paths = view.paths(),
    tree = isFolded ? withoutRecursion(paths) : paths;
  if (!isInverted) return tree;
  const own = [...tree.columns.self.keys()].filter(
    (node) => node > 0 && (tree.columns.self[node] !== 0 || tree.columns.calls[node] !== 0)
  );
  return own.reduce((sum, node) => sum + tree.depth[node], 0) > invertedMax
    ? null
    : treeFrom(tree, own, true, true);
}

/**
 * A map of all of a flame graph; a drag on it moves the part that is shown, or chooses one.
 * @param {Flame} flame
 */
function makeMap(flame) {
  const height = 44,
    canvas = /** @type {HTMLCanvasElement} */ (h('canvas.map', { 'aria-hidden': 'true' }));
  const { tree, values, oldValues, colorOf } = flame.options,
    all = values[0] || 1,
    { start } = flame.view.frames;
  const picture = document.createElement('canvas');
  let pictureOf = '',
    from = -1;
  canvas.style.height = `${height}px`;
  const draw = () => {
    const context = canvas.getContext('2d'),
      painter = picture.getContext('2d'),
      width = canvas.clientWidth,
      style = getComputedStyle(canvas);
    if (!context || !painter || width === 0) return;
    const key = `${width} ${style.color}`;
    if (key !== pictureOf) {
      for (const one of [canvas, picture]) Object.assign(one, { width, height });
      const row = Math.max(1, Math.min(3, Math.floor(height / Math.max(1, flame.view.rows)))),
        shades = Array.from({ length: 10 }, (_, i) => style.getPropertyValue(`--frame-${i}`));
      for (let node = 1; node < tree.count; node++) {
        const size = (values[node] / all) * width;
        if (size < 0.3 || (tree.depth[node] - 1) * row >= height) continue;
        painter.fillStyle = oldValues
          ? colorOfChange(values[node], oldValues[node], Math.max(all, oldValues[0]))
          : shades[colorOf(node)];
        painter.fillRect(
          (start[node] / all) * width,
          (tree.depth[node] - 1) * row,
          Math.max(0.5, size),
          row
        );
      }
      pictureOf = key;
    }
    context.clearRect(0, 0, width, height);
    context.drawImage(picture, 0, 0);
    context.strokeStyle = style.getPropertyValue('--accent');
    context.lineWidth = 2;
    context.strokeRect(
      (flame.view.from / all) * width + 1,
      1,
      Math.max(4, ((flame.view.to - flame.view.from) / all) * width - 2),
      height - 2
    );
  };
  const place = (/** @type {PointerEvent} */ event) =>
    (Math.max(0, Math.min(canvas.clientWidth, event.offsetX)) / canvas.clientWidth) * all;
  canvas.onpointerdown = (event) => {
    from = place(event);
    canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = (event) => {
    if (from >= 0 && Math.abs(place(event) - from) > 0.005 * all)
      flame.showPart(Math.min(from, place(event)), Math.abs(place(event) - from));
  };
  canvas.onpointerup = (event) => {
    const size = flame.view.to - flame.view.from;
    if (from >= 0 && Math.abs(place(event) - from) <= 0.005 * all)
      flame.showPart(from - size / 2, size);
    from = -1;
  };
  canvas.addEventListener('redraw', () => {
    pictureOf = '';
    draw();
  });
  new ResizeObserver(draw).observe(canvas);
  flame.onPaint = draw;
  return canvas;
}

/** The order in a tick: of the chosen one, or of the longest. */
function orderSwitch() {
  if (!hasOrder) return null;
  const isInOrder = state.more.get('order') === 'time' && onlyTick() >= 0;
  let tick = onlyTick();
  if (tick < 0)
    for (let i = (tick = 0); i < tickCount(); i++) if (timeOfTick(i) > timeOfTick(tick)) tick = i;
  return makeSwitch('Order', [
    ['widest first', linkWith('order'), !isInOrder],
    [
      onlyTick() < 0 ? tickWords('in order of time (the longest tick)') : 'in order of time',
      linkTo({ ticks: `${nameOfTick(tick)}-${nameOfTick(tick)}`, more: { order: 'time' } }),
      isInOrder,
    ],
  ]);
}

/** The wakes of a tick, one by one. @param {import('./report_model.js').Tree} tree */
const wakeTable = ({ func, columns: { self, calls }, total }) =>
  section(
    'Wakes',
    '',
    makeTable({
      rows: [...func.keys()].slice(1).map((id) => ({
        id,
        func: func[id],
        self: self[id],
        calls: calls[id],
      })),
      limit: 20,
      sort: '',
      caption: 'Wakes',
      nameTitle: 'the thread began with',
      name: (row) => functionLink(row.func),
      text: (row) => labelOf(row.func),
      columns: [
        { key: 'order', title: 'no.', value: (row) => row.id, show: String },
        ...timeColumns('self', 'time', total[0], 'the tick'),
        {
          key: 'calls',
          title: 'calls',
          help: 'with that of its function, and that which suspends it',
        },
      ],
    })
  );

/**
 * What ran in a tick, from left to right: its calls, or where they are not known the wakes of its
 * threads.
 * @param {number} tick
 */
function orderPage(tick) {
  const { order, wakes } = data.ticks,
    at = columnOf(order, 'tick').indexOf(tick),
    woken = wakes ? orderInTick(wakes, tick) : null,
    shown = at < 0 ? woken : orderInTick(order, at),
    leftOut = at < 0 ? 0 : order.left_out[at];
  const what =
    shown === null
      ? 'Its calls are not here in order of time'
      : at < 0
        ? `${formatThings(shown.tree.count - 1, 'wake')} of threads in order of time`
        : formatThings(
            shown.tree.columns.calls.reduce((sum, one) => sum + one, 0),
            'call'
          ) + ' in order of time';
  const flame =
    shown && shown.tree.total[0] > 0
      ? makeFlame(shown.tree, {
          heightMax: Math.max(300, window.innerHeight - 300),
          rootName: 'all',
          zoomName: 'zoom',
          hasCard: true,
          starts: shown.starts,
        })
      : null;
  return [
    h('div.controls', orderSwitch()),
    h(
      'p.lead',
      tickWords(`Tick ${tickTitle(tick)}. `),
      what,
      leftOut > 0
        ? `; ${formatThings(leftOut, 'shorter one is', 'shorter ones are')} left out`
        : '',
      shown && shown.cut > 0
        ? `; of the engine between threads, ${formatTime(Math.round(shown.cut))} are cut out.`
        : '.'
    ),
    flame && shown ? makePlayer(flame, shown) : null,
    flame?.status,
    h(
      'p.quiet',
      tickWords(
        'From left to right as they ran, with the time that recording took; between threads the ' +
          'engine runs. Of some of the slowest ticks all calls are here but the shortest, of the ' +
          'others the wakes of threads; supprof -o FILE.trace.json has all calls of all ticks. ' +
          'Filters do not change this.'
      )
    ),
    woken && woken.tree.total[0] > 0 ? wakeTable(woken.tree) : null,
  ];
}

/** @type {(text: string, title: string, onclick: () => void) => HTMLElement} */
const button = (text, title, onclick) => h('button.plain', { title, onclick }, text);

/** @param {View} view */
export function flamePage(view) {
  if (hasOrder && state.more.get('order') === 'time' && onlyTick() >= 0)
    return orderPage(onlyTick());
  const { more } = state,
    isInverted = more.get('from') === 'functions',
    isFolded = more.get('recursion') === 'folded',
    colorBy = more.get('color') === 'mod' ? 'mod' : 'file';
  const tree = treeOf(view, isInverted, isFolded);
  const switches = [
    orderSwitch(),
    makeSwitch('Frames', [
      ['callees ↓', linkWith('from'), !isInverted],
      ['inverted: callers', linkWith('from', 'functions'), isInverted],
    ]),
    makeSwitch('Recursion', [
      ['all frames', linkWith('recursion'), !isFolded],
      ['fold recursion', linkWith('recursion', 'folded'), isFolded],
    ]),
    isCompared
      ? null
      : makeSwitch('Colour', [
          ['file', linkWith('color'), colorBy === 'file'],
          ['mod', linkWith('color', 'mod'), colorBy === 'mod'],
        ]),
  ];
  if (tree === null)
    return [
      h('div.controls', switches),
      h(
        'p',
        'There are too many call stacks to turn all of them around. Choose fewer, or open a ' +
          'function: its page has its callers.'
      ),
    ];
  const flame = makeFlame(tree, {
    heightMax: Math.max(300, window.innerHeight - 250),
    rootName: 'all',
    zoomName: 'zoom',
    colorBy,
    hasCard: true,
  });
  const matched = h('span.matched', { role: 'status' });
  const find = (/** @type {string} */ text) => {
    const found = flame.search(text === '' ? null : findLabels(functions.label, text));
    matched.textContent =
      text === ''
        ? ''
        : found.count === 0
          ? `'${text}' is in no name and no place`
          : `${found.text}, ${formatMetric(state.metric, found.sum)}`;
  };
  const input = findField(find, {
    placeholder: 'mark a name or place',
    'aria-label': 'Mark frames with',
  });
  const workspace = h(
    'div',
    {
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'i' && event.target !== input && !event.ctrlKey && !event.metaKey)
          window.location.hash = linkWith('from', isInverted ? '' : 'functions');
      },
    },
    makeMap(flame),
    h(
      'p.quiet.hint',
      'All of it: drag here to choose the part below. W S zoom, A D move, arrows walk, Enter ' +
        'zooms to a frame, Escape back, O opens, I inverts, M menu.'
    ),
    flame.element,
    flame.status
  );
  return [
    h(
      'div.controls',
      switches,
      input,
      matched,
      button('Zoom out', 'all of the graph', () => {
        flame.zoomTo(0);
        note('zoom', '', true);
      })
    ),
    workspace,
    makeLegend(view, colorBy, flame),
    h(
      'p.quiet',
      `A frame is as wide as its ${metrics[state.metric].name}` +
        (isInverted ? ' as part of the function at the top' : ' with all that it called') +
        '. Grey marks are frames too narrow to be drawn.'
    ),
  ];
}
