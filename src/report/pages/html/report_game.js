// report_game.js - what the game itself has logged: how fast the sim ran, its memory, errors of its
// Lua, and what fills the log.

import { formatCount, formatGameTime, formatPercent, formatThings } from './report_format.js';
import { data, isCompared, isWatched } from './report_data.js';
import { h, makeTable, section } from './report_elements.js';
import { makeFirst, makeKeys } from './report_lead.js';

/**
 * Of a game, as the format json has it (man/supprof.schema.json.in).
 * @typedef {{from_seconds: number, to_seconds: number, moved_seconds: number, real_seconds: number,
 * still_seconds: number, heap_first_bytes: number | null, heap_last_bytes: number | null,
 * heap_most_bytes: number | null, column_seconds: number, speeds: (number | null)[],
 * heaps_bytes: (number | null)[]}} Game
 */

/** A sim that is slower than this is slow: src/report/figures/sim_speed.h. */
const slowSpeed = 0.9;

const timeOf = (/** @type {number} */ seconds) => formatGameTime(seconds).replace(/\.0$/, '');
const megabytes = (/** @type {number} */ bytes) => `${formatCount(bytes / 1048576)} MB`;
const formatSpeed = (/** @type {number} */ speed) => speed.toFixed(2);

/**
 * A curve over game time: a step for each column. `line` is a line across.
 * @param {Game} game
 * @param {(number | null)[]} values
 * @param {{kind: string, title: string, least: number, line: number, about: string,
 * show: (value: number) => string, isBad: (value: number) => boolean}} of
 * @param {(number | null)[]} old values of another game, a line for each column
 */
function curve(game, values, { kind, title, least, line, show, isBad, about }, old) {
  const { from_seconds: from, to_seconds: to, column_seconds: column } = game,
    known = values.filter((value) => value !== null),
    top = [...known, ...old].reduce(
      (/** @type {number} */ most, value) => Math.max(most, value ?? 0),
      least
    );
  const bars = values.map((value, i) => {
    const bar = h('i', {
      class: value !== null && isBad(value) ? 'slow' : '',
      title: `${timeOf(from + i * column)}: ${value === null ? 'not known' : show(value)}`,
      data: value === null ? {} : { value },
    });
    bar.style.height = `${((100 * (value ?? 0)) / top).toFixed(1)}%`;
    const before = old[i] ?? null,
      mark = before === null ? null : h('s', { title: `old: ${show(before)}` });
    if (mark) mark.style.bottom = `${((100 * (before ?? 0)) / top).toFixed(1)}%`;
    return h('span', bar, mark);
  });
  const across = h('b', { 'aria-hidden': 'true' });
  across.style.bottom = `${((100 * line) / top).toFixed(1)}%`;
  return h(
    `figure.curve.${kind}`,
    h('figcaption', h('b', title), ` ${about}`),
    h(
      'div.bars',
      {
        role: 'img',
        'aria-label':
          `${title} from ${timeOf(from)} to ${timeOf(to)}: ` +
          `${show(Math.min(...known))} to ${show(Math.max(...known))}`,
      },
      line > 0 ? across : null,
      bars
    ),
    h('p.axis', { 'aria-hidden': 'true' }, h('span', timeOf(from)), h('span', timeOf(to)))
  );
}

/**
 * Steps of the same length from the same moment on can be compared.
 * @param {Game} [a] @param {Game} [b]
 */
const isAlike = (a, b) =>
  a?.from_seconds === b?.from_seconds && a?.column_seconds === b?.column_seconds;

/** Speed and heap of a game, side by side. @param {Game} game @param {Game} [old] its other side */
function curvesOf(game, old) {
  const isKnown = (/** @type {number | null} */ value) => value !== null,
    hasOther = isAlike(game, old),
    other = hasOther ? '; the grey line is the old game' : '',
    columns = `a step is ${timeOf(game.column_seconds)}`;
  const found = [
    game.real_seconds > 0 && game.speeds.some(isKnown)
      ? curve(
          game,
          game.speeds,
          {
            kind: 'speeds',
            title: 'Sim speed',
            least: 1,
            line: 1,
            show: formatSpeed,
            isBad: (speed) => speed < slowSpeed,
            about: `${columns}; the line is real time, below ${slowSpeed} of it is marked${other}`,
          },
          hasOther ? (old?.speeds ?? []) : []
        )
      : null,
    game.heaps_bytes.filter(isKnown).length > 1
      ? curve(
          game,
          game.heaps_bytes,
          {
            kind: 'heaps',
            title: 'Heap',
            least: 1,
            line: 0,
            show: megabytes,
            isBad: (heap) => heap > 0.9 * 2 ** 31,
            about: `at most ${megabytes(game.heap_most_bytes ?? 0)}; 90% of 2 GB is marked${other}`,
          },
          hasOther ? (old?.heaps_bytes ?? []) : []
        )
      : null,
  ].filter((one) => one !== null);
  return found.length > 0 ? h('div.columns', found) : null;
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
          h('span.place', 'called by ', h('b', place), `: ${formatCount(count)}`)
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

/** What fills a log. @param {any} log */
const fillerTable = ({ fillers, lines: all }) =>
  makeTable({
    rows: fillers.map((/** @type {any} */ filler, /** @type {number} */ id) => ({ ...filler, id })),
    caption: 'What fills the log',
    nameTitle: 'text',
    text: ({ text }) => text,
    name: ({ text }) => h('span.filler', text),
    columns: [
      {
        key: 'part',
        title: '% of lines',
        value: ({ lines }) => lines,
        show: (lines) => formatPercent(lines, all),
      },
      { key: 'bar', title: '', value: ({ lines }) => lines, isBar: true, whole: all },
      { key: 'count', title: 'times' },
    ],
  });

/** All that a game has logged. @param {any} log @param {string} title @param {any} [old] log */
const logParts = (log, title, old) => [
  title ? h('h3', title) : null,
  log.sentences
    .filter((/** @type {string} */ text) => !text.startsWith('What fills the log'))
    .map((/** @type {string} */ sentence) => h('p', `${sentence}.`)),
  log.games.map((/** @type {Game} */ game, /** @type {number} */ i) =>
    // The new game's curves have these, too.
    log === data.old_game?.game_log && isAlike(game, data.game_log?.games[i])
      ? null
      : curvesOf(game, old?.games[i])
  ),
  log.errors.length > 0 ? errorTable(log) : null,
  log.fillers.length > 0
    ? section(
        'What fills the log',
        'the game writes each line to the disk at once',
        fillerTable(log)
      )
    : null,
];

const hasMore = (/** @type {any} */ log) =>
  log && log.sentences.length + log.errors.length + log.fillers.length > 0;

/** All that games have logged; null without. */
export function gameSection() {
  const { game_log: first, other_game_logs: others = [], old_game: old } = data;
  const logs = [...(first ? [first] : []), ...others].filter(hasMore);
  if (logs.length === 0 && !hasMore(old?.game_log)) return null;
  const isOne = logs.length === 1 && !hasMore(old?.game_log);
  return section(
    'The game',
    'from its own lines in the log',
    ...logs.flatMap((log) =>
      logParts(log, isOne ? '' : `${isCompared ? 'New: ' : ''}${log.name}`, old?.game_log)
    ),
    ...(hasMore(old?.game_log) ? logParts(old.game_log, `Old: ${old.game_log.name}`) : [])
  );
}

/* The first page of games without a recording -------------------------------------------- */

/** The game of a log with the most game time in a known real time. @param {any} log */
const longestGame = (log) =>
  (log?.games ?? [])
    .filter((/** @type {Game} */ { real_seconds: real }) => real > 0)
    .sort((/** @type {Game} */ a, /** @type {Game} */ b) => b.moved_seconds - a.moved_seconds)[0];
const countErrors = (/** @type {any} */ log) =>
  (log?.errors ?? []).reduce(
    (/** @type {number} */ sum, /** @type {any} */ one) => sum + one.count,
    0
  );

/** Key figures of a game, or of two. */
function gameKeys() {
  const now = data.game_log,
    old = data.old_game?.game_log;
  /** @type {(of: (log: any) => string | null, what: string) => import('./report_lead.js').Key} */
  const key = (of, what) => {
    const [before, after] = [old && of(old), now && of(now)];
    if (!after) return null;
    return [!before ? after : before === after ? `= ${after}` : `${before} → ${after}`, what];
  };
  return makeKeys([
    key((log) => {
      const game = longestGame(log);
      return game ? formatSpeed(game.moved_seconds / game.real_seconds) : null;
    }, 'sim speed: 1 is real time'),
    key((log) => {
      const game = longestGame(log) ?? log.games[0];
      return game?.heap_most_bytes ? megabytes(game.heap_most_bytes) : null;
    }, 'the heap at most, of 2,048 MB'),
    key((log) => formatCount(countErrors(log)), 'errors of Lua'),
    key((log) => formatCount(log.lines), 'lines of the log'),
  ]);
}

/** What happened, in words. */
function wordsOfGame() {
  const log = data.game_log,
    [first] = data.warned,
    game = longestGame(log),
    errors = log ? countErrors(log) : 0;
  if (first) return `${first.replaceAll('->', '→')}.`;
  if (errors > 0) {
    const mods = [
      ...new Set(
        log.errors.flatMap((/** @type {any} */ error) =>
          error.called_by.map((/** @type {any} */ { place }) => place.split(' ')[0])
        )
      ),
    ];
    return (
      `${formatThings(errors, 'error')} of Lua at ${formatThings(log.errors.length, 'place')}` +
      `${mods.length > 0 ? `, called by ${mods.slice(0, 3).join(', ')}` : ''}.`
    );
  }
  const slow = game?.speeds.filter(
    (/** @type {number | null} */ one) => one !== null && one < slowSpeed
  );
  if (game)
    return slow.length > 0
      ? `The sim ran slower than real time in ${slow.length} of ${game.speeds.length} parts of it.`
      : 'The sim kept up with real time.';
  const [filler] = log?.fillers ?? [];
  return filler
    ? `${formatPercent(filler.lines, log.lines)}% of the log's lines are of one text.`
    : 'Nothing was recorded.';
}

/** What happened, key figures, and all else. */
export const gamePage = () => [
  isWatched ? null : makeFirst(wordsOfGame()),
  isWatched ? null : gameKeys(),
  ...(isWatched ? [] : data.warned.slice(1)).map((/** @type {string} */ line) =>
    h('p', `${line.replaceAll('->', '→')}.`)
  ),
  gameSection(),
];
