// report_format.js - numbers as texts, and the colours of changes. Pure functions.

/** @param {number} count */
export function formatCount(count) {
  return Math.round(count).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

const units = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
];

/**
 * A time in the unit that suits it, with three digits that count.
 * @param {number} ns
 */
export function formatTime(ns) {
  const size = Math.abs(ns);
  if (size === 0) return '0';
  if (size < 1000) return `${ns} ns`;
  const unit = units.find((one) => size >= one.ns * 0.9995) ?? units[2];
  const value = size / unit.ns;
  const digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${ns < 0 ? '−' : ''}${formatGrouped(value, digits)} ${unit.name}`;
}

/**
 * @param {number} value
 * @param {number} digits after the point
 */
export function formatGrouped(value, digits) {
  const [whole, rest] = value.toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** @param {number} kb */
export function formatMemory(kb) {
  if (Math.abs(kb) < 10240) return `${formatCount(kb)} KB`;
  return `${formatGrouped(kb / 1024, 1)} MB`;
}

/**
 * @param {number} part
 * @param {number} whole
 */
export function formatPercent(part, whole) {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return (Math.abs(percent) < 0.05 ? 0 : percent).toFixed(1);
}

/**
 * @param {string} metric
 * @param {number} value
 */
export function formatMetric(metric, value) {
  if (metric === 'time') return formatTime(value);
  if (metric === 'alloc') return formatMemory(value);
  return formatCount(value);
}

/**
 * @param {string} metric
 * @param {number} value
 */
export function formatChange(metric, value) {
  if (value === 0) return '0';
  return `${value > 0 ? '+' : '−'}${formatMetric(metric, Math.abs(value))}`;
}

/**
 * Game time: 1:31.2.
 * @param {number} seconds
 */
export function formatGameTime(seconds) {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  const rest = ((tenths - minutes * 600) / 10).toFixed(1).padStart(4, '0');
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/**
 * Red for more, blue for less, as in svg_colors.c.
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
