// report_page.js - what is above all pages, the step from one view to the next, and keys. Names
// from the log reach the page as text nodes only.

import { formatCount, formatLimit, formatPart, formatThings, formatTime } from './report_format.js';
import { columnOf, compilePattern } from './report_model.js';
import {
  canChooseThread,
  closing,
  data,
  isCompared,
  isUnrecorded,
  isWatched,
  listedTick,
  metrics,
  nameInTextOf,
  said,
  tickCount,
  tickWords,
} from './report_data.js';
import {
  commandOf,
  currentView,
  earlyAndLate,
  findChosen,
  go,
  isAll,
  keyTexts,
  linkTo,
  mistakeOf,
  noteShown,
  pages,
  parseTicks,
  readAddress,
  state,
  words,
} from './report_state.js';
import { announce, closeMenu, h, openedMenu, tables, withChip } from './report_elements.js';
import { budgetPage, threadsPage, ticksPage } from './report_ticks.js';
import { aboutPage, overviewPage, unrecordedPage } from './report_overview.js';
import { besideList, functionsPage, hasRoom, onRoom } from './report_list.js';
import { copyLink, exportButton } from './report_export.js';
import { copyPlace, pathPage } from './report_function.js';
import { flamePage } from './report_flames.js';
import { filesPage } from './report_files.js';
import { comparePage } from './report_compare.js';
import { repeatedPage } from './report_repeated.js';
import { callsPage } from './report_calls.js';
import { makeSearch } from './report_search.js';

/** @typedef {import('./report_model.js').Chip} Chip */
/** @typedef {import('./report_state.js').View} View */

const header = /** @type {HTMLElement} */ (document.getElementById('header'));
const page = /** @type {HTMLElement} */ (document.getElementById('page'));

/** What is wrong with a pattern; "" if nothing. @param {string} pattern */
function findMistake(pattern) {
  try {
    compilePattern(pattern);
    return '';
  } catch (error) {
    return mistakeOf(pattern, error);
  }
}

/* The frame of all pages ----------------------------------------------------------------------- */

/**
 * @param {string} id
 * @param {string} label
 * @param {[string, string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
function makeSelect(id, label, choices, chosen, choose) {
  const element = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { id, 'aria-label': label, class: 'chip', onchange: () => choose(element.value) },
      choices.map(([value, text]) => h('option', { value, selected: value === chosen }, text))
    )
  );
  return element;
}

function makeFilterForm() {
  const kinds = makeSelect(
    'filter-kind',
    'Kind of filter',
    Object.entries(words),
    'only',
    () => {}
  );
  const pattern = /** @type {HTMLInputElement} */ (
    h('input.chip', {
      id: 'filter',
      size: '14',
      placeholder: 'pattern',
      'aria-label': 'Pattern of a filter',
    })
  );
  pattern.oninput = () => pattern.setCustomValidity('');
  return h(
    'form.add',
    {
      id: 'add-filter',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        pattern.setCustomValidity(findMistake(pattern.value));
        if (pattern.value === '' || !pattern.reportValidity()) return;
        go({
          chips: withChip({
            kind: /** @type {any} */ (kinds.value),
            what: 'pattern',
            value: pattern.value,
          }),
        });
      },
    },
    kinds,
    pattern,
    h('button', { type: 'submit', class: 'plain' }, 'Add')
  );
}

/** @param {Parameters<typeof linkTo>[0]} changes @param {string} label */
const removeLink = (changes, label) =>
  h('a.remove', { href: linkTo(changes), 'aria-label': label }, '×');

const withoutChip = (/** @type {number} */ i) => ({ chips: state.chips.filter((_, k) => k !== i) });

/** What is shown, and what was left out. @param {View} view */
function makeScope(view) {
  const chips = view.steps.map(({ chip, before, after, mistake, isMatched }, i) =>
    h(
      'span.chip',
      `${words[chip.kind]} `,
      h('b', chip.value),
      h(
        'span.amount',
        mistake ? 'no pattern' : !isMatched ? 'no function' : chipAmount(chip, before, after)
      ),
      removeLink(withoutChip(i), `Remove: ${words[chip.kind]} ${chip.value}`)
    )
  );
  const adder = h(
    'details',
    { ontoggle: () => adder.querySelector('input')?.focus() },
    h('summary.adder', '+ filter'),
    makeFilterForm()
  );
  return h(
    'div.choice',
    { role: 'group', 'aria-label': 'What is shown' },
    tickChip(view),
    slowChip(view),
    !canChooseThread
      ? []
      : makeSelect(
          'thread',
          'Threads',
          [
            ['all', 'all threads'],
            ['main', 'main thread'],
            ['coroutine', 'coroutines'],
          ],
          state.thread,
          (thread) => go({ thread })
        ),
    makeSelect(
      'metric',
      'What is measured',
      Object.entries(metrics).map(([value, { name }]) => [value, name]),
      state.metric,
      (metric) => go({ metric })
    ),
    chips,
    adder,
    h(
      'span.left',
      { id: 'left', data: { value: view.all } },
      isFirstPage() ? '' : textOfShare(view)
    ),
    h('button.plain', { onclick: copyLink }, 'Copy link'),
    exportButton(view),
    h('button.plain', { 'aria-label': 'Keys', onclick: showKeys }, '?')
  );
}

/** Several games were watched. */
const hasWatches = columnOf(data.repeated?.watched, 'label').length > 0;

/** The page whose first sentences have the sums and both names. */
const isFirstPage = () => state.page === 'overview' && isAll();

/** @param {View} view */
function textOfShare({ all, tree }) {
  const { repeated } = data,
    now = formatTime(all);
  if (isUnrecorded) return '';
  if (repeated)
    return (
      'means of the logs: ' +
      (isCompared
        ? `${repeated.old} old ${formatTime(tree.oldTotal?.[0] ?? 0)} → ${repeated.new} new ${now}`
        : `${repeated.new}: ${now}`)
    );
  if (isCompared)
    return `${said.before} ${formatTime(tree.oldTotal?.[0] ?? 0)} → ${said.now} ${now}`;
  return all === data.all_ns ? `${now}, all of it` : `${now} of ${formatTime(data.all_ns)}`;
}

/** @param {View} view */
function makeHeader(view) {
  return [
    h(
      'div.top',
      h('h1', { tabindex: '-1', title: data.title }, data.title),
      h(
        'p.what',
        [
          ...(isUnrecorded ? [isWatched || hasWatches ? 'watched' : 'not recorded'] : []),
          // The verdict of the first page names both logs.
          ...(data.old_title && (isUnrecorded || data.repeated || !isFirstPage())
            ? [`compared with ${data.old_title}`]
            : []),
        ].join(', ')
      ),
      h(
        'nav',
        { 'aria-label': 'Pages' },
        pages.map(([name, title], i) =>
          h(
            'a',
            {
              href: linkTo({ page: name, path: [] }),
              'aria-current':
                name === state.page || (name === 'functions' && state.page === 'path')
                  ? 'page'
                  : null,
              data: { focus: `page ${name}` },
            },
            h('small', { 'aria-hidden': 'true' }, String(i + 1)),
            title
          )
        )
      ),
      isUnrecorded ? null : makeSearch(view)
    ),
    isUnrecorded ? null : makeScope(view),
    h('p.command', `${data.program}: `, commandOf()),
    view.problem ? h('p.problem', { role: 'alert' }, view.problem) : null,
    state.unknown
      ? h(
          'p.unmatched',
          { role: 'alert' },
          `The address is of '${state.unknown}', which is no page and no function of this report. `,
          h(
            'a',
            { href: linkTo({ page: 'functions', more: { find: state.unknown.split(' ')[0] } }) },
            'Look for its name'
          )
        )
      : null,
    ...view.steps.map(({ chip, mistake, isMatched }, i) =>
      !mistake && isMatched
        ? null
        : h(
            'p',
            { class: mistake ? 'problem' : 'unmatched', role: 'alert' },
            `${mistake || `'${chip.value}' matches no function`}. `,
            h('a', { href: linkTo(withoutChip(i)) }, 'Remove this filter')
          )
    ),
  ];
}

/** Ticks are recorded for being slow, too. */
function byChance() {
  const [, count = ''] = /([\d,]+) recorded by chance/.exec(data.verdict[0] ?? '') ?? [];
  return count && count !== formatCount(tickCount()) ? `, ${count} by chance` : '';
}

/** @param {View} view */
function tickChip(view) {
  const choice = parseTicks(state.ticks);
  if (!choice)
    return data.ticks
      ? h(
          'span.chip',
          tickWords(
            tickCount() === 1
              ? 'the only tick'
              : `all ${formatThings(tickCount(), listedTick)}${byChance()}`
          )
        )
      : null;
  const count = view.isShownTick.reduce((sum, isShown) => sum + isShown, 0);
  const text =
    choice.over >= 0
      ? `over ${formatLimit(choice.over)}`
      : choice.from === choice.to
        ? `#${choice.from}`
        : `#${choice.from} to #${choice.to}`;
  return h(
    'span.chip',
    tickWords('ticks '),
    h('b', text),
    h(
      'span.amount',
      `${formatCount(count)} of ${formatCount(tickCount())}` +
        (view.oldTickCount < 0
          ? ''
          : `, old ${formatCount(view.oldTickCount)} ` +
            `of ${formatCount(data.ticks.old.tick.length)}`)
    ),
    removeLink({ ticks: '' }, tickWords('Remove: choice of ticks'))
  );
}

/** What is slow can be changed in the chip. @param {View} view */
function slowChip({ slow }) {
  if (!slow) return null;
  if (slow.isGrowth)
    return h(
      'span.chip.slow',
      tickWords(`late ticks #${earlyAndLate(state.growth).reverse().join(' v. early #')}`),
      removeLink({ growth: '' }, tickWords('Remove: late v. early ticks'))
    );
  const field = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'number',
      id: 'slow',
      min: '0',
      step: 'any',
      value: state.slow,
      'aria-label': tickWords('Slow ticks took more than, in ms'),
      onchange: () => {
        if (Number(field.value) > 0) go({ slow: Number(field.value) });
      },
    })
  );
  return h(
    'span.chip.slow',
    'slow: over ',
    field,
    ' ms',
    h(
      'span.amount',
      tickWords(`${formatCount(slow.count)} v. ${formatThings(slow.otherCount, 'tick')}`)
    ),
    removeLink({ slow: 0 }, tickWords('Remove: slow v. other ticks'))
  );
}

/** @param {Chip} chip @param {number} before @param {number} after */
function chipAmount(chip, before, after) {
  if (chip.kind === 'without')
    return `${isCompared ? `${said.now} ` : ''}−${formatTime(before - after)}`;
  if (chip.kind === 'hide') return 'to callers';
  return `${isCompared ? `${said.now} ` : ''}${formatPart(after, before, '%')}`;
}

/** @type {Record<string, (view: View) => any[]>} */
const makers = {
  overview: hasWatches
    ? repeatedPage
    : isUnrecorded
      ? unrecordedPage
      : data.repeated
        ? repeatedPage
        : isCompared
          ? comparePage
          : overviewPage,
  ticks: ticksPage,
  budget: budgetPage,
  functions: functionsPage,
  calls: callsPage,
  path: pathPage,
  flame: flamePage,
  threads: threadsPage,
  files: filesPage,
  about: aboutPage,
  empty: () => [
    h(
      'p.lead',
      'The choice above leaves nothing of the profile. ',
      h('a', { href: linkTo({ chips: [], thread: 'all', ticks: '' }) }, 'Show all of it')
    ),
  ],
};

/** Whether a choice leaves nothing. @param {View} view */
const isEmpty = (view) =>
  !view.sums.isUsed.includes(1) && linkTo({ chips: [], thread: 'all', ticks: '' }) !== linkTo({});

/**
 * Whether another page that holds this report (page.js) hides it: then nothing has a size to draw
 * in.
 */
const isHidden = () => header.closest('[hidden]') !== null;

function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.keys-list',
      { 'aria-label': 'Keys', onclose: () => dialog.remove() },
      h('h2', 'Keys'),
      h(
        'dl',
        keyTexts().flatMap(([key, text]) => [h('dt', key), h('dd', text)])
      ),
      h('form', { method: 'dialog' }, h('button.plain', 'Close'))
    )
  );
  document.body.append(dialog);
  dialog.showModal();
}

/* The step from one view to the next ----------------------------------------------------------- */

const focusable = 'a[href], button, input, select, canvas, [tabindex]';

/** What an element is known by from one view to the next. @param {Element} element */
const keyOf = (element) =>
  /** @type {HTMLElement} */ (element).dataset.focus ??
  (element.id || `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`);
const inReport = () => [...header.querySelectorAll(focusable), ...page.querySelectorAll(focusable)];

/** The key of the element that has the focus, and how many before it have the same. */
function noteFocus() {
  const { activeElement } = document;
  if (!activeElement || !(header.contains(activeElement) || page.contains(activeElement)))
    return null;
  const key = keyOf(activeElement);
  return {
    key,
    at: inReport()
      .filter((element) => keyOf(element) === key)
      .indexOf(activeElement),
  };
}

/**
 * Gives the focus to the element that has the key now, else to the page.
 * @param {ReturnType<typeof noteFocus>} focus
 */
function restoreFocus(focus) {
  if (!focus) return;
  const same = inReport().filter((element) => keyOf(element) === focus.key);
  const next = /** @type {HTMLElement} */ (same[focus.at] ?? same[0] ?? page);
  // What is hidden now cannot have it.
  (next.checkVisibility() ? next : page).focus({ preventScroll: true });
  // Who goes on by keyboard sees where.
  if (next !== page && next.matches(':focus-visible')) next.scrollIntoView({ block: 'nearest' });
}

/** How far each step of the history was scrolled, by the number that it has. @type {number[]} */
const scrolled = [];
let step = -1,
  turns = 0;
window.history.scrollRestoration = 'manual';

/** Notes how far the last view was scrolled; returns how far this one was. */
function takeStep() {
  if (step >= 0) scrolled[step] = window.scrollY;
  step = window.history.state?.step ?? -1;
  if (step < 0) {
    step = scrolled.push(0) - 1;
    window.history.replaceState({ step }, '');
  }
  return scrolled[step] ?? 0;
}

async function render() {
  if (isHidden()) return;
  const old = readAddress(),
    turn = ++turns,
    waiting = findChosen(),
    top = takeStep();
  closeMenu();
  if (waiting) await waiting;
  if (turn !== turns || closing.signal.aborted) return;
  const view = currentView(),
    focus = noteFocus();
  header.replaceChildren(.../** @type {Node[]} */ (makeHeader(view).filter(Boolean)));
  for (const [caption, { element }] of tables) if (!element.isConnected) tables.delete(caption);
  const isShort = isEmpty(view) && !['ticks', 'budget', 'about'].includes(state.page),
    made = makers[isShort ? 'empty' : state.page](view).filter(Boolean);
  page.replaceChildren(
    ...(state.page === 'path' && !isShort && hasRoom() ? [besideList(view, made)] : made)
  );
  const title =
    state.page === 'path'
      ? nameInTextOf(state.path[state.path.length - 1])
      : (pages.find(([name]) => name === state.page)?.[1] ??
        tickWords(state.page === 'budget' ? 'Budget' : 'Ticks'));
  document.title = `${title} - ${data.title} - supprof`;
  if (old.page !== state.page || old.path.join() !== state.path.join()) window.scrollTo(0, top);
  restoreFocus(focus);
  announce([title, textOfShare(view)].filter(Boolean).join(', '));
  noteShown();
}

const { signal } = closing;
window.addEventListener('hashchange', render, { signal });
// Printing changes the width, too, but the browser does not wait for what is drawn then.
onRoom(() => {
  if (!document.documentElement.classList.contains('printed')) render();
}, signal);
document.addEventListener(
  'click',
  (event) => {
    if (openedMenu && !openedMenu.contains(/** @type {Node} */ (event.target))) closeMenu();
  },
  { signal }
);
document.addEventListener(
  'keydown',
  (event) => {
    const target = /** @type {HTMLElement} */ (event.target),
      isTyping = target.matches('input, select, textarea');
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isHidden() ||
      document.querySelector('dialog[open]')
    )
      return;
    if (event.key === 'Escape') {
      if (openedMenu) closeMenu();
      else target.blur();
    } else if (!isTyping && event.key === '/') {
      event.preventDefault();
      document.getElementById('search')?.focus();
    } else if (event.key === 'm' && target.matches('a.name')) {
      /** @type {HTMLElement | null} */ (target.parentElement?.querySelector('.more'))?.click();
    } else if (!isTyping && event.key === '?') {
      showKeys();
    } else if (!isTyping && event.key === 'c') {
      copyPlace(page);
    } else if (!isTyping && event.key === 'l' && !isUnrecorded) {
      copyLink();
    } else if (!isTyping && event.key === 'e') {
      document.getElementById('export')?.click();
    } else if (!isTyping && /^[1-9]$/.test(event.key) && pages[Number(event.key) - 1]) {
      go({ page: pages[Number(event.key) - 1][0], path: [] });
    }
  },
  { signal }
);
// On paper, all is as on a light screen: pictures are drawn again.
for (const name of ['beforeprint', 'afterprint'])
  window.addEventListener(
    name,
    () => {
      document.documentElement.classList.toggle('printed', name === 'beforeprint');
      for (const canvas of document.querySelectorAll('canvas'))
        canvas.dispatchEvent(new Event('redraw'));
    },
    { signal }
  );

if (!signal.aborted) {
  page.tabIndex = -1;
  await render();
  document.documentElement.dataset.ready = 'yes';
  document.dispatchEvent(new Event('report-ready'));
}
