// report_play.js - a play head over a tick in the order of time: what runs at that moment, and the
// lines of the source that do.

import { formatCount, formatTime } from './report_format.js';
import { framesAt } from './report_model.js';
import { data, fileOf } from './report_data.js';
import { note, state } from './report_state.js';
import { functionLink, h } from './report_elements.js';

/** How long a tick plays, in ms. */
const playedMs = 12000;

/**
 * A line of a function's source; "" if it is not here.
 * @param {number} func
 * @param {number} line
 */
function textOfLine(func, line) {
  const [first, ...texts] = data.sources?.[func] ?? [0];
  return (texts[line - first] ?? '').trim();
}

/**
 * @param {import('./report_flame.js').Flame} flame
 * @param {ReturnType<typeof import('./report_model.js').orderInTick>} shown
 */
export function makePlayer(flame, shown) {
  const all = shown.tree.total[0],
    head = h('i.head', { 'aria-hidden': 'true' }),
    running = h('ol.running');
  let started = 0;
  const slider = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'range',
      id: 'at',
      min: '0',
      max: '1000',
      value: state.more.get('at') ?? '0',
      'aria-label': 'Moment of the tick',
      oninput: () => show(),
      onchange: () => note('at', slider.value),
    })
  );
  const moment = h('output', { for: 'at' }),
    timeOf = () => (Number(slider.value) / 1000) * all;
  const place = () => {
    const { from, to } = flame.view,
      part = (timeOf() - from) / (to - from);
    head.hidden = part < 0 || part > 1;
    head.style.left = `${100 * part}%`;
  };
  const show = () => {
    const frames = framesAt(shown, timeOf());
    moment.textContent = `${formatTime(timeOf())} of ${formatTime(all)}`;
    slider.setAttribute('aria-valuetext', moment.textContent);
    // The last one with a line is what runs; what it calls is of C, or has no source here.
    const at = frames.findLastIndex(({ line }) => line > 0);
    running.replaceChildren(
      ...(frames.length > 8
        ? [h('li.quiet', `${formatCount(frames.length - 8)} callers more`)]
        : []),
      ...frames.slice(-8).map(({ func, line }, i, { length }) => {
        const text = line > 0 ? textOfLine(func, line) : '';
        return h(
          i + frames.length - length === at ? 'li.now' : 'li',
          functionLink(func),
          // What the last one has called has ended.
          line > 0 && fileOf(func)
            ? h('span.place', `${i < length - 1 ? 'line' : 'after line'} ${line}`)
            : null,
          text ? h('code', text) : null
        );
      }),
      ...(frames.length === 0 ? [h('li.quiet', 'the engine')] : [])
    );
    place();
  };
  const button = h('button.plain', { onclick: () => (started ? stop() : play()) }, '▶ Play');
  const stop = () => {
    started = 0;
    button.textContent = '▶ Play';
    note('at', slider.value);
  };
  const play = () => {
    const from = Number(slider.value) >= 1000 ? 0 : Number(slider.value);
    started = performance.now();
    button.textContent = '❚❚ Pause';
    const step = (/** @type {number} */ now) => {
      if (!started || !button.isConnected) return;
      const at = Math.min(1000, from + (1000 * Math.max(0, now - started)) / playedMs);
      slider.value = String(Math.round(at));
      show();
      if (at < 1000) requestAnimationFrame(step);
      else stop();
    };
    requestAnimationFrame(step);
  };
  flame.onPaint = place;
  show();
  return h(
    'div.player',
    h('div.controls', button, slider, moment),
    h('div.played', flame.element, head),
    running
  );
}
