// report_card.js - a tick as a card, to post in a chat: the picture that card.c makes, to the byte.

import { fitLabel, fitStart } from '../frames.js';
import { formatLimit, formatTime } from './report_format.js';
import { orderInTick } from './report_model.js';
import {
  data,
  fullNameOfTick,
  functions,
  labelOf,
  model,
  nameOf,
  numberOfTick,
  tickWords,
  timeOfTick,
} from './report_data.js';
import { saveFile } from './report_elements.js';

const edge = 24,
  plotWidth = 912,
  rowSize = 17,
  lineHeight = 24,
  barGrey = '#aab2bd';
/** Those of palette.css on white. */
const lightPalette =
  '#5186bf #c2844c #3f9267 #c47ba4 #8a78be #9a9441 #00909d #ce7b71 #c6cbd3 #e2e5ea';

const escaped = (/** @type {string} */ text) =>
  text.replace(
    /[&<>"']/g,
    (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[sign]};`
  );
const amountOf = (/** @type {number} */ ns) => formatTime(ns).replace('µ', 'u');
const tenths = (/** @type {number} */ size) => `${Math.floor(size / 10)}.${size % 10}`;

/** The place of a tick among those whose calls are known in order; -1: not there. */
const orderOf = (/** @type {number} */ tick) => data.ticks?.order?.tick.indexOf(tick) ?? -1;
export const hasCard = (/** @type {number} */ tick) => orderOf(tick) >= 0 && model.changes !== null;

/** What functions took themselves in a tick. @param {number} tick */
function selfTimes(tick) {
  const { counts, node, self } = /** @type {import('./report_model.js').Changes} */ (model.changes),
    times = new Float64Array(functions.count);
  let at = counts.subarray(0, tick).reduce((sum, count) => sum + count, 0);
  for (const end = at + counts[tick]; at < end; at++)
    if (node[at] > 0) times[model.tree.func[node[at]]] += self[at];
  return times;
}

/** @param {number} tick */
export function cardOf(tick) {
  const { tree, starts } = orderInTick(data.ticks.order, orderOf(tick)),
    { func, depth, total } = tree,
    times = selfTimes(tick),
    scale = Math.max(1, total[0]);
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
  const title = `${tickWords('Tick')} ${fullNameOfTick(tick)} took ${amountOf(timeOfTick(tick))}`;
  // The 120 longest calls, of at least half a pixel.
  const nodes = [...func.keys()].slice(1).filter((node) => depth[node] <= 9),
    lengths = nodes.map((node) => total[node]).sort((a, b) => b - a),
    least = Math.max(
      Math.floor(scale / (2 * plotWidth)) + 1,
      func.length - 1 > 120 ? (lengths[120] ?? 0) + 1 : 0
    ),
    drawn = nodes.filter((node) => total[node] >= least);
  let y = 94;
  const place = (/** @type {number} */ ns) => Math.floor((ns * (10 * plotWidth)) / scale);
  const frames = drawn.map((node) => {
    const x = place(starts[node]),
      width = place(starts[node] + total[node]) - x,
      top = y + 8 + (depth[node] - 1) * rowSize,
      label = fitted(func[node], Math.floor((width - 60) / 66));
    return (
      `<rect x="${tenths(10 * edge + x)}" ` +
      `width="${tenths(width > 30 ? width - 5 : Math.max(5, width))}" ` +
      `y="${top}" height="${rowSize - 1}" fill="${colorOf(func[node])}"/>` +
      (label && `<text x="${tenths(10 * edge + x + 30)}" y="${top + 12}">${label}</text>`)
    );
  });
  const order = y;
  y += 8 + Math.max(1, ...drawn.map((node) => depth[node])) * rowSize + lineHeight;
  const own = y,
    first = [...times.keys()]
      .filter((of) => times[of] > 0)
      .sort((a, b) => times[b] - times[a] || a - b)
      .slice(0, 5);
  const rows = first.map((of) => {
    y += lineHeight;
    const size = Math.floor((2000 * Math.max(0, times[of])) / times[first[0]]);
    return (
      `<rect x="${edge}" y="${y - 10}" height="10" width="${tenths(size)}" ` +
      `fill="${functions.kind[of] === 0 ? colorOf(of) : barGrey}"/>` +
      `<text x="308" y="${y}" text-anchor="end">${amountOf(times[of])}</text>` +
      `<text x="324" y="${y}" font-weight="600">${fitted(of, 80)}</text>`
    );
  });
  y += lineHeight;
  const quiet = (/** @type {number} */ at, /** @type {string} */ text) =>
    `<text x="${edge}" y="${at}" fill="#596170">${text}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="${y}" viewBox="0 0 960 ${y}" ` +
      'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#1a1d22">',
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${edge}" y="38" font-size="20" font-weight="600">${title}</text>`,
    quiet(
      62,
      `${escaped(fitStart(data.title, 88))}; slow is more than ${formatLimit(data.budget_ns)}`
    ),
    quiet(order, `in the order of time, with the recorder: ${amountOf(total[0])}`),
    '<g font-family="monospace" font-size="11" fill="#111">',
    ...frames,
    '</g>',
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
