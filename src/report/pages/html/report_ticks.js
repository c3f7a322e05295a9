// report_ticks.js - the strip of ticks, and the page about them.

import { formatCount, formatGameTime, formatTime } from './report_format.js';
import { data, model, nameInTextOf, nameOfTick, numberOfTick, runOfTick, secondsOfTick, tickCount, tickTitle, timeOfTick, whenOfTick } from './report_data.js';
import { go, linkTo, parseTicks, state } from './report_state.js';
import { functionLink, h, makeTable, section, showCalls, timeColumns } from './report_elements.js';

/** @typedef {import('./report_state.js').View} View */

/**
 * A bar for each tick, or for as many as share a pixel. A click chooses one, a drag a row of them.
 * @param {View} view
 * @param {number} budget
 * @param {number} height
 * @param {(tick: number) => void} choose
 * @param {number} [opened] the tick that the page is about
 */
export function makeTickStrip(view, budget, height, choose, opened = -1) {
  const count = tickCount(), canvas = /** @type {HTMLCanvasElement} */ (h('canvas', {
    class: 'strip', tabindex: '0', role: 'application', 'aria-label': 'Ticks. Left and right move, Enter opens the tick.',
  }));
  const status = h('p', { class: 'strip-status', role: 'status' });
  const longest = Array.from({ length: count }, (_, i) => timeOfTick(i)).reduce((most, time) => Math.max(most, time), 1);
  // Where no tick is slow, the bars have all of the height, and there is no line.
  const isAnySlow = longest > budget, top = isAnySlow ? Math.max(longest, budget * 1.2) : longest;
  let width = 0, current = -1, pressed = -1;
  const draw = () => {
    const context = canvas.getContext('2d'), ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas);
    width = canvas.clientWidth;
    if (!context || width === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const bar = Math.max(1, width / count - (width / count > 3 ? 1 : 0));
    for (let i = 0; i < count; i++) {
      const time = timeOfTick(i), size = Math.max(1, (time / top) * (height - 4));
      const isMarked = pressed >= 0 && current >= 0 ? i >= Math.min(pressed, current) && i <= Math.max(pressed, current) : i === opened || state.ticks !== '' && view.isShownTick[i] === 1;
      if (isMarked) {
        context.fillStyle = style.getPropertyValue('--accent');
        context.globalAlpha = 0.16;
        context.fillRect((i * width) / count, 0, Math.max(1, width / count), height);
        context.globalAlpha = 1;
      }
      context.fillStyle = style.getPropertyValue(i === current || i === opened ? '--accent' : time > 2 * budget ? '--bad' : time > budget ? '--warn' : '--bar-quiet');
      context.fillRect((i * width) / count, height - size, i === current || i === opened ? Math.max(2, bar) : bar, size);
    }
    if (!isAnySlow) return;
    const y = Math.round(height - (budget / top) * (height - 4)) + 0.5;
    context.fillStyle = style.getPropertyValue('--bad');
    context.font = '11px system-ui, sans-serif';
    context.fillText(`${budget / 1e6} ms`, 2, y > 14 ? y - 3 : y + 11);
    context.strokeStyle = style.getPropertyValue('--bad');
    context.setLineDash([3, 3]);
    context.globalAlpha = 0.7;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  };
  const point = (/** @type {number} */ i) => {
    current = i;
    status.textContent = i >= 0 && pressed >= 0 && pressed !== i ? `#${numberOfTick(Math.min(i, pressed))} to #${numberOfTick(Math.max(i, pressed))}` : i < 0 ? `${formatGameTime(secondsOfTick(0))} to ${formatGameTime(secondsOfTick(count - 1))}${isAnySlow ? '' : `; the longest bar is ${formatTime(longest)}`}` : tickTitle(i);
    draw();
  };
  // A finger is wider than a bar: it takes the longest near it.
  const at = (/** @type {PointerEvent} */ event) => {
    const around = event.pointerType === 'touch' ? 12 : 0;
    const from = Math.max(0, Math.floor(((event.offsetX - around) / width) * count)), to = Math.max(from + 1, Math.floor(((event.offsetX + 1 + around) / width) * count));
    let best = Math.min(from, count - 1);
    for (let i = from; i < Math.min(to, count); i++) if (timeOfTick(i) > timeOfTick(best)) best = i;
    return best;
  };
  canvas.addEventListener('pointermove', (event) => point(at(event)));
  canvas.addEventListener('pointerleave', () => { pressed = -1; point(-1); });
  canvas.addEventListener('pointercancel', () => { pressed = -1; point(-1); });
  canvas.addEventListener('pointerdown', (event) => { if (model.changes && event.button === 0) pressed = at(event); });
  canvas.addEventListener('pointerup', (event) => {
    const from = pressed, to = at(event);
    pressed = -1;
    if (event.button !== 0) return;
    if (from < 0 || from === to) choose(to);
    else go({ ticks: `${numberOfTick(Math.min(from, to))}-${numberOfTick(Math.max(from, to))}` });
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowRight') point(Math.min(count - 1, current + 1));
    else if (event.key === 'ArrowLeft') point(Math.max(0, current - 1));
    else if (event.key === 'Enter' && current >= 0) choose(current);
    else return;
    event.preventDefault();
  });
  canvas.style.height = `${height}px`;
  canvas.addEventListener('redraw', draw);
  new ResizeObserver(draw).observe(canvas);
  point(-1);
  return h('div', {}, canvas, status);
}

/** @param {number} part of all ticks, that take no longer */
function tickPercentile(part) {
  const times = Array.from({ length: tickCount() }, (_, i) => timeOfTick(i)).sort((a, b) => a - b);
  return times[Math.max(0, Math.ceil(part * times.length) - 1)] ?? 0;
}

const aboutTimes = 'Here the cost of recording each tick is subtracted from that tick. On the other pages, chosen ticks get their share of the cost of the whole recording, so the time of a tick can differ a little.';

const showOther = (/** @type {number} */ value) => (value > 0 ? formatTime(value) : '–');

/** Threads, by the function that they began with. */
function threadsSection() {
  const of = data.threads ?? {}, at = (/** @type {string} */ key, /** @type {number} */ i) => of[key]?.[i] ?? 0;
  const rows = (of.function ?? []).map((/** @type {number} */ id, /** @type {number} */ i) => ({
    id, total: at('total', i), threads: at('threads', i), wakes: at('wakes', i), wake: at('wake', i), wake99: at('wake99', i),
    polls: at('polls', i), pollTime: at('poll_time', i), died: at('died', i),
  }));
  if (rows.length === 0) return null;
  return section('Threads', 'of the whole recording, by the function that they began with', makeTable({
    rows, limit: 20, sort: 'total', sortName: 'threads', caption: 'Threads', nameTitle: 'function', name: (row) => functionLink(row.id),
    columns: [
      ...timeColumns('total', 'time', 0).filter(({ key }) => key !== 'total%'),
      { key: 'threads', title: 'threads' },
      { key: 'wakes', title: 'wakes', help: 'how often they ran, from a resumption to the next' },
      { key: 'wake', title: 'a wake', help: 'the median', show: (value) => formatTime(value), isTime: true },
      { key: 'wake99', title: '99%', help: '99% of the wakes took at most this', show: (value) => formatTime(value), isTime: true, isWide: true },
      { key: 'polls', title: 'polls', help: 'wakes that found nothing to do, as far as their calls tell', isWide: true },
      { key: 'pollTime', title: 'time of polls', show: showOther, isTime: true, isWide: true },
      { key: 'died', title: 'died', help: 'threads that an error ended', isWide: true },
    ],
  }));
}

/** @param {View} view */
export function ticksPage(view) {
  const over = Number(state.more.get('over')) || data.budget_ns / 1e6, wanted = state.more.get('tick');
  const rows = Array.from({ length: tickCount() }, (_, i) => ({ id: i, time: timeOfTick(i), calls: data.ticks.calls?.[i] ?? 0, usual: (data.ticks.usual?.[i] ?? 0) - 1, isSlowed: Boolean(data.ticks.slowed?.[i]) }));
  const chosen = rows.findIndex(({ id }) => nameOfTick(id) === wanted);
  const slow = rows.filter(({ time }) => time > over * 1e6);
  const listed = slow.length >= 10 ? slow : [...rows].sort((a, b) => b.time - a.time || a.id - b.id).slice(0, 10);
  const title = slow.length >= 10 ? 'Slow ticks' : 'The slowest ticks';
  const slider = /** @type {HTMLInputElement} */ (h('input', {
    type: 'range', min: '1', max: String(Math.ceil(rows.reduce((most, { time }) => Math.max(most, time), data.budget_ns) / 1e6)), value: String(over), id: 'over',
    onchange: () => go({ more: new URLSearchParams({ over: slider.value }) }),
  }));
  const isCollection = (/** @type {number} */ i) => numberOfTick(i) % data.collection === 0;
  return [
    h('p', { class: 'lead' }, h('b', {}, `${formatCount(slow.length)} of ${formatCount(rows.length)} ticks`), ` took more than ${over} ms. `,
      `Median ${formatTime(tickPercentile(0.5))}; 95% of the ticks took at most ${formatTime(tickPercentile(0.95))}, 99% at most ${formatTime(tickPercentile(0.99))}.`),
    h('p', { class: 'controls' }, h('label', { for: 'over' }, `Slow is more than ${over} ms `), slider,
      model.changes && slow.length > 0 ? h('a', { href: linkTo({ ticks: `over${over}` }) }, `Show only ${slow.length === 1 ? 'the slow tick' : `the ${formatCount(slow.length)} slow ticks`} on all pages`) : null),
    model.changes ? makeTickForm() : null,
    section('All ticks', model.changes ? 'click on one; drag over some to show only these on all pages' : 'choose one', makeTickStrip(view, over * 1e6, 140, (i) => go({ more: new URLSearchParams([['tick', nameOfTick(i)], ...(over === data.budget_ns / 1e6 ? [] : [['over', String(over)]])]) }), chosen)),
    chosen >= 0 ? tickSection(chosen) : null,
    section(title, 'with the functions that took the most time of their own', makeTable({
      rows: listed, limit: 100, sort: 'time', caption: title, text: (row) => `#${numberOfTick(row.id)} ${whenOfTick(row.id)}`, nameTitle: 'tick', tie: (row) => row.id,
      columns: [
        ...timeColumns('time', 'time', 0).filter(({ key }) => key !== 'time%'),
        { key: 'usual', title: 'usual', help: 'what the same calls usually take; –: not known', show: showOther, isTime: true },
        { key: 'calls', title: 'calls' },
      ],
      name: (row) => h('span', { class: 'function' },
        h('a', { class: 'name', href: linkTo({ more: new URLSearchParams({ tick: nameOfTick(row.id) }) }) }, `#${numberOfTick(row.id)}`),
        h('span', { class: 'place' }, `${whenOfTick(row.id)}${isCollection(row.id) ? ' garbage collection' : ''}${row.isSlowed ? ' · probably the computer, not the game' : ''} `,
          tickFunctions(row.id).slice(0, 3).map(({ func, self }) => h('span', {}, ` · ${nameInTextOf(func)} ${formatTime(self)}`)))),
    })),
    threadsSection(),
    h('p', { class: 'quiet' }, 'The time of a tick is that of the Lua that was recorded; what the engine does itself is not in it. ',
      model.changes ? `Chosen ticks change the numbers of all pages; this list is always of all ticks. ${aboutTimes}`
        : 'The choice above does not filter ticks.'),
  ];
}

/** The first and the last tick that are shown, to be typed. */
function makeTickForm() {
  const choice = parseTicks(state.ticks), last = tickCount() - 1;
  const field = (/** @type {string} */ label, /** @type {number} */ value) => /** @type {HTMLInputElement} */ (h('input', {
    type: 'number', class: 'chip', 'aria-label': label, value, min: numberOfTick(0), max: numberOfTick(last),
  }));
  const from = field('First tick', choice && choice.over < 0 ? choice.from : numberOfTick(0));
  const to = field('Last tick', choice && choice.over < 0 ? choice.to : numberOfTick(last));
  return h('form', { class: 'controls', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const ends = [Number(from.value), Number(to.value)];
    go({ ticks: `${Math.min(...ends)}-${Math.max(...ends)}` });
  } }, 'Ticks # ', from, ' to # ', to, h('button', { type: 'submit', class: 'plain' }, 'Show only these'),
  state.ticks !== '' ? h('a', { href: linkTo({ ticks: '' }) }, 'Show all ticks') : null);
}

/** @param {number} i */
function tickFunctions(i) {
  const list = data.ticks.functions[i] ?? [], found = [];
  for (let k = 0; k < list.length; k += 3) found.push({ func: list[k], self: list[k + 1], calls: list[k + 2] });
  return found;
}

/** @param {number} i */
function tickSection(i) {
  const rows = tickFunctions(i).map(({ func, self, calls }) => ({ id: func, self, calls }));
  const number = numberOfTick(i), run = data.runs.length > 1 ? `--run ${runOfTick(i)} ` : '';
  // A report of several logs has only the name of the first.
  const logs = / and [\d,]+ more$/.test(data.title) ? 'LOG...' : `"${data.title}"`;
  return section(`Tick ${tickTitle(i)}`, '',
    rows.length === 0 ? h('p', {}, 'Functions are listed here only for the slowest ticks. This is how to see those of this tick:') : makeTable({
      rows, caption: 'Functions of the tick', nameTitle: 'function', name: (row) => functionLink(row.id),
      columns: [
        ...timeColumns('self', 'self', timeOfTick(i), Math.max(1, timeOfTick(i))),
        { key: 'calls', title: 'calls', help: '– : it ran already when the tick began', show: showCalls },
      ],
    }),
    model.changes ? h('p', {}, h('a', { href: linkTo({ page: 'overview', ticks: `${number}-${number}` }) }, 'Show only this tick on all pages'), `: callers, callees, flame graph. ${aboutTimes}`) : null,
    model.changes ? null : h('p', { class: 'quiet' }, 'All of it, with callers and callees: ', h('code', {}, `supprof ${run}--tick ${number} ${logs} -o tick-${number}.html`)));
}
