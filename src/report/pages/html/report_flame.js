// report_flame.js - a flame graph on a canvas: as wide as its element, thousands of frames.

import { FlameView, fitLabel, layOut, sumMatches } from '../frames.js';
import { colorOfChange } from './report_format.js';

const rowHeight = 20,
  padding = 4,
  narrowest = 0.6;

/**
 * The tree has no lines. `values` of nodes are with all below them: their widths; `oldValues` of a
 * comparison colour the frames; `starts` are where nodes begin, else they are side by side.
 * `colorOf` is a number in frame_colors.css, a pale frame has the colour of its caller, and
 * `makeCard` makes what is shown beside the pointer.
 * @typedef {{tree: import('./report_model.js').Tree, values: Float64Array, starts?: Float64Array,
 * oldValues: Float64Array | null, nameOf: (func: number) => string, labelOf: (func: number) =>
 * string, colorOf: (node: number) => number, isPale: (node: number) => boolean, describe: (node:
 * number) => string, makeCard: ((node: number) => (Node | string)[]) | null, open: ((func: number)
 * => void) | null, openMenu: (func: number, node: number, x: number, y: number) => void, onZoom:
 * (node: number) => void, rootName: string, heightMax: number}} FlameOptions
 */

/** A flame graph. Colours and sizes follow the page's style. */
export class Flame {
  /** @param {FlameOptions} options */
  constructor(options) {
    const { tree, values } = options;
    this.options = options;
    this.view = new FlameView({
      parent: tree.parent,
      depth: tree.depth,
      start: options.starts ?? layOut(tree.parent, values),
      size: values,
      end: tree.end,
    });
    this.hovered = -1;
    /** The width of one. */
    this.letter = 0;
    this.width = 0;
    this.height = 0;
    this.isWaiting = false;
    /** @type {boolean[] | null} by function */
    this.matches = null;
    /** @type {(() => void) | null} */
    this.onPaint = null;
    /** @type {HTMLElement | undefined} */
    this.card = undefined;
    this.element = document.createElement('div');
    this.element.className = 'flame';
    this.spacer = this.element.appendChild(document.createElement('div'));
    this.canvas = this.element.appendChild(document.createElement('canvas'));
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute(
      'aria-label',
      'Flame graph. Arrow keys move, Enter zooms, Escape zooms out.'
    );
    this.status = document.createElement('p');
    this.status.className = 'flame-status';
    this.status.setAttribute('role', 'status');
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  resize(isPrinted = false) {
    const whole = this.view.rows * rowHeight + 1,
      ratio = window.devicePixelRatio || 1;
    if (this.element.clientWidth === 0) return;
    this.width = this.element.clientWidth;
    this.height = isPrinted
      ? Math.min(whole, 100 * rowHeight)
      : Math.min(whole, this.options.heightMax);
    this.element.style.height = `${this.height}px`;
    this.spacer.style.height = `${whole}px`;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    if (isPrinted) this.paint();
    else this.draw();
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
    const { tree, values, oldValues, colorOf, isPale } = this.options,
      { view, matches } = this;
    const context = this.canvas.getContext('2d');
    if (!context || this.width === 0) return;
    const style = getComputedStyle(this.element),
      colors = Array.from({ length: 10 }, (_, i) => style.getPropertyValue(`--frame-${i}`));
    const [quiet, match, frameText, accent] = [
        '--bar-quiet',
        '--match',
        '--frame-text',
        '--accent',
      ].map((name) => style.getPropertyValue(name)),
      { color: textColor } = style;
    const ratio = this.canvas.width / this.width,
      top = this.element.scrollTop,
      markedTo = new Float64Array(view.rows);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = '11.5px ui-monospace, "DejaVu Sans Mono", Consolas, Menlo, monospace';
    context.textBaseline = 'middle';
    this.letter ||= context.measureText('m').width;
    for (const { frame: node, x, width } of view.visible(this.width, narrowest)) {
      const func = tree.func[node],
        y = tree.depth[node] * rowHeight - top;
      if (y > this.height || y <= -rowHeight) continue;
      if (width < narrowest) {
        // One mark where there are many.
        if (x < markedTo[tree.depth[node]]) continue;
        markedTo[tree.depth[node]] = x + 0.5;
        context.globalAlpha = 0.5;
        context.fillStyle = quiet;
        context.fillRect(x, y, 0.5, rowHeight - 1);
        continue;
      }
      const isMatch = matches !== null && func >= 0 && matches[func],
        isDimmed = matches !== null && !isMatch;
      context.globalAlpha =
        (isDimmed ? 0.35 : view.isAbove(node) ? 0.55 : 1) *
        (isPale(node) && !isMatch && !oldValues ? 0.5 : 1);
      context.fillStyle = isMatch
        ? match
        : oldValues
          ? colorOfChange(values[node], oldValues[node], Math.max(values[0], oldValues[0]))
          : colors[colorOf(node)];
      context.fillRect(x, y, Math.max(narrowest, width - (width > 3 ? 1 : 0)), rowHeight - 1);
      context.globalAlpha = isDimmed ? 0.7 : 1;
      const text = this.fit(node, Math.floor((width - 2 * padding) / this.letter));
      if (text !== '') {
        context.fillStyle = isMatch
          ? '#fff'
          : isDimmed || (isPale(node) && !oldValues)
            ? textColor
            : oldValues
              ? '#111'
              : frameText;
        context.fillText(text, x + padding, y + rowHeight / 2);
      }
      if (
        node === this.hovered ||
        (node === view.current && document.activeElement === this.canvas)
      ) {
        context.globalAlpha = 1;
        context.strokeStyle = node === view.current ? accent : textColor;
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, Math.max(1, width - 3), rowHeight - 3);
      }
    }
    context.globalAlpha = 1;
    this.onPaint?.();
  }

  /** The label of a node, or as much as fits. @param {number} node @param {number} columns */
  fit(node, columns) {
    const { tree, nameOf, labelOf, rootName } = this.options,
      func = tree.func[node];
    if (columns < 3) return '';
    if (func < 0) return fitLabel(rootName, rootName, columns);
    const label = labelOf(func);
    return fitLabel(label, label.slice(0, nameOf(func).length), columns);
  }

  /** @param {number} x @param {number} y */
  nodeAt(x, y) {
    const { depth } = this.options.tree,
      wanted = Math.floor((y + this.element.scrollTop) / rowHeight);
    for (const { frame, x: left, width } of this.view.visible(this.width, narrowest))
      if (depth[frame] === wanted && x >= left && x < left + width) return frame;
    return -1;
  }

  /** @param {number} node */
  describe(node) {
    this.status.textContent = node < 0 ? '' : this.options.describe(node);
  }

  /** @param {number} node */
  zoomTo(node) {
    this.view.showAll(node);
    this.view.current = node;
    this.draw();
  }

  /** @param {number} node */
  focusNode(node) {
    if (node < 0) return;
    const { view } = this,
      { start, size, depth } = view.frames;
    view.current = node;
    view.from = Math.min(view.from, start[node]);
    view.to = Math.max(view.to, start[node] + size[node]);
    const y = depth[node] * rowHeight,
      scroll = this.element.scrollTop;
    if (y < scroll) this.element.scrollTop = y;
    else if (y + rowHeight > scroll + this.height)
      this.element.scrollTop = y + rowHeight - this.height;
    this.describe(node);
    this.draw();
  }

  /** @param {number} factor @param {number} x */
  magnify(factor, x) {
    const { from, to } = this.view;
    this.showPart(from + (x / this.width) * (to - from) * (1 - factor), (to - from) * factor);
  }

  /**
   * Shows a part of the whole.
   * @param {number} from
   * @param {number} size in the unit of the values
   */
  showPart(from, size) {
    const { view } = this,
      all = this.options.values[0] || 1,
      shown = Math.min(all, Math.max(all * 1e-7, size));
    view.from = Math.max(0, Math.min(all - shown, from));
    view.to = view.from + shown;
    this.draw();
  }

  /** The card beside the pointer. @param {number} node @param {MouseEvent | null} event */
  showCard(node, event) {
    const { makeCard } = this.options;
    if (!makeCard) return;
    this.card ??= this.element.parentElement?.appendChild(
      Object.assign(document.createElement('div'), { className: 'card' })
    );
    if (!this.card) return;
    this.card.hidden = node <= 0 || !event;
    if (node <= 0 || !event) return;
    this.card.replaceChildren(...makeCard(node));
    this.card.style.left =
      Math.max(4, Math.min(event.clientX + 14, window.innerWidth - this.card.offsetWidth - 8)) +
      'px';
    this.card.style.top =
      (event.clientY + 18 + this.card.offsetHeight > window.innerHeight
        ? event.clientY - this.card.offsetHeight - 10
        : event.clientY + 18) + 'px';
  }

  listen() {
    const { canvas, element } = this;
    const nodeOf = (/** @type {MouseEvent} */ event) => this.nodeAt(event.offsetX, event.offsetY);
    element.onscroll = () => this.draw();
    // For print: at once, and all rows.
    canvas.addEventListener('redraw', () =>
      this.resize(document.documentElement.classList.contains('printed'))
    );
    canvas.onmousemove = (event) => {
      const node = nodeOf(event);
      this.showCard(node, event);
      if (node === this.hovered) return;
      canvas.style.cursor = node < 0 ? 'default' : 'pointer';
      this.hover(node);
    };
    canvas.onmouseleave = () => {
      this.hover(-1);
      this.showCard(-1, null);
    };
    canvas.onclick = (event) => {
      const node = nodeOf(event);
      if (node >= 0) this.choose(node);
    };
    canvas.oncontextmenu = (event) => {
      const node = nodeOf(event);
      if (node <= 0) return;
      event.preventDefault();
      this.options.openMenu(this.options.tree.func[node], node, event.clientX, event.clientY);
    };
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
        event.preventDefault();
        this.magnify(event.deltaY < 0 ? 0.8 : 1.25, event.offsetX);
      },
      { passive: false }
    );
    canvas.onfocus = canvas.onblur = () => this.draw();
    canvas.onkeydown = (event) => this.onKey(event);
  }

  /** @param {number} node */
  hover(node) {
    this.hovered = node;
    this.describe(node);
    this.draw();
  }

  /** Zooms as a step of the reader. @param {number} node */
  choose(node) {
    this.zoomTo(node);
    this.options.onZoom(node);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = this.view.current;
    if (/^Arrow|^Home$/.test(event.key)) {
      this.focusNode(this.view.next(event.key, (frame) => this.options.values[frame] > 0));
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(node);
    } else if (event.key === 'Escape' && this.view.zoom !== 0) {
      this.choose(0);
    } else if (/^[+w]$/.test(event.key) || /^[-s]$/.test(event.key)) {
      this.magnify(/^[+w]$/.test(event.key) ? 0.8 : 1.25, this.width / 2);
    } else if (event.key === 'a' || event.key === 'd') {
      const size = this.view.to - this.view.from;
      this.showPart(this.view.from + (event.key === 'a' ? -0.25 : 0.25) * size, size);
    } else if (event.key === 'o' && node > 0 && this.options.open) {
      this.options.open(this.options.tree.func[node]);
    } else if (event.key === 'm' && node > 0) {
      const box = this.canvas.getBoundingClientRect();
      this.options.openMenu(this.options.tree.func[node], node, box.left + 40, box.top + 40);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Marks the functions of a search, and says how many frames they are.
   * @param {boolean[] | null} matches
   */
  search(matches) {
    const { tree, values } = this.options;
    this.matches = matches;
    this.draw();
    return sumMatches(tree.parent, values, (node) => matches !== null && matches[tree.func[node]]);
  }
}
