// report_export.js - the menu of a view's copies and files: its tables, call stacks, summary and
// link.

import {
  codeOf,
  foldedStacks,
  sampledProfile,
  tableAsCsv,
  tableAsMarkdown,
} from './report_copy.js';
import { formatThings } from './report_format.js';
import { data, functions, isHeld, metrics, nameInTextOf, numberOfTick } from './report_data.js';
import { optionsOfView, quoted, shownTick, state } from './report_state.js';
import { closeMenu, h, openedMenu, saveFile, say, showMenu, tables } from './report_elements.js';
import { hasCard, saveCard } from './report_card.js';
import { summaryOf } from './report_overview.js';

/** @typedef {import('./report_state.js').View} View */

/**
 * A link to the view: where the report is a file of this computer, what follows its name leads
 * there in any other copy of it, by names. The search takes it.
 */
const linkOfView = () =>
  /^https?:/.test(window.location.protocol) && !isHeld
    ? window.location.href
    : data.title + window.location.hash;

/** @param {string} text @param {string} what */
async function copy(text, what) {
  await navigator.clipboard?.writeText(text);
  say(`Copied ${what}`);
}

export const copyLink = () => copy(linkOfView(), 'the link');

/** @param {View} view @returns {[string, () => void][]} */
function entriesOf(view) {
  const chosen = optionsOfView().map(quoted).join(' '),
    of = state.page === 'path' ? ` (${nameInTextOf(state.path[state.path.length - 1])})` : '';
  const shown = [...tables].filter(([, { element }]) => element.isConnected),
    { column } = metrics[state.metric],
    tick = shownTick();
  /** @type {[string, () => void][]} */
  const files = [
    [
      'Save the call stacks for speedscope',
      () =>
        saveFile(
          '.speedscope.json',
          sampledProfile(view.paths(), functions.label, column, `${data.title} ${chosen}`)
        ),
    ],
    [
      'Save the call stacks as folded',
      () =>
        saveFile('.folded', `${foldedStacks(view.paths(), functions.label, column).join('\n')}\n`),
    ],
  ];
  return [
    ['Copy the link to this view (key l)', copyLink],
    ['Copy a summary for a chat', () => copy(summaryOf(view), 'the summary')],
    ...(functions.count > 1 ? files : []),
    ...(hasCard(tick)
      ? /** @type {const} */ (['png', 'svg']).map(
          (kind) =>
            /** @type {[string, () => void]} */ ([
              `Save a card of tick #${numberOfTick(tick)} as ${kind}`,
              () => saveCard(tick, kind),
            ])
        )
      : []),
    ...shown.flatMap(([caption, { columns, rows, nameTitle }]) => {
      const what = caption + of,
        all = rows(),
        count = formatThings(all.length, 'row');
      const heading = [what, data.title, chosen].filter(Boolean).map(codeOf).join(', ');
      const entry = (/** @type {string} */ format, /** @type {() => string} */ make) =>
        /** @type {[string, () => void]} */ ([
          `Copy ${what} as ${format}: ${count}`,
          () => copy(make(), `${caption}, ${count}`),
        ]);
      return [
        entry('CSV', () => tableAsCsv(columns, all, nameTitle)),
        entry('Markdown', () => tableAsMarkdown(columns, all, nameTitle, heading)),
      ];
    }),
  ];
}

/** @param {View} view */
export const exportButton = (view) =>
  h(
    'button.plain',
    {
      id: 'export',
      'aria-haspopup': 'menu',
      onclick: (/** @type {MouseEvent} */ event) => {
        const button = /** @type {HTMLElement} */ (event.currentTarget),
          { left, bottom } = button.getBoundingClientRect(),
          wasOpen = openedMenu !== null;
        event.stopPropagation();
        if (wasOpen) closeMenu();
        else showMenu('Export', entriesOf(view), left, bottom + 2, button);
      },
    },
    'Export'
  );
