// report_game.js - what the game itself has logged: how fast the sim ran, its memory, and errors of
// its Lua.

import { formatCount, formatGameTime } from './report_format.js';
import { data } from './report_data.js';
import { h, makeTable, section } from './report_elements.js';

/**
 * Of a game, as the format json has it (man/supprof.schema.json.in).
 * @typedef {{from_seconds: number, to_seconds: number, moved_seconds: number, real_seconds: number,
 * still_seconds: number, heap_first_bytes: number | null, heap_last_bytes: number | null,
 * heap_most_bytes: number | null, column_seconds: number, speeds: (number | null)[]}} Game
 */

/** A sim that is slower than this is slow: src/report/figures/sim_speed.h. */
const slowSpeed = 0.9;

const timeOf = (/** @type {number} */ seconds) => formatGameTime(seconds).replace(/\.0$/, '');

/** A bar for each column of game time, and a line at real time. @param {Game} game */
function speedChart({ from_seconds: from, to_seconds: to, column_seconds: column, speeds }) {
  const top = speeds.reduce((/** @type {number} */ most, speed) => Math.max(most, speed ?? 0), 1);
  const bars = speeds.map((speed, i) => {
    const bar = h('i', {
      class: speed !== null && speed < slowSpeed ? 'slow' : '',
      title: `${timeOf(from + i * column)}: ${speed === null ? 'not known' : speed.toFixed(2)}`,
      data: speed === null ? {} : { value: speed },
    });
    bar.style.height = `${((100 * (speed ?? 0)) / top).toFixed(1)}%`;
    return bar;
  });
  const line = h('b', { 'aria-hidden': 'true' });
  line.style.bottom = `${(100 / top).toFixed(1)}%`;
  const slowest = speeds.reduce(
    (/** @type {number} */ least, speed) => Math.min(least, speed ?? least),
    Infinity
  );
  return h(
    'figure.speeds',
    h(
      'div.bars',
      {
        role: 'img',
        'aria-label':
          `Sim speed from ${timeOf(from)} to ${timeOf(to)}: at least ${slowest.toFixed(2)}, at ` +
          `most ${top.toFixed(2)} of real time`,
      },
      line,
      bars
    ),
    h('p.axis', { 'aria-hidden': 'true' }, h('span', timeOf(from)), h('span', timeOf(to))),
    h(
      'figcaption.quiet',
      `A bar is ${timeOf(column)} of game time; the line across is real time, bars ` +
        `below ${slowSpeed} of it are marked.`
    )
  );
}

/** @param {any} log a row of game_log of the format json */
function errorTable(log) {
  return makeTable({
    rows: log.errors.map((/** @type {any} */ error, /** @type {number} */ id) => ({
      ...error,
      id,
      first: error.first_seconds ?? -1,
      last: error.last_seconds ?? -1,
    })),
    caption: 'Errors of Lua',
    nameTitle: 'error',
    sort: 'count',
    limit: 10,
    text: ({ place, message }) => (place === message ? place : `${place} ${message}`),
    name: (row) =>
      h(
        'span.function',
        h('span.name', { title: row.stack.join('\n') }, row.message),
        row.place === row.message
          ? ''
          : h('span.place', { title: row.place }, row.place.replace(/^.*[\\/]/, '')),
        row.what === '' ? '' : h('span.place', `in ${row.what}`),
        row.broken.map((/** @type {any} */ { file }) => h('span.place', `broke ${file}`)),
        row.called_by.map((/** @type {any} */ { place, count }) =>
          h('span.place', `called by ${place}: ${formatCount(count)}`)
        )
      ),
    columns: [
      { key: 'count', title: 'times' },
      { key: 'first', title: 'from', show: showWhen },
      { key: 'last', title: 'to', show: showWhen },
    ],
  });
}

const showWhen = (/** @type {number} */ seconds) => (seconds < 0 ? '–' : timeOf(seconds));

/** All that the game has logged; null without. */
export function gameSection() {
  const { game_log: first, other_game_logs: others = [] } = data;
  const logs = [...(first ? [first] : []), ...others].filter(
    (log) => log.sentences.length + log.errors.length > 0
  );
  if (logs.length === 0) return null;
  return section(
    'The game',
    'from its own lines in the log',
    ...logs.map((log) =>
      h(
        'div',
        logs.length > 1 ? h('h3', log.name) : null,
        log.sentences.map((/** @type {string} */ sentence) => h('p', sentence)),
        log.games.map((/** @type {Game} */ game) =>
          game.real_seconds > 0 && game.speeds.some((speed) => speed !== null)
            ? speedChart(game)
            : null
        ),
        log.errors.length > 0 ? errorTable(log) : null
      )
    )
  );
}
