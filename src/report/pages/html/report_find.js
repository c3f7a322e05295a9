// report_find.js - what the search box finds. Pure functions.

/**
 * What a text can mean besides a part of a name: the tick #912, 912 or tick 912, the ticks 38-60,
 * the game time 1:51 or 1:51.7, ticks over a time (>8ms, >1.5s), or line 120 of a file
 * (unit.lua:120).
 * @param {string} text
 */
export function readSearch(text) {
  const tick = /^(?:(?:tick|frame)s? )?#?(\d+)(?:(?:-| to )#?(\d+))?$/i.exec(text),
    time = /^(?:(\d+):)?(\d+):(\d\d)(\.\d)?$/.exec(text),
    over = /^>\s*(\d+(?:\.\d+)?)\s*(ms|s)?$/i.exec(text),
    line = /^(.*[^\s:]):(\d+)$/.exec(text);
  return {
    tick: tick && !tick[2] ? Number(tick[1]) : -1,
    range: tick?.[2] ? [Number(tick[1]), Number(tick[2])].sort((a, b) => a - b) : [],
    seconds: time
      ? Number(time[1] ?? 0) * 3600 + Number(time[2]) * 60 + Number(time[3]) + Number(time[4] ?? 0)
      : -1,
    isWholeSecond: time !== null && time[4] === undefined,
    over: over ? Number(over[1]) * (over[2]?.toLowerCase() === 's' ? 1000 : 1) : 0,
    file: line && !time ? line[1] : '',
    line: line && !time ? Number(line[2]) : 0,
  };
}

/**
 * Indexes of the texts with a part, those that have it at a word's beginning first.
 * @param {string[]} texts
 * @param {string} part
 */
function having(texts, part) {
  const wanted = part.toLowerCase();
  return texts.flatMap((text, i) => (text.toLowerCase().includes(wanted) ? [i] : []));
}

/**
 * The function of a file that a line is in: the last that begins before it.
 * @param {string[]} labels
 * @param {string} file
 * @param {number} line
 */
function functionsAt(labels, file, line) {
  const wanted = file.toLowerCase(),
    starts = labels.flatMap((label, i) => {
      const place = /(?:^| )([^ ]*):(\d+)$/.exec(label);
      return place && place[1].toLowerCase().endsWith(wanted) && Number(place[2]) <= line
        ? [{ i, file: place[1], start: Number(place[2]) }]
        : [];
    });
  return starts
    .filter((one) => !starts.some((other) => other.file === one.file && other.start > one.start))
    .map(({ i }) => i);
}

/**
 * Indexes of all that a text finds; the functions with the most weight first, and ticks with the
 * most time.
 * @param {string} text
 * @param {{labels: string[], weights: ArrayLike<number>, files: string[], mods: string[], ticks:
 * {number: number, seconds: number, time: number}[]}} of
 */
export function findAll(text, { labels, weights, files, mods, ticks }) {
  const { tick, range, seconds, isWholeSecond, over, file, line } = readSearch(text);
  const isWanted = (/** @type {typeof ticks[0]} */ one) =>
    one.number === tick ||
    (one.number >= range[0] && one.number <= range[1]) ||
    (over > 0 && one.time > over * 1e6) ||
    (seconds >= 0 &&
      (isWholeSecond
        ? Math.floor(one.seconds + 1e-6) === seconds
        : Math.abs(one.seconds - seconds) < 0.05));
  const byWeight = (/** @type {number} */ a, /** @type {number} */ b) =>
    weights[b] - weights[a] || a - b;
  return {
    over,
    range,
    functions: having(labels, text)
      .filter((i) => weights[i] !== undefined)
      .sort(byWeight),
    files: having(files, text),
    mods: having(mods, text),
    lines: file === '' ? [] : functionsAt(labels, file, line).sort(byWeight),
    ticks: ticks
      .flatMap((one, i) => (isWanted(one) ? [i] : []))
      .sort((a, b) => (seconds >= 0 ? a - b : ticks[b].time - ticks[a].time || a - b)),
  };
}
