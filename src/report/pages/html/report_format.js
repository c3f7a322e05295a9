// report_format.js - numbers as texts, and the colours of changes. Pure functions.

/** @param {number} count */
export const formatCount = (count) => formatGrouped(Math.round(count), 0);

/** "1 tick", "2 ticks". @param {number} count @param {string} one @param {string} many */
export const formatThings = (count, one, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** A time, as amount_said() in the program says it. @param {number} ns */
export function formatTime(ns) {
  const size = Math.abs(ns),
    whole = Math.round(size),
    sign = ns < 0 ? '−' : '';
  if (whole < 1000) return whole === 0 ? '0 ms' : `${sign}${whole} ns`;
  if (size >= 999950000) return `${sign}${formatGrouped(Math.round(size / 1e6) / 1000, 3)} s`;
  const [unit, digit] = size >= 999950 ? ['ms', 1e5] : ['µs', 100];
  return `${sign}${(Math.round(size / digit) / 10).toFixed(1)} ${unit}`;
}

/** A time in a table: none was too short to tell. @param {number} ns */
export const showTime = (ns) => (Math.round(ns) === 0 ? '< 1 µs' : formatTime(ns));

/** A limit, as tick_limit() says it. @param {number} ns */
export const formatLimit = (ns) => `${ns / 1e6} ms`;

/** @param {number} value @param {number} digits after the point */
export function formatGrouped(value, digits) {
  const [whole, rest] = value.toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** @param {number} part @param {number} whole */
export function formatPercent(part, whole) {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return (Math.sign(percent) * (Math.round(Math.abs(10 * percent)) / 10)).toFixed(1);
}

/**
 * The same of a part of a time, which negative times can leave less than its part: then it is none,
 * as amount_is_share() says.
 * @param {number} part
 * @param {number} whole
 * @param {string} [unit] behind it
 */
export const formatPart = (part, whole, unit = '') =>
  Math.abs(part) > whole ? '–' : formatPercent(part, whole) + unit;

/** How many times. @param {number} factor */
export function formatFactor(factor) {
  if (factor >= 9.95) return formatCount(factor);
  if (factor > 0 && factor < 0.005) return '<0.01';
  const digits = factor < 0.095 ? 2 : 1,
    base = 10 ** digits;
  return (Math.round(factor * base) / base).toFixed(digits);
}

/** @param {string} metric @param {number} value */
export const formatMetric = (metric, value) =>
  metric === 'time' ? formatTime(value) : `${formatCount(value)}${metric === 'alloc' ? ' KB' : ''}`;

/** @param {string} metric @param {number} value */
export function formatChange(metric, value) {
  if (value === 0) return '0';
  return `${value > 0 ? '+' : '−'}${formatMetric(metric, Math.abs(value))}`;
}

/**
 * "7 → 9", or "= 9".
 * @param {number} old
 * @param {number} now
 * @param {(value: number) => string} show
 */
export const formatPair = (old, now, show = formatCount) =>
  old === now ? (now === 0 ? '–' : `= ${show(now)}`) : `${show(old)} → ${show(now)}`;

/** Game time: 1:31.2. @param {number} seconds */
export function formatGameTime(seconds) {
  const tenths = Math.round(Math.max(0, seconds) * 10),
    rest = tenths % 600;
  return `${(tenths - rest) / 600}:${(rest / 10).toFixed(1).padStart(4, '0')}`;
}

/**
 * Red for more, blue for less, as in svg.c, and --more and --less in report.css.
 * @param {number} now
 * @param {number} old
 * @param {number} all
 */
export function colorOfChange(now, old, all) {
  const strength = all > 0 ? Math.min(1, 2 * Math.sqrt(Math.abs(now - old) / all)) : 0;
  const full = now > old ? [240, 80, 70] : [90, 145, 245];
  const [red, green, blue] = full.map((channel) => Math.round(236 + strength * (channel - 236)));
  return `rgb(${red} ${green} ${blue})`;
}

/**
 * The smallest time of a logarithmic scale up to another: at most five decades.
 * @param {number} top
 */
const logBase = (top) => 10 ** (Math.ceil(Math.log10(Math.max(10, top))) - 5);

/**
 * The part of the whole height that a time has.
 * @param {number} time
 * @param {number} top
 * @param {boolean} isLog
 */
export function heightOf(time, top, isLog) {
  if (!isLog) return Math.max(0, time) / top;
  const base = logBase(top);
  return time <= base ? 0 : Math.log10(time / base) / Math.log10(top / base);
}

/** The times that have a line in a chart. @param {number} top @param {boolean} isLog */
export function axisSteps(top, isLog) {
  const base = isLog ? logBase(top) : 10 ** Math.floor(Math.log10(top / 2)),
    step = base * ([1, 2, 5].find((size) => top / (size * base) < 4) ?? 10);
  return isLog
    ? Array.from({ length: 6 }, (_, i) => base * 10 ** i).filter((time) => time <= top)
    : Array.from({ length: 1 + Math.floor(top / step) }, (_, i) => step * i);
}

/** The text of such a line. @param {number} time */
export const formatStep = (time) => (time === 0 ? '0' : formatTime(time).replace('.0 ', ' '));

/**
 * Ticks at whole seconds of game time, not more than some, and those seconds.
 * @param {(tick: number) => number} secondsOf
 * @param {number} count
 * @param {number} most
 */
export function timeSteps(secondsOf, count, most) {
  const steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000],
    whole = secondsOf(count - 1) - secondsOf(0);
  const step = steps.find((size) => whole / size <= most) ?? whole,
    found = [];
  for (let i = 1; i < count; i++)
    if (Math.floor(secondsOf(i) / step + 1e-9) > Math.floor(secondsOf(i - 1) / step + 1e-9))
      found.push({ at: i, seconds: Math.floor(secondsOf(i) / step + 1e-9) * step });
  return found.slice(0, 2 * most);
}

/** The program writes us, which a terminal can show. @param {string} text */
export const withMicro = (text) => text.replace(/(\d) us\b/g, '$1 µs');
