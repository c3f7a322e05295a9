// order.mjs SUPPROF WORK LOG...
//
// The wakes of each tick, the calls of the slowest and the ticks of longest calls, as they are in
// the data of HTML reports, against the time line of -f trace, of which each slice is known: the
// same threads in the same order, with the same times but for steps of the clock, which the
// recorder reads for an event and not for a slice. Of calls also the times are the same.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const [supprof, work, ...logs] = process.argv.slice(2);
let wakeCount = 0,
  longestCount = 0,
  callCount = 0,
  failedCount = 0;
const expect = (isSo, what) => {
  if (isSo) return;
  console.log(`FAILED: ${what}`);
  failedCount++;
};
// Three more decimals count the events of one nanosecond.
const ns = (us) => Math.floor(us * 1000 + 1e-4);
const TICKS_THREAD = 1;

/**
 * What the time line says: the wakes in their order, and of each function how long its calls took
 * at most, in each tick.
 */
function readTrace(events, step) {
  const ticks = events
    .filter(({ ph, tid }) => ph === 'B' && tid === TICKS_THREAD)
    .map(({ ts }) => ns(ts));
  const tickAt = (time) => ticks.findLastIndex((begin) => begin <= time);
  const coroutines = new Set(
    events
      .filter(
        ({ ph, name, args }) => ph === 'M' && name === 'thread_name' && / #\d+$/.test(args.name)
      )
      .map(({ tid }) => tid)
  );
  const wakes = [],
    last = new Map(),
    longest = new Map(),
    stacks = new Map();
  for (const { ph, tid, ts, name, args } of events) {
    if (tid === TICKS_THREAD) continue;
    if (!stacks.has(tid)) stacks.set(tid, []);
    if (ph === 'B') stacks.get(tid).push({ name, begin: ns(ts), args });
    if (ph !== 'E') continue;
    const stack = stacks.get(tid),
      call = stack.pop(),
      end = ns(ts),
      tick = tickAt(call.begin);
    if (!call.args?.continued && !call.args?.unfinished && !call.args?.error) {
      if (!longest.has(call.name)) longest.set(call.name, new Map());
      const of = longest.get(call.name);
      // What ends in the same step of the clock in which a tick begins may be of the tick before.
      for (const one of [tickAt(end), tickAt(end - 1)])
        of.set(one, Math.max(of.get(one) ?? 0, end - call.begin));
    }
    if (stack.length > 0 || !coroutines.has(tid) || tick < 0) continue;
    // A callback of the engine divides a wake. Where a tick begins in the same step of the clock,
    // it is another one.
    const known = last.get(tid);
    if (known && tickAt(known.begin - step) === tick && tickAt(call.begin + step) === tick)
      known.time += end - call.begin;
    else {
      last.set(tid, { name: call.name, time: end - call.begin, begin: call.begin, tid, tick });
      wakes.push(last.get(tid));
    }
  }
  // The recorder's thread has none.
  const own = wakes.filter(({ name }) => name !== '(profiler)');
  return { wakes: own.sort((a, b) => a.begin - b.begin || a.tid - b.tid), longest, tickAt };
}

/** All calls of the time line and their times, in the order in which they began. */
function readCalls(events) {
  const calls = [],
    stacks = new Map();
  for (const { ph, tid, ts, name, args } of events) {
    if (tid === TICKS_THREAD || (ph !== 'B' && ph !== 'E')) continue;
    if (!stacks.has(tid)) stacks.set(tid, []);
    const stack = stacks.get(tid);
    if (ph === 'B') {
      const call = {
        name,
        begin: ns(ts),
        depth: stack.length,
        isContinued: Boolean(args?.continued),
      };
      calls.push(call);
      stack.push(call);
    } else {
      const call = stack.pop();
      call.time = ns(ts) - call.begin;
    }
  }
  return calls;
}

/** The calls in order of the ticks that the page has them of: all, but for the shortest and those
 * of the recorder. */
function checkOrder(log, data, events) {
  // A function that did nothing but call the recorder has no row.
  const { order, tick: number } = data.ticks,
    labels = new Set(data.functions.label),
    key = ({ name, begin, time, depth, isContinued }) =>
      `${begin} ${time} ${depth} ${labels.has(name) ? name : '(folded)'} ${isContinued}`;
  const begins = events
      .filter(({ ph, tid }) => ph === 'B' && tid === TICKS_THREAD)
      .map(({ ts, name }) => ({ begin: ns(ts), number: Number(/#(\d+)/.exec(name)[1]) })),
    calls = readCalls(events);
  let i = 0;
  order.tick.forEach((tick, k) => {
    const at = begins.findIndex((one) => one.number === number[tick]),
      all = calls.filter(
        ({ name, begin }) =>
          name !== '(profiler)' &&
          begin >= begins[at].begin &&
          begin <= (begins[at + 1]?.begin ?? Infinity)
      ),
      known = new Set(all.map(key));
    let { begin } = begins[at],
      shortest = Infinity,
      isKnown = true;
    const count = order.counts[k];
    for (const end = i + count; i < end; i++) {
      begin += order.begin[i];
      shortest = Math.min(shortest, order.time[i]);
      isKnown &&= known.has(
        key({
          name: data.functions.label[order.function[i]],
          begin,
          time: order.time[i],
          depth: order.depth[i],
          isContinued: order.continued[i] === 1,
        })
      );
    }
    callCount += count;
    expect(isKnown, `${log}: a call of tick ${number[tick]} is not in the time line`);
    const longer = all.filter(({ time }) => time > shortest).length;
    expect(
      longer <= count && all.length >= count && (order.left_out[k] === 0 || count > 2000),
      `${log}: of tick ${number[tick]}, ${count} calls, and ${longer} longer than the shortest`
    );
  });
  const slowest = Math.max(...data.ticks.time_ns);
  expect(
    order.tick.some((tick) => data.ticks.time_ns[tick] === slowest),
    `${log}: the slowest tick has no order`
  );
}

for (const log of logs) {
  const html = path.join(work, 'order.html'),
    json = path.join(work, 'order.json'),
    trace = path.join(work, 'order.trace.json');
  execFileSync(supprof, ['-q', '--overhead=off', '-o', html, '-o', json, log]);
  execFileSync(supprof, ['-q', '-o', trace, log]);
  const data = JSON.parse(
    zlib
      .inflateSync(
        Buffer.from(/id="data">([^<]*)</.exec(fs.readFileSync(html, 'utf8'))[1], 'base64')
      )
      .toString()
  );
  const events = JSON.parse(fs.readFileSync(trace, 'utf8')).traceEvents;
  checkOrder(log, data, events);
  const step = JSON.parse(fs.readFileSync(json, 'utf8')).recordings[0].clock_unit_ns + 1,
    wanted = readTrace(events, step),
    { function: functions, time: times, counts } = data.ticks.wakes,
    { label } = data.functions;
  const number = (tick) => data.ticks.tick[tick],
    tickOf = counts.flatMap((count, tick) => new Array(count).fill(tick));
  expect(tickOf.length === times.length, `${log}: wakes are of no tick`);
  let next = 0;
  for (const { name, time, begin } of wanted.wakes) {
    const isIn =
      tickOf[next] >= wanted.tickAt(begin - step) && tickOf[next] <= wanted.tickAt(begin + step);
    if (!isIn || name !== label[functions[next]]) continue;
    // The wakes of a function share its time in the tick, and each border is read to a step.
    const most = (2 + counts[tickOf[next]]) * step;
    // Where no other thread ran in between, two wakes of a thread are one slice.
    if (Math.abs(time - times[next]) <= most) next++;
    else if (Math.abs(time - times[next] - times[next + 1]) <= most) next += 2;
  }
  // A thread that was met in the middle of its life has no wake before its first mark.
  expect(
    next === times.length && next >= 0.95 * wanted.wakes.length,
    `${log}: wake ${next} of ${times.length}, in tick ${number(tickOf[next])}, is not the next ` +
      `in the time line, which has ${wanted.wakes.length}`
  );
  wakeCount += next;
  label.forEach((name, i) => {
    const tick = (data.functions.longest_in?.[i] ?? 0) - 1,
      of = wanted.longest.get(name);
    const longest = Math.max(
      ...data.nodes.longest.filter((_, node) => data.nodes.function[node] === i)
    );
    // A call that suspends its thread, while no other thread runs, is one slice with all the time
    // until it returns.
    if (tick < 0 || !of || Math.abs(longest - Math.max(...of.values())) > step) return;
    longestCount++;

    expect(
      (of.get(tick) ?? 0) >= Math.max(...of.values()) - 2 * step,
      `${log}: the longest call of ${name} did not end in ` +
        `tick ${number(tick)}: ${JSON.stringify([...of])}`
    );
  });
}
console.log(
  `${wakeCount} wakes, ${longestCount} longest calls, ${callCount} calls in order, ` +
    `${failedCount} failed`
);
process.exitCode =
  failedCount > 0 || wakeCount < 1000 || longestCount < 200 || callCount < 5000 ? 1 : 0;
