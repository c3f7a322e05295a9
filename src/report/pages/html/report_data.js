// report_data.js - the data of the report, which the page holds compressed (html_data.h describes
// them).

import { formatGameTime, formatTime } from './report_format.js';
import { columnOf, decodeChanges, decodeTree, ownersOf, sumGroups } from './report_model.js';

// Another page can hold this report (page.js): then this event ends it, before the next one begins.
export const closing = new AbortController();
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
  const tree = decodeTree(data);
  return {
    data,
    functions: { ...data.functions, count: data.functions.name.length },
    files: data.files,
    mods: data.mods,
    folded: data.folded ?? -1,
    tree,
    changes: decodeChanges(data.ticks?.changes),
    oldChanges: decodeChanges(data.ticks?.old?.changes),
  };
}

export const data = await readData();
export const model = makeModel(data);
export const { functions } = model;
export const isCompared = Boolean(data.old),
  isRecording = Boolean(model.tree.columns.longest);
/** What the sides of a comparison are called: slow ticks can be compared with the others. */
export const said = data.is_rest
  ? { now: 'slow ticks', before: 'other ticks', of: ' of slow ticks' }
  : {
      now: data.repeated ? 'new mean' : 'new',
      before: data.repeated ? 'old mean' : 'old',
      of: isCompared && !data.repeated ? ' of the new log' : '',
    };
/** Tables of the call tree of repeated logs have means. */
export const mean = data.repeated ? 'mean ' : '';
// A recording is rebuilt for one kind of thread by supprof alone: what ran on both is one here.
export const canChooseThread = !isRecording || !model.tree.threads.some((threads) => threads === 3);
/** Whether ticks were chosen by chance: sums are estimates. */
export const isSampled = Boolean(data.ticks?.is_sampled),
  listedTick = isSampled ? 'recorded tick' : 'tick';
/** Of a log without a recording. */
export const isUnrecorded = model.tree.count === 1;
/** Of a watched game, or of two. */
export const isWatched = Boolean(data.watched || data.tables.watched_threads);
/** @type {Record<string, {name: string, column: string}>} */
export const metrics = {
  time: { name: 'time', column: 'self' },
  calls: { name: 'calls', column: 'calls' },
  ...(isRecording ? { errors: { name: 'errors', column: 'errors' } } : {}),
  ...(data.nodes.heap ? { alloc: { name: 'heap growth', column: 'heap' } } : {}),
};

/** Whether another page holds this report (page.js). */
export const isHeld = document.getElementById('header')?.closest('#report') !== null;

/**
 * A cell of a table of the data (html_data.h); null is not known. Columns of zeros are left out.
 * @param {any} table
 * @param {string} name
 * @param {number} row
 */
export const cellOf = (table, name, row) =>
  table[name] === undefined ? 0 : (table[name]?.[row] ?? null);
/** Rows of functions. @param {any} table @returns {{id: number, at: number}[]} */
export const rowsOfTable = (table) =>
  columnOf(table, 'function').map((/** @type {number} */ id, /** @type {number} */ at) => ({
    id,
    at,
  }));

export const nameOf = (/** @type {number} */ func) =>
  func < 0 ? '(engine)' : functions.name[func];
/** The name in a sentence or a list: a function without one has its place. */
export const nameInTextOf = (/** @type {number} */ func) =>
  nameOf(func) === '?' ? labelOf(func) : nameOf(func);
export const labelOf = (/** @type {number} */ func) =>
  func < 0 ? '(engine)' : functions.label[func];
export const fileOf = (/** @type {number} */ func) =>
  functions.kind[func] === 0 ? model.files[functions.file[func]] : '';

/**
 * The numbers of colours in frame_colors.css: of files after the eight largest, and of what is in
 * no file.
 */
export const colors = { others: 8, noFile: 9 };

/**
 * The numbers of the colours of groups of functions: the one with the most self time has the first.
 * A C function counts for its caller.
 * @param {number[]} groups by function
 * @param {number} count
 */
function rankGroups(groups, count) {
  const { columns, isUsed } = sumGroups(
    model.tree,
    owners.map((func) => (func >= 0 && functions.kind[func] === 0 ? groups[func] : -1)),
    count
  );
  const ranks = new Uint8Array(count).fill(colors.noFile);
  [...ranks.keys()]
    .filter((group) => isUsed[group])
    .sort((a, b) => columns.self[b] - columns.self[a] || a - b)
    .forEach((group, rank) => {
      ranks[group] = Math.min(rank, colors.others);
    });
  return ranks;
}

const owners = ownersOf(model.tree, functions.kind);
export const groupColors = {
  file: rankGroups(functions.file, model.files.length),
  mod: rankGroups(functions.mod, model.mods.length),
};
export const colorOf = (/** @type {number} */ func, /** @type {'file' | 'mod'} */ by = 'file') =>
  func >= 0 && functions.kind[func] === 0 ? groupColors[by][functions[by][func]] : colors.noFile;

/** The part of a label after the name. */
export function placeOf(/** @type {number} */ func) {
  const name = nameOf(func),
    label = labelOf(func);
  return label.startsWith(`${name} `) ? label.slice(name.length + 1) : '';
}

/**
 * A recording of the user interface has frames in place of ticks: with numbers, without game time.
 */
export const isOfFrames = data.tick === 'frame';
/** A text of ours about ticks, or about frames. */
export const tickWords = (/** @type {string} */ text) =>
  isOfFrames ? text.replace(/(?<!-)\b([tT])ick/g, (_, t) => (t === 'T' ? 'Frame' : 'frame')) : text;
export const timeOfTick = (/** @type {number} */ i) => data.ticks.time_ns?.[i] ?? 0;
/**
 * Something of each tick.
 * @template T
 * @param {(i: number) => T} of
 */
export const ticksOf = (of) => Array.from({ length: tickCount() }, (_, i) => of(i));
/** The time that a part of the ticks does not exceed. @param {number} part */
export const tickPercentile = (part) =>
  ticksOf(timeOfTick).sort((a, b) => a - b)[Math.max(0, Math.ceil(part * tickCount()) - 1)] ?? 0;
/** How many ticks took more than they may. */
export const slowCount = () =>
  ticksOf(timeOfTick).filter((/** @type {number} */ time) => time > data.budget_ns).length;
/** Whether the computer was slow in a tick. */
export const isSlowed = (/** @type {number} */ i) => Boolean(data.ticks.disturbed?.[i]);
export const numberOfTick = (/** @type {number} */ i) => data.ticks.tick?.[i] ?? 0;
/** The number of a tick's run, as --run takes it. */
export const runOfTick = (/** @type {number} */ i) => data.ticks.run[i];
const zeroOfRun = new Map(data.runs);
export const secondsOfTick = (/** @type {number} */ i) =>
  zeroOfRun.get(runOfTick(i)) + numberOfTick(i) / 10;
/** What the address calls a tick: numbers are those of a run. */
export const nameOfTick = (/** @type {number} */ i) =>
  data.runs.length > 1 ? `${runOfTick(i)}.${numberOfTick(i)}` : String(numberOfTick(i));
/** When a tick was. */
export const whenOfTick = (/** @type {number} */ i) =>
  [
    ...(data.runs.length > 1 ? [`run ${runOfTick(i)}`] : []),
    ...(isOfFrames ? [] : [formatGameTime(secondsOfTick(i))]),
  ].join(', ');
/** Whether the order of wakes or calls in ticks is known. */
export const hasOrder = Boolean(data.ticks?.wakes || data.ticks?.order);
export const tickCount = () => columnOf(data.ticks?.functions, 'counts').length;
/** "#912 (1:31.2)" */
export const fullNameOfTick = (/** @type {number} */ i) =>
  `#${numberOfTick(i)}${whenOfTick(i) ? ` (${whenOfTick(i)})` : ''}`;
export const tickTitle = (/** @type {number} */ i) =>
  `${fullNameOfTick(i)}: ${formatTime(timeOfTick(i))}`;
