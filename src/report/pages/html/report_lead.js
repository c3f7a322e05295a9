// report_lead.js - what each kind of report says first: key figures, the verdict in words,
// warnings, and what stands out.

import { formatCount, formatPercent, formatTime, withMicro } from './report_format.js';
import {
  cellOf,
  data,
  functions,
  isHeld,
  isSampled,
  isSlowed,
  model,
  nameInTextOf,
  rowsOfTable,
  slowCount,
  tickCount,
  tickWords,
  ticksOf,
  timeOfTick,
  fullNameOfTick,
} from './report_data.js';
import { isAll, linkTo, pathLink, tickLink } from './report_state.js';
import { h, nameLink } from './report_elements.js';

const sentences = document.getElementById('sentences');

/** The sentences of the page without a script: of a copy. */
export const allSentences = () => withMicro(sentences?.textContent ?? '');

/** A number, and what it is of. @typedef {[string, ...(Node | string | null)[]] | null} Key */

/** Key figures side by side. @param {Key[]} keys */
export const makeKeys = (keys) =>
  h(
    'dl.keys',
    keys.flatMap((key) =>
      key === null ? [] : [h('div.key', h('dd', key[0]), h('dt', key.slice(1)))]
    )
  );

/** @param {string[]} lines */
export const makeWarned = (lines) =>
  lines.map((line) => h('p.warned', withMicro(line.replace(/\.?$/, '.'))));

/** @param {(Node | string)[]} words */
export const makeFirst = (...words) => h('p.first', words);

/* A recording --------------------------------------------------------------------------------- */

const verdict = data.verdict.map(withMicro),
  lineOf = (/** @type {RegExp} */ words) =>
    verdict.map((/** @type {string} */ line) => words.exec(line)).find(Boolean) ?? null;

/** What was recorded, without its name, which is above. */
const subject = () =>
  !verdict[0] || verdict[0].startsWith('Watched: ')
    ? null
    : h('p.quiet.subject', (verdict[0] ?? '').replace(`${data.title}: `, '').replace(/\.?$/, '.'));

/** How long Lua took, and of what. @returns {Key} */
function luaKey() {
  const [, time, share = ''] =
    lineOf(/^Lua took (.*?)(, (?:under )?\d+% of the real time| of .*)?$/) ?? [];
  if (time === undefined) return null;
  const found = /(under )?\d+%/.exec(share);
  return found
    ? [found[0], `of the real time is Lua: ${time}`]
    : [
        time.replace(/ in the recorded.*/, ''),
        `spent in Lua${data.watched ? ' where calls were recorded' : ''}${share}`,
      ];
}

/** How many ticks were slow, as the verdict counts them. @returns {Key} */
function slowKey() {
  if (!data.ticks && !data.watched) return null;
  const limit = `over ${data.budget_ns / 1e6} ms`,
    chosen = lineOf(/(None|[\d,]+) of ([\d,]+) (?:\w+ )?recorded by chance/),
    watched = /Watched: (.*?) of ([\d,]+) ticks over ([\d.]+ ms)/.exec(data.after.join(' '));
  if (watched)
    return [
      `${watched[1] === 'none' ? 0 : watched[1]} of ${watched[2]}`,
      `watched ticks over ${watched[3]}`,
    ];
  if (isSampled)
    return (
      chosen && [
        `${chosen[1] === 'None' ? 0 : chosen[1]} of ${chosen[2]}`,
        `ticks recorded by chance took ${limit}`,
      ]
    );
  const count = computerCount();
  return [
    `${formatCount(slowCount())} of ${formatCount(tickCount())}`,
    tickWords(`ticks ${limit}`),
    count > 0 ? `, ${formatCount(count)} probably the computer's doing` : null,
  ];
}

const computerCount = () =>
  ticksOf((i) => Number(timeOfTick(i) > data.budget_ns && isSlowed(i))).reduce(
    (sum, one) => sum + one,
    0
  );

/** The longest tick, and what took it. @returns {Key} */
function longestKey() {
  const [watched, name, time, rest] =
    /^(#.*?) took ([\d.]+ \S+?)[:;] (.*?)(;|$)/.exec(data.watched?.slow_ticks[0] ?? '') ?? [];
  if (data.watched)
    return watched
      ? [withMicro(time), `the longest watched tick, ${name}: ${rest}`]
      : [formatTime(Math.max(...data.watched.longest)), 'the longest watched tick'];
  if (!data.ticks || tickCount() === 0) return null;
  const times = ticksOf(timeOfTick),
    longest = times.indexOf(times.reduce((most, ns) => Math.max(most, ns), 0)),
    name2 = fullNameOfTick(longest);
  const of = lineOf(/, took .*?: (\d.*)$/);
  return [
    formatTime(times[longest]),
    tickWords('the longest tick, '),
    h('a', { href: tickLink(longest) }, name2),
    of && verdict.join().includes(`${name2}, took`) ? `: ${of[1]}` : null,
  ];
}

const hasNotes = data.notes.some((/** @type {string} */ text) => text.startsWith('Note: ')),
  notesLink = (/** @type {string} */ text) =>
    h('a', { href: linkTo({ page: 'about', path: [] }) }, text);

/** How far the times can be trusted. @returns {Key} */
function trustKey() {
  if (model.tree.count === 1 || !data.all_ns) return null;
  const cost = data.cost ? `; the recorder's cost is ${withMicro(data.cost)}` : '',
    notes = hasNotes ? ['; ', notesLink('notes')] : [];
  const table = data.rows?.function,
    [first] = isSampled ? rowsOfTable(table) : [];
  const error = first && cellOf(table, 'self_error_percent', first.at);
  if (error)
    return [
      `±${formatPercent(error, model.tree.total[0])}%`,
      `of all: the error of ${nameInTextOf(first.id)}, which has the most`,
      ...notes,
    ];
  const { self } = model.tree.columns;
  let doubtful = 0;
  model.tree.func.forEach((func, node) => {
    if (node > 0 && functions.mark?.[func]) doubtful += self[node];
  });
  const part = 1 - doubtful / Math.max(1, data.all_ns);
  return [
    part === 1 ? 'all' : part > 0.9995 ? 'nearly all' : `${formatPercent(part, 1)}%`,
    `of the time is in functions without a mark${cost}`,
    ...notes,
  ];
}

/** The verdict in words. */
function wordsOfVerdict() {
  const text = verdict.join('\n'),
    [found] = data.findings.filter((/** @type {Finding} */ { kind }) => kind === 'slow-ticks');
  const [few] = lineOf(/^Only [\d,]+ ticks? w(as|ere) recorded/) ?? [],
    busy = computerCount(),
    count = slowCount();
  if (few) return [`${few}: record for longer, this says little about the game.`];
  if (/too coarse/.test(text)) return [`${verdict.at(-1)}.`];
  // A function with less than half of a tick does not make it long.
  /** @type {(found: RegExpExecArray, tick: string, makes: string) => string} */
  const blame = ([, percent, name], tick, makes) =>
    Number(percent) < 50
      ? `${name} takes ${percent}% of ${tick}.`
      : `${name} makes ${tick} ${makes}.`;
  const [watched] = data.watched?.slow_ticks ?? [],
    thread = /: (\d+)% ([^;,]+)/.exec(watched ?? '');
  if (watched)
    return [
      thread
        ? blame(thread, 'the longest watched tick', 'long')
        : 'The longest watched tick passed in no thread.',
    ];
  if (busy > 0 && busy === count)
    return ['Probably your computer was busy: record again with nothing else running.'];
  if (found && found.function !== null)
    return [nameLink(found.function), tickWords(' makes ticks slow.')];
  if (/does not make this game slow|nothing here makes/.test(text))
    return ['Lua does not make this game slow.'];
  const most = lineOf(/^Most self time: (.*)$/);
  if (most) return [`Most time: ${most[1]}.`];
  const longest = lineOf(/took .*: (\d+)% (.*?)(, \d+%|$)/);
  return count > 0
    ? [tickWords(longest ? blame(longest, 'the longest tick', 'slow') : 'Some ticks are slow.')]
    : data.ticks || data.watched
      ? [tickWords('No tick was slow.')]
      : [];
}

/** The first lines of a recording, and of the records of delins' profiler. */
export function makeLead() {
  const words = wordsOfVerdict(),
    calls = /([\d,]+) (calls? of [\d,]+ functions?)/.exec(verdict[0] ?? '');
  return [
    ...makeWarned(data.warned),
    makeKeys([
      luaKey(),
      data.ticks || data.watched ? slowKey() : calls && [calls[1], calls[2]],
      longestKey(),
      trustKey(),
    ]),
    words.length > 0 ? makeFirst(...words) : null,
    subject(),
    ...data.after
      .filter((/** @type {string} */ line) => !data.verdict.includes(line))
      .map((/** @type {string} */ line) => h('p', `${withMicro(line)}.`)),
  ];
}

/** How long ticks take: what the chart of them says. */
export const percentiles = () => lineOf(/^(Tick|Frame)s: (.*)$/)?.[2] ?? '';

/* A comparison ------------------------------------------------------------------------------- */

/**
 * Both sides of a figure.
 * @param {string} old @param {string} now @param {string} what @returns {Key}
 */
const pairKey = (old, now, what) => [old === now ? `= ${now}` : `${old} → ${now}`, what];

/** The first lines of a comparison. */
export function makeComparedLead() {
  const [first, ...rest] = verdict,
    text = rest.join('\n'),
    tick = /recorded took/.test(text) ? 'recorded tick' : 'tick';
  const slow = /^(.*?) took over (.*?), (?:old|others) (.*?)$/m.exec(text),
    bare = (/** @type {string} */ side) => side.replace(/ (?:tick|frame)s?( recorded)?$/, ''),
    times = /Median (.*?), (?:old|others) (.*?); longest (.*?), (?:old|others) (.*?)$/m.exec(text);
  const keys = [
    slow && pairKey(bare(slow[3]), bare(slow[1]), tickWords(`${tick}s took over ${slow[2]}`)),
    times && pairKey(times[2], times[1], tickWords(`the median ${tick}`)),
    times && pairKey(times[4], times[3], tickWords(`the longest ${tick}`)),
  ];
  return [
    ...makeWarned(data.warned),
    makeFirst(`${first}.`),
    slow || times ? makeKeys(keys) : rest.map((/** @type {string} */ line) => h('p', `${line}.`)),
    hasNotes ? h('p.quiet', 'Before you trust a number, ', notesLink('read the notes'), '.') : null,
    ...data.after.map((/** @type {string} */ line) => h('p', `${withMicro(line)}.`)),
  ];
}

/** The first lines of two watched games. */
export function makeWatchedLead() {
  const text = withMicro(data.after.join(' ')),
    [, slow, oldSlow, limit] =
      /: (\S+ of \S+) \w+ slow, old (\S+ of [\d,]*\d)(, over [\d.]+ ms)?/.exec(text) ?? [],
    [, time, oldTime, most] = /took (\S+ \S+) a \w+, old (\S+ [^\s:]+):? ?(.*)/.exec(text) ?? [];
  return [
    ...makeWarned(data.warned),
    makeFirst(
      most
        ? tickWords(`In a tick: ${most}.`)
        : time && time === oldTime
          ? 'Threads take as long as before.'
          : `${text}.`
    ),
    makeKeys([
      slow ? pairKey(oldSlow, slow, tickWords(`slow ticks${limit ?? ''}`)) : null,
      time ? pairKey(oldTime, time, tickWords('threads in a tick')) : null,
    ]),
  ];
}

/* What stands out ---------------------------------------------------------------------------- */

/** What has become of the findings of the old logs. */
export const judgedItems = () =>
  ((isAll() && data.judged_findings) || []).map((/** @type {{ text: string }} */ { text }) =>
    h('li', `${withMicro(text)}.`)
  );

/** What stands out in all of it. */
export const findingItems = () =>
  (isAll() ? data.findings : []).map((/** @type {Finding} */ one) => h('li', partsOfFinding(one)));

/**
 * `caller` is another function that the sentence names: of a loop, the one that it is in.
 * @typedef {object} Finding
 * @property {string} text
 * @property {number | null} function
 * @property {number | null} caller
 * @property {string} kind
 */
/**
 * A finding, and the links that it leads to.
 * @param {Finding} finding
 * @returns {(Node | string)[]}
 */
function partsOfFinding({ text, function: callee, caller, kind }) {
  // A loop is repaired where it is.
  const func = kind === 'loop' ? caller : callee;
  const link = (/** @type {string} */ href, /** @type {string} */ words) => h('a', { href }, words);
  const links = [];
  if (['distance', 'computer'].includes(kind))
    links.push(link(linkTo({ page: 'ticks' }), tickWords('Open the ticks')));
  else if (func !== null && ['slow-ticks', 'what-if'].includes(kind) && model.changes) {
    const slow = linkTo({
      page: 'path',
      path: [func],
      more: {},
      ticks: `over${data.budget_ns / 1e6}`,
    });
    links.push(
      link(slow, tickWords('Open it in the slow ticks')),
      ' or ',
      link(pathLink([func]), 'in all')
    );
  } else if (func !== null)
    links.push(
      link(pathLink([func]), `Open ${nameInTextOf(func)}`),
      ...(['ended-threads', 'forks'].includes(kind)
        ? [' or ', link(linkTo({ page: 'threads' }), 'the threads')]
        : [])
    );
  const shown = withMicro(
    isHeld
      ? text.replace(
          "--lua-root finds names in the game's sources",
          "choose the game's sources in the Options, Lua sources"
        )
      : text
  );
  return [shown, /[?!.]$/.test(shown) ? ' ' : '. ', ...links];
}
