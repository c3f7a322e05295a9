// report_watch.js - what a watch of the whole game says: its longest ticks, the slow ones, and what
// threads took by the clock. No other table has any of it.

import { formatCount, formatGameTime, formatTime } from './report_format.js';
import { data } from './report_data.js';
import { h, makeLabelled, section } from './report_elements.js';

/** A bar for each column of ticks: the longest of them. @param {any} watched */
function lengthChart({ from_seconds: from, to_seconds: to, step, longest }) {
  const top = Math.max(...longest, 1),
    bars = longest.map((/** @type {number} */ ns, /** @type {number} */ i) => {
      const bar = h('i', {
        title: `${formatGameTime(from + (i * step) / 10)}: ${formatTime(ns)}`,
        data: { value: ns },
      });
      bar.style.height = `${((100 * ns) / top).toFixed(1)}%`;
      return h('span', bar);
    });
  return h(
    'figure.curve',
    h(
      'div.bars',
      { role: 'img', 'aria-label': `The longest ticks of the game: at most ${formatTime(top)}` },
      bars
    ),
    h(
      'p.axis',
      { 'aria-hidden': 'true' },
      h('span', formatGameTime(from)),
      h('span', formatGameTime(to))
    ),
    h(
      'figcaption.quiet',
      `A bar is the longest of ${formatCount(step)} ticks; the highest is ${formatTime(top)}.`
    )
  );
}

/** All that a watch says; null without. */
export function watchSection() {
  const { watched } = data,
    [minutes = ''] =
      /; threads are known by the minute[^.;]*/.exec([...data.verdict, ...data.after].join('. ')) ??
      [];
  if (!watched) return null;
  return section(
    'The watched game',
    `by the clock alone: no other table has any of it${minutes}`,
    watched.longest.length > 1 ? lengthChart(watched) : null,
    watched.slow_ticks.length > 0
      ? h(
          'ul.findings',
          watched.slow_ticks.map((/** @type {string} */ text) => h('li', text))
        )
      : null,
    makeLabelled(watched.threads, 'Watched threads', 'watched thread began in')
  );
}
