// report_search.js - the one search box: functions, files, mods, ticks and lines. Enter opens what
// is found, Shift Enter shows only it, Alt Enter hides it.

import { findAll } from './report_find.js';
import { formatThings } from './report_format.js';
import {
  data,
  functions,
  model,
  numberOfTick,
  secondsOfTick,
  ticksOf,
  tickTitle,
  tickWords,
  timeOfTick,
} from './report_data.js';
import { go, linkTo, pathLink, tickLink } from './report_state.js';
import { formatShare, groupSums, h, withChip } from './report_elements.js';

/** @typedef {import('./report_state.js').View} View */
/** @typedef {import('./report_model.js').Chip['what']} What */
/**
 * What was found: its text and figure, where it leads, and what can be shown alone or hidden.
 * @typedef {{text: string, amount: string, open: () => void, what?: What, value?: string}} Found
 */

/**
 * @param {View} view
 * @param {string} text
 * @returns {{title: string, count: number, found: Found[]}[]}
 */
function find(view, text) {
  const [link] = /#\/.+/s.exec(text) ?? [];
  const { total, oldTotal } = view.sums,
    ticks = ticksOf((i) => ({
      number: numberOfTick(i),
      seconds: secondsOfTick(i),
      time: timeOfTick(i),
    }));
  const files = groupSums(view, 'file'),
    mods = groupSums(view, 'mod');
  const found = findAll(text, {
    labels: functions.label,
    weights: total,
    files: files.map((row) => row.text),
    mods: mods.map((row) => row.text),
    ticks,
  });
  const share = (/** @type {{total: number, oldTotal: number}} */ of) =>
    formatShare(of, view.share);
  const open = (/** @type {string} */ address) => () => {
    window.location.hash = address;
  };
  if (link)
    return [{ title: 'A link', count: 1, found: [{ text: link, amount: '', open: open(link) }] }];
  const openFunction = (/** @type {number} */ func) => ({
    text: functions.label[func],
    amount: share({ total: total[func], oldTotal: oldTotal[func] }),
    open: open(pathLink([func])),
    what: /** @type {What} */ ('function'),
    value: functions.label[func],
  });
  const tick = (/** @type {number} */ i) => ({
    text: tickTitle(i),
    amount: '',
    open: open(tickLink(i)),
  });
  const of =
    (/** @type {'file' | 'mod'} */ what, /** @type {any[]} */ rows) =>
    (/** @type {number} */ i) => ({
      text: rows[i].text,
      amount: `${share({ total: rows[i].self, oldTotal: rows[i].oldSelf })} self`,
      what,
      value: rows[i].text,
      open: open(
        what === 'file'
          ? linkTo({ page: 'files', path: [], more: { file: rows[i].text } })
          : linkTo({
              page: 'overview',
              path: [],
              chips: withChip({ kind: 'only', what, value: rows[i].text }),
            })
      ),
    });
  const [first, last] = found.range,
    choice =
      found.range.length > 0 ? `${first}-${last}` : found.over > 0 ? `over${found.over}` : '';
  const chosen =
    choice && model.changes
      ? [
          {
            text:
              tickWords(`${formatThings(found.ticks.length, 'tick')} `) +
              (found.over > 0 ? `over ${found.over} ms` : `#${first} to #${last}`),
            amount: '',
            open: open(linkTo({ ticks: choice })),
          },
        ]
      : [];
  const most = 5,
    /** @type {(title: string, all: number[], make: (i: number) => Found, first?: any[]) => any} */
    group = (title, all, make, first = []) => ({
      title,
      count: all.length,
      found: [...first, ...all.slice(0, most).map(make)],
    });
  return [
    group(tickWords('Ticks'), found.ticks, tick, chosen),
    group('At that line', found.lines, openFunction),
    group('Functions', found.functions, openFunction),
    group('Files', found.files, of('file', files)),
    group('Mods', found.mods, of('mod', mods)),
  ].filter((one) => one.found.length > 0);
}

/** A text with what was looked for marked. @param {string} text @param {string} wanted */
function marked(text, wanted) {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  return at < 0 || wanted === ''
    ? [text]
    : [
        text.slice(0, at),
        h('mark', text.slice(at, at + wanted.length)),
        text.slice(at + wanted.length),
      ];
}

/** @param {View} view */
export function makeSearch(view) {
  const list = h('div.found', {
    id: 'found',
    role: 'listbox',
    'aria-label': 'What was found',
    hidden: true,
  });
  /** @type {Found[]} */
  let entries = [];
  let current = 0;
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'search',
      id: 'search',
      placeholder: data.ticks ? tickWords('/  function, file, tick…') : '/  function, file…',
      autocomplete: 'off',
      spellcheck: 'false',
      role: 'combobox',
      'aria-label': tickWords('Search functions, files, mods, ticks and lines'),
      'aria-expanded': 'false',
      'aria-controls': 'found',
      'aria-autocomplete': 'list',
    })
  );
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const point = (/** @type {number} */ to) => {
    current = Math.max(0, Math.min(entries.length - 1, to));
    [...list.querySelectorAll('[role=option]')].forEach((option, i) =>
      option.setAttribute('aria-selected', String(i === current))
    );
    const option = document.getElementById(`found-${current}`);
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
  };
  /** @type {(entry: Found | undefined, keys: {shiftKey: boolean, altKey: boolean}) => void} */
  const act = (entry, keys) => {
    if (!entry) return;
    const { what, value } = entry;
    input.value = '';
    close();
    document.getElementById('page')?.focus();
    if ((keys.shiftKey || keys.altKey) && what && value !== undefined)
      go({ chips: withChip({ kind: keys.altKey ? 'hide' : 'only', what, value }) });
    else entry.open();
  };
  const show = () => {
    const text = input.value.trim(),
      groups = text === '' ? [] : find(view, text);
    entries = groups.flatMap(({ found }) => found);
    let number = 0;
    list.replaceChildren(
      ...groups.map(({ title, count, found }) =>
        h(
          'div',
          { role: 'group', 'aria-label': title },
          h('p', { 'aria-hidden': 'true' }, `${title} · ${count}`),
          found.map((entry) => {
            const id = number++;
            return h(
              'div',
              {
                role: 'option',
                id: `found-${id}`,
                onpointermove: () => {
                  if (current !== id) point(id);
                },
                onclick: (/** @type {MouseEvent} */ event) => act(entry, event),
              },
              h('span', marked(entry.text, text)),
              h('span.amount', entry.amount)
            );
          })
        )
      ),
      h(
        'p.quiet',
        { role: 'presentation' },
        text === '' || groups.length > 0
          ? 'Enter opens, Shift Enter shows only it, Alt Enter hides it'
          : `'${text}' is no function, file${data.ticks ? tickWords(', tick') : ''} or mod`,
        data.ticks
          ? tickWords('. #912, 38-60, 1:51 and >8ms find ticks, unit.lua:120 a line.')
          : '. unit.lua:120 finds a line.'
      )
    );
    list.hidden = text === '';
    input.setAttribute('aria-expanded', String(!list.hidden));
    if (list.hidden) close();
    else point(0);
  };
  input.oninput = input.onfocus = show;
  input.onblur = () => setTimeout(close, 200);
  input.onkeydown = (event) => {
    if (event.key === 'ArrowDown') point(current + 1);
    else if (event.key === 'ArrowUp') point(current - 1);
    else if (event.key === 'Enter') act(entries[current], event);
    else if (event.key === 'Escape') close();
    else return;
    if (event.key !== 'Escape') event.preventDefault();
  };
  return h('div.search', input, list);
}
