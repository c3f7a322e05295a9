// report_flame.js - a flame graph on a canvas: as wide as its element, thousands of frames.

import { colorOfChange, colorOfFile } from './report_format.js';

const rowHeight = 19, padding = 4, narrowest = 0.6;

/**
 * @typedef {object} FlameOptions
 * @property {import('./report_model.js').Tree} tree without lines
 * @property {Float64Array} values what each node has with all below it, of which it is as wide
 * @property {Float64Array | null} oldValues of a comparison, which then colours the frames
 * @property {(func: number) => string} nameOf
 * @property {(func: number) => string} labelOf
 * @property {(func: number) => string} fileOf "" for what is no Lua function
 * @property {(node: number) => string} describe
 * @property {(func: number, node: number, x: number, y: number) => void} openMenu
 * @property {(node: number) => void} onZoom
 * @property {string} rootName
 * @property {number} heightMax
 * @property {(text: string) => void} onMatched
 */

/** The nodes' starts, as a flame graph has them: siblings side by side. */
function layOut(/** @type {FlameOptions} */ { tree, values }) {
  const starts = new Float64Array(tree.count), next = new Float64Array(tree.count);
  for (let node = 1; node < tree.count; node++) {
    const parent = tree.parent[node];
    starts[node] = next[parent];
    next[parent] += values[node];
    next[node] = starts[node];
  }
  return starts;
}

/** A flame graph. Colours and sizes follow the page's style. */
export class Flame {
  /** @param {FlameOptions} options */
  constructor(options) {
    this.options = options;
    this.starts = layOut(options);
    this.rows = 1 + options.tree.depth.reduce((most, depth) => Math.max(most, depth), 0);
    this.zoom = 0;
    this.from = 0;
    this.to = options.values[0] || 1;
    this.current = 0;
    this.hovered = -1;
    this.letter = 0; // width of one
    this.isWaiting = false;
    /** @type {Uint8Array | null} by function */
    this.matches = null;
    /** @type {Map<number, string>} */
    this.colors = new Map();
    this.element = document.createElement('div');
    this.element.className = 'flame';
    this.spacer = this.element.appendChild(document.createElement('div'));
    this.canvas = this.element.appendChild(document.createElement('canvas'));
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'Flame graph. Arrow keys move, Enter zooms, Escape zooms out.');
    this.status = document.createElement('p');
    this.status.className = 'flame-status';
    this.status.setAttribute('role', 'status');
    this.listen();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
  }

  resize() {
    const width = this.element.clientWidth, height = Math.min(this.rows * rowHeight + 1, this.options.heightMax);
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    this.element.style.height = `${height}px`;
    this.spacer.style.height = `${this.rows * rowHeight + 1}px`;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.ratio = ratio;
    this.draw();
  }

  /** @param {number} func */
  colorOf(func) {
    const file = func < 0 ? '' : this.options.fileOf(func);
    const known = this.colors.get(func);
    if (known) return known;
    const color = func < 0 ? '#dcdcdc' : file === '' ? '#cfcfd4' : colorOfFile(file);
    this.colors.set(func, color);
    return color;
  }

  draw() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.paint();
    });
  }

  paint() {
    const { tree, values, oldValues } = this.options;
    const context = this.canvas.getContext('2d');
    if (!context || !this.width) return;
    const style = getComputedStyle(this.element), isDark = style.getPropertyValue('--is-dark').trim() === '1';
    const scale = this.width / (this.to - this.from), top = this.element.scrollTop;
    context.setTransform(this.ratio ?? 1, 0, 0, this.ratio ?? 1, 0, 0);
    context.clearRect(0, 0, this.width, this.height ?? 0);
    context.font = '11.5px ui-monospace, "DejaVu Sans Mono", Consolas, Menlo, monospace';
    context.textBaseline = 'middle';
    this.letter ||= context.measureText('m').width;
    const all = values[0];
    for (let node = 0; node < tree.count;) {
      const start = this.starts[node], end = start + values[node];
      const x = Math.max(0, (start - this.from) * scale), right = Math.min(this.width, (end - this.from) * scale);
      const y = tree.depth[node] * rowHeight - top;
      if (right <= 0 || x >= this.width || right - x < narrowest || y > (this.height ?? 0)) {
        if (right - x > 0 && right - x < narrowest && y <= (this.height ?? 0)) this.paintSmall(context, x, y, isDark);
        node = tree.end[node];
        continue;
      }
      if (y > -rowHeight) {
        const func = tree.func[node], isMatch = this.matches && func >= 0 && this.matches[func];
        context.globalAlpha = this.matches && !isMatch ? 0.35 : tree.depth[node] < tree.depth[this.zoom] ? 0.55 : 1;
        context.fillStyle = isMatch ? (isDark ? '#8b5cf6' : '#5b21b6')
          : oldValues ? colorOfChange(values[node], oldValues[node], Math.max(all, oldValues[0])) : this.colorOf(func);
        context.fillRect(x, y, Math.max(narrowest, right - x - (right - x > 3 ? 1 : 0)), rowHeight - 1);
        context.globalAlpha = this.matches && !isMatch ? 0.7 : 1;
        const text = this.fit(node, Math.floor((right - x - 2 * padding) / this.letter));
        if (text !== '') {
          context.fillStyle = isMatch ? '#fff' : this.matches && isDark ? '#e4e6ea' : '#16181d';
          context.fillText(text, x + padding, y + rowHeight / 2);
        }
        if (node === this.hovered || (node === this.current && document.activeElement === this.canvas)) {
          context.globalAlpha = 1;
          context.strokeStyle = node === this.current ? style.getPropertyValue('--accent') : style.color;
          context.lineWidth = 2;
          context.strokeRect(x + 1, y + 1, Math.max(1, right - x - 3), rowHeight - 3);
        }
      }
      node++;
    }
    context.globalAlpha = 1;
  }

  /**
   * What is too small to be a box of its own is a grey mark.
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   * @param {number} y
   * @param {boolean} isDark
   */
  paintSmall(context, x, y, isDark) {
    context.globalAlpha = 0.5;
    context.fillStyle = isDark ? '#5c626c' : '#b9bec6';
    context.fillRect(x, y, 0.5, rowHeight - 1);
  }

  /**
   * @param {number} node
   * @param {number} columns
   */
  fit(node, columns) {
    const func = this.options.tree.func[node];
    const name = func < 0 ? this.options.rootName : this.options.nameOf(func);
    const label = func < 0 ? name : this.options.labelOf(func);
    if (columns < 3) return '';
    if (label.length <= columns) return label;
    const place = label.startsWith(`${name} `) ? label.slice(name.length + 1) : '';
    const line = /:\d+$/.exec(place)?.[0] ?? '';
    if (name === '?' && line !== '') return line.length < columns ? `…${place.slice(Math.max(0, place.length - columns + 1))}` : '';
    if (line !== '' && name.length + 2 + line.length <= columns) return `${name} …${place.slice(name.length + 2 - columns)}`;
    return name.length <= columns ? name : `${name.slice(0, columns - 1)}…`;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  nodeAt(x, y) {
    const { tree, values } = this.options;
    const wanted = Math.floor((y + this.element.scrollTop) / rowHeight);
    const value = this.from + (x / (this.width ?? 1)) * (this.to - this.from);
    for (let node = 0; node < tree.count;) {
      const isIn = value >= this.starts[node] && value < this.starts[node] + values[node];
      if (isIn && tree.depth[node] === wanted) return node;
      node = isIn ? node + 1 : tree.end[node];
    }
    return -1;
  }

  /** @param {number} node */
  describe(node) {
    this.status.textContent = node < 0 ? '' : this.options.describe(node);
  }

  /** @param {number} node */
  zoomTo(node) {
    this.zoom = node;
    this.current = node;
    this.from = this.starts[node];
    this.to = this.from + (this.options.values[node] || 1);
    this.draw();
  }

  /** @param {number} node */
  focusNode(node) {
    if (node < 0) return;
    this.current = node;
    const { values, tree } = this.options;
    if (this.starts[node] < this.from || this.starts[node] + values[node] > this.to) {
      this.from = Math.min(this.from, this.starts[node]);
      this.to = Math.max(this.to, this.starts[node] + values[node]);
    }
    const y = tree.depth[node] * rowHeight, scroll = this.element.scrollTop;
    if (y < scroll) this.element.scrollTop = y;
    else if (y + rowHeight > scroll + (this.height ?? 0)) this.element.scrollTop = y + rowHeight - (this.height ?? 0);
    this.describe(node);
    this.draw();
  }

  /**
   * @param {number} node
   * @param {number} step
   */
  sibling(node, step) {
    const { tree, values } = this.options, parent = tree.parent[node];
    if (node === 0) return -1;
    const siblings = [];
    for (let at = parent + 1; at < tree.end[parent]; at = tree.end[at]) if (values[at] > 0) siblings.push(at);
    return siblings[siblings.indexOf(node) + step] ?? -1;
  }

  /** @param {number} node */
  widestChild(node) {
    const { tree, values } = this.options;
    let best = -1;
    for (let at = node + 1; at < tree.end[node]; at = tree.end[at])
      if (values[at] > 0 && (best < 0 || values[at] > values[best])) best = at;
    return best;
  }

  /**
   * @param {number} factor
   * @param {number} x
   */
  magnify(factor, x) {
    const all = this.options.values[0] || 1, at = this.from + (x / (this.width ?? 1)) * (this.to - this.from);
    const size = Math.min(all, Math.max(all * 1e-7, (this.to - this.from) * factor));
    this.from = Math.max(0, Math.min(all - size, at - (at - this.from) * (size / (this.to - this.from))));
    this.to = this.from + size;
    this.draw();
  }

  listen() {
    const { canvas, element } = this;
    const place = (/** @type {MouseEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    element.addEventListener('scroll', () => this.draw());
    canvas.addEventListener('mousemove', (event) => {
      const { x, y } = place(event), node = this.nodeAt(x, y);
      if (node === this.hovered) return;
      this.hovered = node;
      canvas.style.cursor = node < 0 ? 'default' : 'pointer';
      this.describe(node);
      this.draw();
    });
    canvas.addEventListener('mouseleave', () => {
      this.hovered = -1;
      this.describe(-1);
      this.draw();
    });
    canvas.addEventListener('click', (event) => {
      const { x, y } = place(event), node = this.nodeAt(x, y);
      if (node < 0) return;
      this.zoomTo(node);
      this.options.onZoom(node);
    });
    canvas.addEventListener('contextmenu', (event) => {
      const { x, y } = place(event), node = this.nodeAt(x, y);
      if (node <= 0) return;
      event.preventDefault();
      this.options.openMenu(this.options.tree.func[node], node, event.clientX, event.clientY);
    });
    canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      this.magnify(event.deltaY < 0 ? 0.8 : 1.25, place(event).x);
    }, { passive: false });
    for (const kind of ['focus', 'blur']) canvas.addEventListener(kind, () => this.draw());
    canvas.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { tree } = this.options, node = this.current;
    const steps = /** @type {Record<string, () => number>} */ ({
      ArrowDown: () => this.widestChild(node),
      ArrowUp: () => (node > 0 ? tree.parent[node] : -1),
      ArrowLeft: () => this.sibling(node, -1),
      ArrowRight: () => this.sibling(node, 1),
      Home: () => 0,
    });
    if (steps[event.key]) {
      this.focusNode(steps[event.key]());
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.zoomTo(node);
      this.options.onZoom(node);
    } else if (event.key === 'Escape' && this.zoom !== 0) {
      this.zoomTo(0);
      this.options.onZoom(0);
    } else if (event.key === '+' || event.key === '-') {
      this.magnify(event.key === '+' ? 0.8 : 1.25, (this.width ?? 0) / 2);
    } else if (event.key === 'm' && node > 0) {
      const box = this.canvas.getBoundingClientRect();
      this.options.openMenu(tree.func[node], node, box.left + 40, box.top + 40);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Marks the functions of a search and returns how much of the whole they are, each stack once.
   * @param {Uint8Array | null} matches
   */
  search(matches) {
    const { tree, values } = this.options;
    let sum = 0, count = 0;
    this.matches = matches;
    for (let node = 1, until = 0; matches && node < tree.count; node++) {
      if (!matches[tree.func[node]]) continue;
      count++;
      if (node < until) continue;
      until = tree.end[node];
      sum += values[node];
    }
    this.draw();
    return { part: values[0] > 0 ? sum / values[0] : 0, count };
  }
}
