// frames.js - what the flame graphs of pictures (svg/flame_graph.js) and of pages
// (html/report_flame.js) share: where frames are, labels that fit, the search, and the frame that a
// key leads to.

/**
 * Frames, parents before their children, depth first. By number; 0 is the root, which is all.
 * @typedef {object} Frames
 * @property {ArrayLike<number>} parent
 * @property {ArrayLike<number>} depth 0 for the root
 * @property {ArrayLike<number>} start where a frame begins, in the unit of the sizes
 * @property {ArrayLike<number>} size
 * @property {ArrayLike<number>} end the first frame that is not below
 */

/* Labels ----------------------------------------------------------------------------------- */

// A font may show a character outside ASCII twice as wide. As in page_text.c.
const columnsOf = (/** @type {string} */ text) =>
  /^[\0-\x7f]*$/.test(text)
    ? text.length
    : Array.from(text).reduce((sum, character) => sum + (character < '\x80' ? 1 : 2), 0);

/** @param {string} text @param {number} columns */
export function fitStart(text, columns) {
  if (columns < 3) return '';
  if (columnsOf(text) <= columns) return text;
  let kept = 0,
    used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used >= columns) break;
    kept += character.length;
  }
  return `${text.slice(0, kept)}…`;
}

/** @param {string} text @param {number} columns */
function fitEnd(text, columns) {
  let from = 0,
    left = columnsOf(text);
  for (const character of text) {
    if (left < columns) break;
    left -= columnsOf(character);
    from += character.length;
  }
  return `…${text.slice(from)}`;
}

/**
 * As page_put_fitted_label(): the name stays as long as it can, and of the place its end, with the
 * line.
 * @param {string} label
 * @param {string} name with which the label begins
 * @param {number} columns
 */
export function fitLabel(label, name, columns) {
  const place = label.slice(name.length + 1);
  if (columns < 3 || place === '' || columnsOf(label) <= columns) return fitStart(label, columns);
  const line = /:\d+$/.exec(place)?.[0] ?? '';
  if (name === '?')
    return line === ''
      ? fitStart(place, columns)
      : line.length < columns
        ? fitEnd(place, columns)
        : '';
  const left = columns - columnsOf(name) - 1;
  return line !== '' && line.length < left
    ? `${name} ${fitEnd(place, left)}`
    : fitStart(name, columns);
}

/* The search ------------------------------------------------------------------------------- */

/** Which labels hold a text, in any letter case. @param {string[]} labels @param {string} text */
export function findLabels(labels, text) {
  const wanted = text.toLowerCase();
  return labels.map((label) => label.toLowerCase().includes(wanted));
}

/**
 * How many frames match, and which part of the whole they are: a frame within another counts once.
 * @param {ArrayLike<number>} parent of frames, in which parents are before their children
 * @param {ArrayLike<number>} size
 * @param {(frame: number) => boolean} isMatch
 */
export function sumMatches(parent, size, isMatch) {
  const isWithin = new Uint8Array(parent.length);
  let sum = 0,
    count = 0;
  for (let frame = 1; frame < parent.length; frame++) {
    const isFound = isMatch(frame);
    isWithin[frame] = Number(isFound || isWithin[parent[frame]]);
    if (isFound && !isWithin[parent[frame]]) sum += size[frame];
    count += Number(isFound);
  }
  return {
    count,
    sum,
    text:
      `${((100 * sum) / (size[0] || 1)).toFixed(1)}% ` +
      `in ${count} ${count === 1 ? 'frame' : 'frames'}`,
  };
}

/* The view --------------------------------------------------------------------------------- */

/**
 * The starts of frames side by side.
 * @param {ArrayLike<number>} parent
 * @param {ArrayLike<number>} size
 */
export function layOut(parent, size) {
  const start = new Float64Array(parent.length),
    next = new Float64Array(parent.length);
  for (let frame = 1; frame < parent.length; frame++) {
    start[frame] = next[frame] = next[parent[frame]];
    next[parent[frame]] += size[frame];
  }
  return start;
}

/** A part of the frames: those of a row of values, as the one that is zoomed has. */
export class FlameView {
  /** @param {Frames} frames */
  constructor(frames) {
    this.frames = frames;
    this.rows = 1;
    for (let frame = 1; frame < frames.depth.length; frame++)
      this.rows = Math.max(this.rows, 1 + frames.depth[frame]);
    this.zoom = 0;
    this.from = 0;
    this.to = 0;
    this.current = 0;
    this.showAll(0);
  }

  /** @param {number} frame */
  showAll(frame) {
    this.zoom = frame;
    this.from = this.frames.start[frame];
    this.to = this.from + (this.frames.size[frame] || 1);
  }

  /**
   * The frames with a part in the view, and their places in this width. Those below one that is too
   * narrow to be drawn are left out.
   * @param {number} width
   * @param {number} narrowest
   */
  *visible(width, narrowest) {
    const { start, size, end } = this.frames,
      scale = width / (this.to - this.from);
    for (let frame = 0; frame < end[0];) {
      const x = Math.max(0, (start[frame] - this.from) * scale);
      const right =
        frame === this.zoom
          ? width
          : Math.min(width, (start[frame] + size[frame] - this.from) * scale);
      if (right > x) yield { frame, x, width: right - x };
      frame = right - x < narrowest ? end[frame] : frame + 1;
    }
  }

  /** @param {number} frame */
  isAbove(frame) {
    return this.frames.depth[frame] < this.frames.depth[this.zoom];
  }

  /** @param {number} frame */
  childrenOf(frame) {
    const { end } = this.frames,
      children = [];
    for (let child = frame + 1; child < end[frame]; child = end[child]) children.push(child);
    return children;
  }

  /**
   * The frame that an arrow key leads to from the current one, or -1. Down is to the widest child.
   * @param {string} key
   * @param {(frame: number) => boolean} isShown
   */
  next(key, isShown) {
    const { parent, size } = this.frames,
      at = this.current;
    if (key === 'Home') return 0;
    if (key === 'ArrowDown')
      return this.childrenOf(at)
        .filter(isShown)
        .reduce((best, child) => (best < 0 || size[child] > size[best] ? child : best), -1);
    if (at === 0) return -1;
    if (key === 'ArrowUp') return parent[at];
    const siblings = this.childrenOf(parent[at]).filter(isShown);
    return siblings[siblings.indexOf(at) + (key === 'ArrowLeft' ? -1 : 1)] ?? -1;
  }
}
