// report_state.js - what is shown: the choices that the address holds, so that every view is a
// link, and the profile that they leave.

import {
  applyChip,
  countTicks,
  keepThread,
  keepTicks,
  matchesOf,
  shareOf,
  sumGroups,
  sumUp,
  withoutLines,
} from './report_model.js';
import { findPatterns, subjects } from './report_patterns.js';
import {
  canChooseThread,
  data,
  functions,
  isCompared,
  isSlowed,
  isUnrecorded,
  metrics,
  model,
  nameOfTick,
  numberOfTick,
  tickCount,
  tickPercentile,
  tickWords,
  ticksOf,
  timeOfTick,
} from './report_data.js';

/* What is chosen --------------------------------------------------------------------------- */

/** @typedef {import('./report_model.js').Chip} Chip */
/**
 * `ticks`: those that are shown, as "38-40", "over100" (ms) or "" for all. `slow`: ms from which on
 * ticks are slow, where tables compare slow ticks with the others; 0: they do not. `isIdle`: there,
 * ticks in which the computer was slow are left out. `unknown`: what of the address is not of this
 * report. `growth`: the early and the late ticks that are compared instead, as "1-240,961-1200".
 * @typedef {{page: string, path: number[], metric: string, thread: string, ticks: string, slow:
 * number, isIdle: boolean, growth: string, chips: Chip[], more: URLSearchParams, unknown:
 * string}} State
 */

/**
 * What the address calls each function: its label, which is the same in another recording of the
 * game; of several with one label, the second has ~2 after it.
 */
/** @type {string[]} */
const addresses = (() => {
  const counts = new Map();
  return functions.label.map((/** @type {string} */ label) => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label}~${count}`;
  });
})();
const functionAt = new Map(addresses.map((address, func) => [address, func]));

/** What a part of an address says: nothing in it is an error. @param {string} text */
const decoded = (text) => new URLSearchParams(`of=${text}`).get('of') ?? '';

export const words = { only: 'only', without: 'without', hide: 'hide', from: 'from' };
export const pages = [
  ['overview', isCompared ? 'Compare' : 'Overview'],
  ...(isUnrecorded
    ? []
    : [
        ['functions', 'Functions'],
        ['calls', 'Calls'],
        ['flame', 'Flame'],
      ]),
  ...(data.threads?.function?.length > 0 ? [['threads', 'Threads']] : []),
  ...(isUnrecorded ? [] : [['files', 'Files']]),
  ['about', 'About'],
];

/** The keys of all pages, and what they do. */
export const keyTexts = () => [
  ['/', 'search: Enter opens, Shift Enter shows only it, Alt Enter hides it'],
  [`1 to ${pages.length}`, 'the pages'],
  ['m', 'on the name of a function: its menu'],
  ['l', 'copies the link to this view; e: all that can be copied or saved of it'],
  ['c', 'on the page of a function: copies its file and line, or that of a line of its source'],
  ['↑ ↓', 'from row to row of a table, of calls or of a source; Enter opens'],
  ['← →', 'in the chart of ticks: from tick to tick, with Shift they choose'],
  ['Esc', 'closes, or zooms out'],
  ['?', 'these keys'],
];

/** @returns {State} */
function readState() {
  const [, route, query] = /** @type {string[]} */ (
    /^#?([^?]*)\??(.*)$/s.exec(window.location.hash)
  );
  const [, page, rest] = /** @type {string[]} */ (/^\/?([^/]*)\/?(.*)$/s.exec(route));
  const more = new URLSearchParams(query);
  const chips = more
    .getAll('chip')
    .map((text) => {
      const [kind, what, ...value] = text.split('~');
      return /** @type {Chip} */ ({ kind, what, value: value.join('~') });
    })
    .filter(
      ({ kind, what, value }) =>
        Object.hasOwn(words, kind) &&
        ['function', 'file', 'mod', 'pattern'].includes(what) &&
        value !== ''
    );
  const names = page === 'path' ? rest.split(',').map(decoded) : [],
    path = names.map((name) => functionAt.get(name) ?? -1);
  const metric = more.get('metric') ?? data.metric,
    thread = more.get('thread') ?? '';
  const ticks =
    model.changes && parseTicks(more.get('ticks') ?? '') ? (more.get('ticks') ?? '') : '';
  const slow = model.changes && !isCompared ? Number(more.get('slow')) : 0;
  const isIdle = slow > 0 && more.has('idle'),
    growth = (model.changes && !isCompared && more.get('growth')) || '';
  for (const name of ['chip', 'metric', 'thread', 'ticks', 'slow', 'idle', 'growth'])
    more.delete(name);
  const known =
    page === 'path'
      ? !path.includes(-1)
      : pages.some(([name]) => name === page) ||
        (page === 'ticks' && data.ticks) ||
        (page === 'budget' && data.ticks?.ledger);
  return {
    page: known ? page : 'overview',
    path: known ? path : [],
    unknown: known || page === '' ? '' : (names[path.indexOf(-1)] ?? decoded(page)),
    metric: Object.hasOwn(metrics, metric) ? metric : 'time',
    thread: canChooseThread && ['main', 'coroutine'].includes(thread) ? thread : 'all',
    ticks,
    slow: slow > 0 && slow < 1e9 ? slow : 0,
    isIdle,
    growth: /^\d+-\d+,\d+-\d+$/.test(growth) && !(slow > 0) ? growth : '',
    chips,
    more,
  };
}

/** What is chosen in the list of functions stays while functions are opened from it. */
const listChoices = () =>
  ['functions', 'path'].includes(state.page)
    ? [...state.more].filter(([name]) => name === 'sort' || name === 'find')
    : [];

/**
 * The address of a view: the current choices with the changes.
 * @param {Partial<Omit<State, 'more'>> & {more?: any}} changes
 */
export function linkTo(changes) {
  const next = {
    ...state,
    more:
      !changes.page || changes.page === state.page
        ? state.more
        : changes.page === 'functions'
          ? listChoices()
          : {},
    ...changes,
  };
  const query = new URLSearchParams();
  if (next.metric !== data.metric) query.set('metric', next.metric);
  if (next.thread !== 'all') query.set('thread', next.thread);
  if (next.ticks !== '') query.set('ticks', next.ticks);
  if (next.slow > 0) query.set('slow', String(next.slow));
  if (next.slow > 0 && next.isIdle) query.set('idle', 'yes');
  else if (next.growth !== '') query.set('growth', next.growth);
  for (const { kind, what, value } of next.chips) query.append('chip', `${kind}~${what}~${value}`);
  // A zoom is on a frame of what was chosen.
  const isOther = ['chips', 'thread', 'ticks', 'slow', 'isIdle', 'growth'].some(
    (name) => name in changes
  );
  for (const [name, value] of new URLSearchParams(next.more))
    if (name !== 'zoom' || !isOther) query.append(name, value);
  const text = query.toString();
  const path =
    next.page === 'path'
      ? `/${next.path
          .map((func) =>
            encodeURIComponent(addresses[func]).replace(/%2F|%3A/g, decodeURIComponent)
          )
          .join(',')}`
      : '';
  return `#/${next.page}${path}${text ? `?${text}` : ''}`;
}

/** With something else noted in the address, or without it. */
export const linkWith = (/** @type {string} */ name, /** @type {string} */ value = '') =>
  linkTo({
    more: [
      ...[...state.more].filter(([key]) => key !== name && key !== 'zoom'),
      ...(value ? [[name, value]] : []),
    ],
  });

export const tickLink = (/** @type {number} */ tick) =>
  linkTo({ page: 'ticks', path: [], more: { tick: nameOfTick(tick) } });

export const pathLink = (/** @type {number[]} */ path) =>
  linkTo({ page: 'path', path, more: listChoices() });

/** A word of a command line. @param {string} text */
export const quoted = (text) =>
  /^[\w@%+=:,./#-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Text that a pattern takes as it is. @param {string} text */
export const literal = (text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** The program's options that choose the same. */
export function optionsOfView() {
  const options = { only: '--focus', without: '--ignore', hide: '--hide', from: '--show-from' },
    choice = parseTicks(state.ticks);
  const patternOf = (/** @type {Chip} */ { what, value }) =>
    what === 'pattern' ? value : what === 'function' ? `^${literal(value)}$` : literal(value);
  return [
    ...(choice === null
      ? []
      : choice.over >= 0
        ? [`--ticks-over=${choice.over / 1e6}`]
        : [`--from=#${choice.from}`, `--to=#${choice.to + 1}`]),
    ...(state.thread === 'all' ? [] : [`--thread=${state.thread}`]),
    ...state.chips.map((chip) => `${options[chip.kind]}=${patternOf(chip)}`),
  ];
}

/** The command that shows the same. */
export const commandOf = () =>
  [
    'supprof',
    ...optionsOfView(),
    ...(data.is_rest
      ? ['--ticks-over=MS', '--diff-rest']
      : isCompared
        ? ['--diff', data.old_title]
        : []),
    data.title,
  ]
    .map(quoted)
    .join(' ');

/** @param {Partial<Omit<State, 'more'>> & {more?: any}} changes */
export function go(changes) {
  window.location.hash = linkTo(changes);
}

/**
 * Notes something in the address without a new view; with `isStep`, Back leads to the address
 * before.
 * @param {string} name
 * @param {string} value
 */
export function note(name, value, isStep = false) {
  if (value === '') state.more.delete(name);
  else state.more.set(name, value);
  const address = linkTo({});
  if (isStep && address !== window.location.hash) window.history.pushState(null, '', address);
  else window.history.replaceState(window.history.state, '', address);
  noteShown();
}

/**
 * Notes the address of the view that is drawn: the browser's own is another one until the view
 * follows it. A page that holds this one saves other files with its options.
 */
export function noteShown() {
  Object.assign(document.documentElement.dataset, {
    shown: window.location.hash,
    options: JSON.stringify(optionsOfView()),
  });
}

export let state = readState();

/** Whether nothing is chosen. */
export const isAll = () => state.chips.length === 0 && state.thread === 'all' && state.ticks === '';

/** Reads the address again; returns what was chosen before. */
export function readAddress() {
  const before = state;
  state = readState();
  return before;
}

/* What is shown of the profile --------------------------------------------------------------- */

/** @typedef {ReturnType<typeof makeView>} View */

/** The ticks that a text of the address chooses. @param {string} text */
export function parseTicks(text) {
  const range = /^(\d+)-(\d+)$/.exec(text),
    over = /^over(\d+(?:\.\d+)?)$/.exec(text);
  if (range) return { from: Number(range[1]), to: Number(range[2]), over: -1 };
  return over ? { from: 0, to: 0, over: Number(over[1]) * 1e6 } : null;
}

/** The only tick that is chosen, as an index; -1: there are others, or none. */
export function onlyTick() {
  const choice = parseTicks(state.ticks);
  return choice && choice.over < 0 && choice.from === choice.to
    ? ticksOf(numberOfTick).indexOf(choice.from)
    : -1;
}

/** The tick that the view is about, as an index; -1: none. */
export const shownTick = () =>
  state.page === 'ticks' ? ticksOf(nameOfTick).indexOf(state.more.get('tick') ?? '') : onlyTick();

const joinedTicks = tickWords(
  'To limit the size of this page, some ticks are joined: ticks next to the chosen ones are ' +
    'shown, too. supprof --max-size=0 keeps them apart.'
);

/**
 * Which ticks of a log a choice takes, and those that share a bin with them.
 * @param {NonNullable<ReturnType<typeof parseTicks>>} choice
 * @param {import('./report_model.js').Changes} changes
 * @param {ArrayLike<number>} numbers
 * @param {ArrayLike<number>} times ns
 */
function chooseTicks(choice, changes, numbers, times) {
  const isShown = new Uint8Array(times.length);
  /** @type {Set<number>} */
  const bins = new Set();
  let problem = '';
  for (let bin = 0, at = 0; bin < changes.ticks.length; at += changes.ticks[bin++]) {
    let isChosen = false,
      isWhole = true;
    for (let i = at; i < at + changes.ticks[bin]; i++) {
      const isWanted =
        choice.over < 0
          ? numbers[i] >= choice.from && numbers[i] <= choice.to
          : times[i] > choice.over;
      isChosen ||= isWanted;
      isWhole &&= isWanted;
    }
    if (!isChosen) continue;
    if (!isWhole) problem = joinedTicks;
    bins.add(bin);
    isShown.fill(1, at, at + changes.ticks[bin]);
  }
  return { isShown, bins, problem, count: isShown.reduce((sum, one) => sum + one, 0) };
}

/**
 * Which ticks are shown, of both sides of a comparison: the old ones have the same numbers, or took
 * as long.
 */
function shownTicks() {
  const choice = parseTicks(state.ticks),
    { changes, oldChanges } = model;
  if (!choice || !changes)
    return {
      isShown: new Uint8Array(tickCount()).fill(1),
      bins: new Set(),
      problem: '',
      old: null,
    };
  const shown = chooseTicks(choice, changes, ticksOf(numberOfTick), ticksOf(timeOfTick));
  const old = oldChanges
    ? chooseTicks(choice, oldChanges, data.ticks.old.tick, data.ticks.old.time_ns ?? [])
    : null;
  return { ...shown, problem: shown.problem || (old?.problem ?? ''), old };
}

/** What is wrong with a pattern, as one sentence. @param {string} pattern @param {unknown} error */
export function mistakeOf(pattern, error) {
  const { message } = /** @type {Error} */ (error);
  return (
    `'${pattern}' cannot be a pattern here: ` +
    message.replace(/^Invalid regular expression: (\/.*\/\w*: )?/s, '')
  );
}

/** The first tick of each bin. */
function startsOfBins() {
  let start = 0;
  return (model.changes?.ticks ?? []).map((count) => (start += count) - count);
}

/** The early and the late ticks that are compared: at first, the first and the last fifth. */
export function earlyAndLate(text = '') {
  const last = tickCount() - 1,
    fifth = Math.floor(last / 5);
  const of = (/** @type {number} */ from, /** @type {number} */ to) =>
    `${numberOfTick(from)}-${numberOfTick(to)}`;
  return (text || `${of(0, fifth)},${of(last - fifth, last)}`).split(',');
}

/**
 * The slow ticks among those that are shown, and the others; null if they are not compared. So are
 * late ticks and early ones.
 * @param {Uint8Array} isShownTick
 */
function splitTicks(isShownTick) {
  const { changes } = model;
  if (!changes || (state.slow === 0 && state.growth === '')) return null;
  const [early, late] = earlyAndLate(state.growth).map(parseTicks),
    isGrowth = state.growth !== '';
  /** @type {(choice: ReturnType<typeof parseTicks>, i: number) => boolean} */
  const isIn = (choice, i) =>
    choice !== null && numberOfTick(i) >= choice.from && numberOfTick(i) <= choice.to;
  const starts = startsOfBins(),
    isSlowTick = (/** @type {number} */ i) =>
      isGrowth ? isIn(late, i) : timeOfTick(i) > state.slow * 1e6;
  const isShownBin = starts.map(
    (start) =>
      isShownTick[start] === 1 &&
      (isGrowth ? isIn(early, start) || isIn(late, start) : !(state.isIdle && isSlowed(start)))
  );
  const ticksIn = (start = 0, bin = 0) =>
    Array.from({ length: changes.ticks[bin] }, (_, i) => start + i);
  const isSlowBin = starts.map(
    (start, bin) => isShownBin[bin] && ticksIn(start, bin).some(isSlowTick)
  );
  /** @type {Float64Array | null} */
  let counts = null;
  const countOf = (/** @type {boolean[]} */ isIn) =>
    changes.ticks.reduce((sum, count, bin) => sum + (isIn[bin] ? count : 0), 0);
  const count = countOf(isSlowBin),
    isMixed = starts.some((start, bin) => isSlowBin[bin] && !ticksIn(start, bin).every(isSlowTick));
  return {
    isSlowBin,
    isShownBin,
    isGrowth,
    isShownTick: Uint8Array.from(isShownTick, (isShown, i) =>
      Number(isShown === 1 && (isIn(early, i) || isIn(late, i)))
    ),
    words: isGrowth ? ['late', 'early'] : ['slow', 'other'],
    count,
    otherCount: countOf(isShownBin) - count,
    isMixed,
    countsOfFunctions: () =>
      (counts ??= countTicks(model.tree, changes, (bin) => isSlowBin[bin], functions.count)),
  };
}

function makeView() {
  let tree = model.tree,
    problem = '';
  const ticks = shownTicks(),
    slow = splitTicks(ticks.isShown);
  if (slow && model.changes) {
    tree = keepTicks(tree, model.changes, (bin) => slow.isSlowBin[bin], {
      changes: model.changes,
      isChosen: (bin) => slow.isShownBin[bin] && !slow.isSlowBin[bin],
    });
    problem = ticks.problem || (slow.isMixed ? joinedTicks : '');
  } else if (state.ticks !== '' && model.changes) {
    const { old } = ticks;
    tree = keepTicks(
      tree,
      model.changes,
      (bin) => ticks.bins.has(bin),
      model.oldChanges && old
        ? { changes: model.oldChanges, isChosen: (bin) => old.bins.has(bin) }
        : null
    );
    problem = ticks.problem;
  }
  if (state.thread !== 'all') tree = keepThread(tree, state.thread === 'main' ? 1 : 2);
  const threadTotal = tree.total[0];
  const steps = state.chips.map((chip) => {
    const before = tree.total[0];
    let mistake = '',
      isMatched = false;
    try {
      isMatched = matchesOf(chip, subjects).includes(1);
      tree = applyChip(tree, chip, subjects);
    } catch (error) {
      mistake = mistakeOf(chip.value, error);
    }
    return { chip, before, after: tree.total[0], mistake, isMatched };
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
    tree,
    sums,
    steps,
    problem,
    threadTotal,
    totalOf,
    slow,
    isShownTick: slow?.isGrowth ? slow.isShownTick : ticks.isShown,
    oldTickCount: ticks.old?.count ?? -1,
    all: tree.total[0],
    share: shareOf(tree),
    paths: () => (paths ??= withoutLines(tree)),
  };
}

/** @type {{key: string, view: View | null}} */
const lastView = { key: '', view: null };

/**
 * Looks for the patterns of filters before the view is made; null if there is nothing to wait for.
 */
export const findChosen = () =>
  findPatterns(state.chips.filter(({ what }) => what === 'pattern').map(({ value }) => value));

/** Call it when findChosen() is done. */
export function currentView() {
  const key = JSON.stringify([
    state.thread,
    state.ticks,
    state.slow,
    state.isIdle,
    state.growth,
    state.chips,
  ]);
  if (lastView.key !== key || !lastView.view) {
    lastView.key = key;
    lastView.view = makeView();
  }
  return lastView.view;
}

/**
 * From how many ms on ticks are slow: over the budget, or, where none is, the slowest of a hundred.
 */
export function usualSlow() {
  return tickCount() < 2 || tickPercentile(1) > data.budget_ns
    ? data.budget_ns / 1e6
    : Number((tickPercentile(0.99) / 1e6).toPrecision(1));
}
