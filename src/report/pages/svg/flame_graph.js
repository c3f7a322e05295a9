// flame_graph.js - the script of a flame graph as SVG: see embedded.h. svg.c says what the document
// has.

import { FlameView, findLabels, fitLabel, sumMatches } from '../frames.js';

const SVG = 'http://www.w3.org/2000/svg',
  HTML = 'http://www.w3.org/1999/xhtml';
const narrowest = 0.1,
  textMargin = 3;
const svg = /** @type {SVGSVGElement} */ (
  /** @type {SVGScriptElement} */ (document.currentScript).ownerSVGElement
);
/** @param {string} id @returns {any} the element */
const byId = (id) => svg.getElementById(id);
const group = byId('frames'),
  notes = byId('notes'),
  legend = byId('legend'),
  rows = Number(group.dataset.rows);
const margin = Number(group.dataset.margin),
  rowHeight = Number(group.dataset.rowHeight),
  columnWidth = Number(group.dataset.columnWidth);

/* Frames ----------------------------------------------------------------------------------- */

const elements = /** @type {SVGGElement[]} */ (Array.from(group.children));
const texts = elements.map((element) => element.querySelector('text'));
const numbers = (/** @type {string} */ name) =>
  elements.map(({ dataset }) => Number(dataset[name]));
const depth = numbers('depth'),
  labels = elements.map(({ dataset }) => dataset.label ?? '');
const names = elements.map(({ dataset }) =>
  Array.from(dataset.label ?? '')
    .slice(0, Number(dataset.name))
    .join('')
);
const size = elements.map(({ dataset }) => Number(dataset.size ?? dataset.total));
/** @type {number[]} */
const parent = [],
  end = elements.map((_, frame) => frame + 1),
  path = [0];
depth.forEach((row, frame) => {
  parent[frame] = row > 0 ? path[row - 1] : 0;
  path[row] = frame;
});
for (let frame = elements.length - 1; frame > 0; frame--)
  end[parent[frame]] = Math.max(end[parent[frame]], end[frame]);
const view = new FlameView({ parent, depth, start: numbers('from'), size, end });
const isFlameAtFirst = group.dataset.orientation === 'flame';
let isFlame = isFlameAtFirst,
  width = 0,
  top = 0;
/** @type {Set<number>} */
let shown = new Set(elements.keys());
const isShown = (/** @type {number} */ frame) => shown.has(frame);

/* What a search looks at: all frames, and those that are too narrow to be drawn. */
const leftOut = JSON.parse(byId('left-out').textContent);
const soughtParent = [...parent],
  soughtSize = [...size],
  soughtLabel = [...labels.keys()];
const soughtLabels = [...labels, ...leftOut.labels];
for (let i = 0; i < leftOut.frames.length; i += 3) {
  soughtParent.push(leftOut.frames[i]);
  soughtLabel.push(labels.length + leftOut.frames[i + 1]);
  soughtSize.push(leftOut.frames[i + 2]);
}

/* Drawing ---------------------------------------------------------------------------------- */

/** @param {Element} element @param {Record<string, string | number>} attributes */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** @param {number} frame @param {number} x @param {number} room */
function place(frame, x, room) {
  const y = top + rowHeight * (isFlame ? rows - 1 - depth[frame] : depth[frame]);
  const label = fitLabel(
    labels[frame],
    names[frame],
    Math.floor((room - 2 * textMargin) / columnWidth)
  );
  set(/** @type {SVGRectElement} */ (elements[frame].querySelector('rect')), {
    x: x.toFixed(2),
    y,
    width: (room < 3 ? room : room - 0.5).toFixed(2),
  });
  if (!texts[frame] && label !== '')
    texts[frame] = elements[frame].appendChild(document.createElementNS(SVG, 'text'));
  const text = texts[frame];
  if (!text) return;
  set(text, { x: (x + textMargin).toFixed(2), y: y + 12 });
  text.textContent = label;
}

function draw() {
  const before = shown;
  shown = new Set();
  for (const { frame, x, width: room } of view.visible(width - 2 * margin, narrowest)) {
    if (room < narrowest && frame !== 0) continue;
    shown.add(frame);
    elements[frame].style.display = '';
    elements[frame].classList.toggle('above', view.isAbove(frame));
    place(frame, margin + x, room);
  }
  for (const frame of before) if (!isShown(frame)) elements[frame].style.display = 'none';
  reset.disabled = view.zoom === 0;
  turn.textContent = isFlame ? 'Root to the top' : 'Root to the bottom';
}

/** @param {string} text */
function find(text) {
  const isFound = text === '' ? soughtLabels.map(() => false) : findLabels(soughtLabels, text);
  const isMatch = (/** @type {number} */ frame) => frame > 0 && isFound[soughtLabel[frame]];
  const narrow = soughtLabel.reduce(
    (count, label, frame) => count + Number(frame >= elements.length && isFound[label]),
    0
  );
  elements.forEach((element, frame) => element.classList.toggle('match', isMatch(frame)));
  group.classList.toggle('searched', text !== '');
  matched.textContent =
    text === ''
      ? ''
      : (leftOut.unlisted > 0 ? 'at least ' : '') +
        sumMatches(soughtParent, soughtSize, isMatch).text +
        (narrow > 0 ? `, ${narrow} too narrow to be drawn` : '');
}

/* The page around it ----------------------------------------------------------------------- */

/**
 * @param {Element} into
 * @param {string} name
 * @param {string} [id]
 * @param {string} [text]
 * @returns {any}
 */
function make(into, name, id, text) {
  const element = into.appendChild(document.createElementNS(HTML, name));
  if (id) element.id = id;
  if (text) element.textContent = text;
  return element;
}

/** @param {string} id @returns {HTMLElement} */
function makePage(id) {
  const object = svg.insertBefore(document.createElementNS(SVG, 'foreignObject'), group);
  object.id = id;
  const page = make(object, 'div');
  page.className = 'page';
  return page;
}

/** Hides what the page has instead, and returns its text. @param {string} id @returns {string} */
function replace(id) {
  byId(id).classList.add('replaced');
  return byId(id).textContent;
}

const header = makePage('controls');
make(header, 'h1', '', replace('title'));
make(header, 'p', '', replace('summary'));
const bar = make(header, 'div');
bar.className = 'bar';
const search = make(bar, 'input', 'search'),
  reset = make(bar, 'button', 'reset', 'Reset zoom (Esc)');
const turn = make(bar, 'button', 'turn'),
  matched = make(bar, 'span', 'matched');
const details = make(header, 'p', 'details');
set(search, { type: 'search', placeholder: 'Search (/)', 'aria-label': 'Search functions' });
matched.setAttribute('role', 'status');

const footer = makePage('footer');
for (const note of notes.children) make(footer, 'p', '', note.textContent);
const list = make(footer, 'ul');
for (const entry of legend.children) {
  const item = make(list, 'li'),
    picture = item.appendChild(document.createElementNS(SVG, 'svg'));
  // The same rectangle: the style gives it its colour in the dark, too.
  set(picture.appendChild(entry.querySelector('rect').cloneNode()), { x: 0, y: 0 });
  set(picture, { width: 11, height: 11 });
  item.append(entry.querySelector('text').textContent);
}
replace('notes');
replace('legend');

function resize() {
  const objects = [header, footer].map((page) => /** @type {Element} */ (page.parentNode));
  width = Math.max(300, window.innerWidth || svg.getBoundingClientRect().width);
  for (const object of objects) set(object, { width, height: 10000 });
  const headerHeight = header.offsetHeight,
    footerHeight = footer.offsetHeight;
  top = headerHeight;
  set(objects[0], { height: headerHeight });
  set(objects[1], { y: top + rows * rowHeight, height: footerHeight });
  set(svg, { width, height: top + rows * rowHeight + footerHeight });
  draw();
}

/* The state is in the address, so that a view is a link and Back works. -------------------- */

function show() {
  const state = new URLSearchParams();
  if (view.zoom !== 0) state.set('zoom', String(view.zoom));
  if (search.value !== '') state.set('search', search.value);
  if (isFlame !== isFlameAtFirst) state.set('root', isFlame ? 'bottom' : 'top');
  if (state.toString() !== window.location.hash.slice(1)) window.location.hash = state.toString();
  draw();
}

function readState() {
  const state = new URLSearchParams(window.location.hash.slice(1)),
    zoom = Number(state.get('zoom'));
  view.showAll(elements[zoom] ? zoom : 0);
  search.value = state.get('search') || '';
  isFlame = state.has('root') ? state.get('root') === 'bottom' : isFlameAtFirst;
  find(search.value);
  draw();
}

/** @param {number} frame */
function zoomTo(frame) {
  view.showAll(frame);
  show();
}

/* The mouse and the keyboard --------------------------------------------------------------- */

const titleOf = (/** @type {number} */ frame) =>
  elements[frame].querySelector('title')?.textContent ?? '';
const frameOf = (/** @type {Event} */ event) =>
  elements.indexOf(/** @type {any} */ (event.target).closest('#frames > g'));

/** @param {number} frame */
function focus(frame) {
  if (frame < 0) return;
  elements[view.current].setAttribute('tabindex', '-1');
  view.current = frame;
  set(elements[frame], { tabindex: 0, role: 'button', 'aria-label': titleOf(frame) });
  elements[frame].focus();
}

const otherWay = /** @type {Record<string, string>} */ ({
  ArrowDown: 'ArrowUp',
  ArrowUp: 'ArrowDown',
});
set(elements[0], { tabindex: 0, role: 'button' });
search.addEventListener('input', () => find(search.value));
search.addEventListener('change', show);
reset.addEventListener('click', () => zoomTo(0));
turn.addEventListener('click', () => {
  isFlame = !isFlame;
  show();
});
group.addEventListener('click', (/** @type {Event} */ event) => {
  const frame = frameOf(event);
  if (frame < 0) return;
  focus(frame);
  zoomTo(frame);
});
for (const kind of ['mouseover', 'focusin'])
  group.addEventListener(kind, (/** @type {Event} */ event) => {
    const frame = frameOf(event);
    if (frame >= 0)
      details.textContent = `${labels[frame]}  ${titleOf(frame)
        .slice(labels[frame].length + 1)
        .replaceAll('\n', '; ')}`;
  });
group.addEventListener('mouseleave', () => {
  details.textContent = '';
});
group.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
  const isZoom = event.key === 'Enter' || event.key === ' ';
  if (!isZoom && !/^Arrow|^Home$/.test(event.key)) return;
  event.preventDefault();
  if (isZoom) zoomTo(view.current);
  else focus(view.next((isFlame && otherWay[event.key]) || event.key, isShown));
});
window.addEventListener('keydown', (event) => {
  const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f';
  if (event.target !== search && (isFind || event.key === '/')) {
    event.preventDefault();
    search.focus();
  } else if (event.key === 'Escape' && search.value !== '') {
    search.value = '';
    find('');
    show();
  } else if (event.key === 'Escape') {
    search.blur();
    zoomTo(0);
  }
});
svg.removeAttribute('viewBox');
window.addEventListener('resize', resize);
window.addEventListener('hashchange', readState);
resize();
readState();
