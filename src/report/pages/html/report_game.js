// report_game.js - what the game itself has logged: how fast the sim ran, its memory, and errors of
// its Lua.

import { formatCount, formatGameTime, formatGrouped } from './report_format.js';
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

/** A log can name any number of mods. */
const modsShown = 10;

const timeOf = (/** @type {number} */ seconds) => formatGameTime(seconds).replace(/\.0$/, '');
const megabytes = (/** @type {number} */ bytes) => `${formatCount(bytes / 2 ** 20)} MB`;

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
    'figure',
    { class: 'speeds' },
    h(
      'div',
      {
        class: 'bars',
        role: 'img',
        'aria-label':
          `Sim speed from ${timeOf(from)} to ${timeOf(to)}: at least ${slowest.toFixed(2)}, at ` +
          `most ${top.toFixed(2)} of real time`,
      },
      line,
      bars
    ),
    h(
      'p',
      { class: 'axis', 'aria-hidden': 'true' },
      h('span', {}, timeOf(from)),
      h('span', {}, timeOf(to))
    ),
    h(
      'figcaption',
      { class: 'quiet' },
      `A bar is ${timeOf(column)} of game time; the line across is real time, bars ` +
        `below ${slowSpeed} of it are marked.`
    )
  );
}

/** @param {Game} game */
function describeGame(game) {
  const {
    from_seconds: from,
    to_seconds: to,
    moved_seconds: moved,
    real_seconds: real,
    still_seconds: still,
    heap_first_bytes: first,
    heap_last_bytes: last,
    heap_most_bytes: most,
    speeds,
    column_seconds: column,
  } = game;
  const slow = speeds.flatMap((speed, i) => (speed !== null && speed < slowSpeed ? [i] : []));
  const lines = [
    `${timeOf(from)} to ${timeOf(to)} of game time` +
      (real > 0 ? ` in ${timeOf(real)} of real time: sim speed ${(moved / real).toFixed(2)}` : '') +
      `${still > 0 ? `; it stood still for ${timeOf(still)}` : ''}.`,
  ];
  if (slow.length > 0)
    lines.push(
      `Below ${slowSpeed} in ${slow.length} of ${speeds.length} bars, ` +
        `from ${timeOf(from + slow[0] * column)} on.`
    );
  if (first !== null && last !== null && most !== null)
    lines.push(
      `Heap: ${megabytes(first)} at first, ${megabytes(last)} at last, ` +
        `at most ${megabytes(most)}: ${Math.round((100 * most) / 2 ** 31)}% of the 2 GB, ` +
        `${Math.round((100 * most) / 2 ** 32)}% of the 4 GB that a program of 32 bits can have.`
    );
  return lines.join(' ');
}

/** All that the game has logged; null without. */
export function gameSection() {
  const { game_log: log } = data;
  if (!log || log.games.length + log.errors.length + log.mods.length === 0) return null;
  const games = log.games.flatMap((/** @type {Game} */ game) => [
    h('p', {}, describeGame(game)),
    game.real_seconds > 0 && game.speeds.length > 0 ? speedChart(game) : null,
  ]);
  const errors = log.errors.map((/** @type {any} */ error, /** @type {number} */ id) => ({
    ...error,
    id,
    first: error.first_seconds ?? -1,
    last: error.last_seconds ?? -1,
  }));
  const count = errors.reduce(
      (/** @type {number} */ sum, /** @type {any} */ error) => sum + error.count,
      0
    ),
    lines = errors.reduce(
      (/** @type {number} */ sum, /** @type {any} */ error) => sum + error.lines,
      0
    );
  const showWhen = (/** @type {number} */ seconds) => (seconds < 0 ? '–' : timeOf(seconds));
  return section(
    'The game',
    'from its own lines in the log',
    h('div', {}, games),
    errors.length === 0
      ? null
      : h(
          'p',
          {},
          `${formatCount(count)} errors of Lua at ${formatCount(errors.length)} ` +
            `places, ${formatGrouped((100 * lines) / Math.max(1, log.lines), 1)}% of the log's ` +
            'lines.'
        ),
    errors.length === 0
      ? null
      : makeTable({
          rows: errors,
          caption: 'Errors of Lua',
          nameTitle: 'error',
          sort: 'count',
          limit: 10,
          tie: (row) => row.id,
          text: (row) => `${row.place} ${row.message}`,
          name: (row) =>
            h(
              'span',
              { class: 'function' },
              h('span', { class: 'name' }, row.message),
              row.place === row.message
                ? ''
                : h(
                    'span',
                    { class: 'place', title: row.place },
                    row.place.replace(/^.*[\\/]/, '')
                  ),
              h('span', { class: 'place' }, `in ${row.what}`)
            ),
          columns: [
            { key: 'count', title: 'times' },
            { key: 'first', title: 'from', show: showWhen },
            { key: 'last', title: 'to', show: showWhen },
          ],
        }),
    log.modules > 0
      ? h('p', { class: 'quiet' }, `${formatCount(log.modules)} modules of Lua were loaded.`)
      : null,
    log.mods.length > 0
      ? h(
          'p',
          { class: 'quiet' },
          `Mods: ${log.mods.slice(0, modsShown).join('; ')}` +
            (log.mods.length > modsShown
              ? `; ... and ${formatCount(log.mods.length - modsShown)} more`
              : '.')
        )
      : null
  );
}
