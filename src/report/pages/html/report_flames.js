// report_flames.js - the page of the flame graph.

import { findLabels } from '../frames.js';
import { functions, metrics } from './report_data.js';
import { note, state } from './report_state.js';
import { h, makeFlame, makeLegend } from './report_elements.js';

/** @typedef {import('./report_state.js').View} View */

/** @param {View} view */
export function flamePage(view) {
  const flame = makeFlame(view.paths(), { heightMax: Math.max(300, window.innerHeight - 260), rootName: 'all', zoomName: 'zoom' });
  const matched = h('span', { class: 'matched', role: 'status' });
  const find = (/** @type {string} */ text) => {
    const found = flame.search(text === '' ? null : findLabels(functions.label, text));
    matched.textContent = text === '' ? '' : found.count === 0 ? `'${text}' is in no name and no place` : found.text;
  };
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', id: 'find', placeholder: 'part of a name or place', value: state.more.get('find') ?? '',
    oninput: () => { note('find', input.value); find(input.value); },
  }));
  find(input.value);
  return [
    h('p', { class: 'controls' }, h('label', { for: 'find' }, 'Mark '), input, matched,
      h('button', { type: 'button', class: 'plain', onclick: () => { flame.zoomTo(0); note('zoom', '', true); } }, 'Zoom out')),
    flame.element, flame.status, makeLegend(view),
    h('p', { class: 'quiet' }, 'A frame is as wide as its ', metrics[state.metric].name, ' with all that it called. Click to zoom, right click for a menu, Shift and the wheel to magnify. ',
      'Keys: arrows, Enter, Escape, + and −, M for the menu. Grey marks are frames too narrow to be drawn.'),
  ];
}

