// report_card.js - a tick as a card, to post in a chat: the picture that card.c makes, to the byte,
// but for a side of a comparison whose calls are not here in the order of time.

import { fitLabel, fitStart, layOut } from '../frames.js';
import { formatLimit, formatTime } from './report_format.js';
import { columnOf, keepTicks, orderInTick } from './report_model.js';
import {
  data,
  fullNameOfTick,
  functions,
  isCompared,
  labelOf,
  model,
  nameOf,
  numberOfTick,
  tickWords,
} from './report_data.js';
import { saveFile } from './report_elements.js';

const edge = 24,
  plotWidth = 912,
  rowSize = 17,
  lineHeight = 24,
  barGrey = '#aab2bd';
/** Those of frame_colors.css on white. */
const lightPalette =
  '#5186bf #c2844c #3f9267 #c47ba4 #8a78be #9a9441 #00909d #ce7b71 #c6cbd3 #e2e5ea';

const escaped = (/** @type {string} */ text) =>
  text.replace(
    /[&<>"']/g,
    (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[sign]};`
  );
const amountOf = (/** @type {number} */ ns) => formatTime(ns).replace('µ', 'u');
const tenths = (/** @type {number} */ size) => `${Math.floor(size / 10)}.${size % 10}`;

/**
 * The sides that a card has, the new one first: what is known of their ticks, and the index of the
 * tick there, -1: it is not there.
 * @param {number} tick
 */
const sidesOf = (tick) => [
  { of: data.ticks, changes: model.changes, at: tick },
  ...(isCompared
    ? [
        {
          of: data.ticks.old,
          changes: model.oldChanges,
          at: data.ticks.old?.tick.indexOf(numberOfTick(tick)) ?? -1,
        },
      ]
    : []),
];
/** @typedef {ReturnType<typeof sidesOf>[0]} Side */

/** The place of a tick among those whose calls are known in order; -1: not there. */
const orderOf = (/** @type {Side} */ { of, at }) => columnOf(of.order, 'tick').indexOf(at);
export function hasCard(/** @type {number} */ tick) {
  const sides = tick < 0 ? [] : sidesOf(tick);
  return (
    sides.every(({ changes, at }) => changes && at >= 0) && sides.some((side) => orderOf(side) >= 0)
  );
}

/** The calls of a tick from left to right, and what functions took themselves. */
function layOutSide(/** @type {Side} */ side) {
  const { of, at } = side,
    order = orderOf(side),
    changes = /** @type {import('./report_model.js').Changes} */ (side.changes),
    tree = keepTicks(model.tree, changes, (bin) => bin === at),
    times = new Float64Array(functions.count);
  tree.func.forEach((func, node) => {
    if (node > 0) times[func] += tree.columns.self[node];
  });
  return {
    times,
    time: of.time_ns?.[at] ?? 0,
    ...(order < 0
      ? { what: 'calls of one call stack joined', tree, starts: layOut(tree.parent, tree.total) }
      : { what: 'in the order of time, with the recorder', ...orderInTick(of.order, order) }),
  };
}

/** @param {number} tick */
export function cardOf(tick) {
  const sides = sidesOf(tick).map(layOutSide),
    [{ times, time }, old] = sides,
    scale = Math.max(1, ...sides.map(({ tree }) => tree.total[0])),
    framesMax = old ? 60 : 120,
    columns = old ? 44 : 88;
  const files = new Float64Array(model.files.length);
  times.forEach((time, of) => {
    if (functions.kind[of] === 0) files[functions.file[of]] += time;
  });
  const largest = [...files.keys()].filter((file) => files[file] > 0);
  largest.sort((a, b) => files[b] - files[a]);
  const colorOf = (/** @type {number} */ of) => {
    const rank = largest.indexOf(functions.file[of]);
    return lightPalette.split(' ')[functions.kind[of] !== 0 ? 9 : rank < 0 ? 8 : Math.min(8, rank)];
  };
  const fitted = (/** @type {number} */ of, /** @type {number} */ columns) =>
    escaped(fitLabel(labelOf(of), nameOf(of), columns));
  const title =
    `${tickWords('Tick')} ${fullNameOfTick(tick)} took ${amountOf(time)}` +
    (old ? `, before ${amountOf(old.time)}` : '');
  let y = 94;
  const place = (/** @type {number} */ ns) => Math.floor((ns * (10 * plotWidth)) / scale);
  /** The longest calls of a side, of at least half a pixel. @param {typeof sides[0]} side */
  const panelOf = ({ tree: { func, depth, total }, starts, what }, which = '') => {
    const nodes = [...func.keys()].slice(1).filter((node) => depth[node] <= 9),
      lengths = nodes.map((node) => total[node]).sort((a, b) => b - a),
      least = Math.max(
        Math.floor(scale / (2 * plotWidth)) + 1,
        func.length - 1 > framesMax ? (lengths[framesMax] ?? 0) + 1 : 0
      ),
      drawn = nodes.filter((node) => total[node] >= least),
      at = y;
    y += 8 + Math.max(1, ...drawn.map((node) => depth[node])) * rowSize + lineHeight;
    return [
      quiet(at, `${which}${what}: ${amountOf(total[0])}`),
      '<g font-family="monospace" font-size="11" fill="#111">',
      ...drawn.map((node) => {
        const x = place(starts[node]),
          width = place(starts[node] + total[node]) - x,
          top = at + 8 + (depth[node] - 1) * rowSize,
          label = fitted(func[node], Math.floor((width - 60) / 66));
        return (
          `<rect x="${tenths(10 * edge + x)}" ` +
          `width="${tenths(width > 30 ? width - 5 : Math.max(5, width))}" ` +
          `y="${top}" height="${rowSize - 1}" fill="${colorOf(func[node])}"/>` +
          (label && `<text x="${tenths(10 * edge + x + 30)}" y="${top + 12}">${label}</text>`)
        );
      }),
      '</g>',
    ];
  };
  const quiet = (/** @type {number} */ at, /** @type {string} */ text) =>
    `<text x="${edge}" y="${at}" fill="#596170">${text}</text>`;
  const panels = old
    ? [...panelOf(old, 'before, '), ...panelOf(sides[0], 'now, ')]
    : panelOf(sides[0]);
  const own = y,
    most = (/** @type {number} */ of) => Math.max(times[of], old ? old.times[of] : 0),
    first = [...times.keys()]
      .filter((of) => most(of) > 0)
      .sort((a, b) => most(b) - most(a) || a - b)
      .slice(0, 5),
    nameAt = old ? 524 : 324;
  /** @type {(top: number, height: number, time: number, fill: string) => string} */
  const bar = (top, height, size, fill) =>
    `<rect x="${edge}" y="${y + top}" height="${height}" ` +
    `width="${tenths(Math.floor((2000 * Math.max(0, size)) / most(first[0])))}" fill="${fill}"/>`;
  const rows = first.map((of) => {
    y += lineHeight;
    return (
      bar(-10, 10, times[of], functions.kind[of] === 0 ? colorOf(of) : barGrey) +
      (old ? bar(0, 3, old.times[of], barGrey) : '') +
      `<text x="${nameAt - 16}" y="${y}" text-anchor="end">` +
      `${old ? `${amountOf(old.times[of])} to ` : ''}${amountOf(times[of])}</text>` +
      `<text x="${nameAt}" y="${y}" font-weight="600">${fitted(of, old ? 54 : 80)}</text>`
    );
  });
  y += lineHeight;
  const logs = [data.title, ...(old ? [data.old_title] : [])].map((log) =>
    escaped(fitStart(log, columns))
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="${y}" viewBox="0 0 960 ${y}" ` +
      'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#1a1d22">',
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${edge}" y="38" font-size="20" font-weight="600">${title}</text>`,
    quiet(62, `${logs.join(' compared with ')}; slow is more than ${formatLimit(data.budget_ns)}`),
    ...panels,
    quiet(own, 'time of their own'),
    ...rows,
    '</svg>\n',
  ].join('\n');
}

/** A card as a picture of pixels, two for each. @param {string} card */
async function pixelsOf(card) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(card)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return /** @type {Promise<Blob | null>} */ (new Promise((resolve) => canvas.toBlob(resolve)));
}

/** Saves the card of a tick. @param {number} tick @param {'svg' | 'png'} kind */
export async function saveCard(tick, kind) {
  const card = cardOf(tick),
    pixels = kind === 'png' ? await pixelsOf(card) : card;
  if (pixels) saveFile(`-tick-${numberOfTick(tick)}.card.${kind}`, pixels);
}
