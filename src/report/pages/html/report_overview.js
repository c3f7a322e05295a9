// report_overview.js - the first page, that of all functions, and the page about the report.

import { summaryForChat } from './report_copy.js';
import { formatMetric, formatPart, formatTime, withMicro } from './report_format.js';
import {
  canChooseThread,
  data,
  isCompared,
  isHeld,
  isUnrecorded,
  isWatched,
  labelOf,
  model,
  said,
  tickCount,
  tickWords,
} from './report_data.js';
import {
  commandOf,
  isAll,
  keyTexts,
  linkTo,
  optionsOfView,
  quoted,
  state,
} from './report_state.js';
import {
  functionTable,
  h,
  rowsOf,
  section,
  slowSwitch,
  sortOfMetric,
  tableSections,
  titleOfMetric,
} from './report_elements.js';
import { gamePage, gameSection } from './report_game.js';
import { allSentences, findingItems, makeLead, makeWatchedLead } from './report_lead.js';
import { watchSection } from './report_watch.js';
import { makeTickSection } from './report_ticks.js';

/** @typedef {import('./report_state.js').View} View */

/** @param {View} view */
export function overviewPage(view) {
  const rows = rowsOf(view.sums),
    findings = findingItems();
  return [
    ...makeLead(),
    ...(isAll() ? [watchSection(), ...tableSections()] : []),
    isAll()
      ? null
      : h(
          'p.quiet',
          tickWords(
            `These sentences${data.ticks ? ' and the chart of ticks' : ''} are about all of ` +
              'the profile. The rest of this page is about what the choice above leaves; what ' +
              'stands out is shown where nothing is chosen.'
          )
        ),
    tickCount() > 1 ? makeTickSection(view) : null,
    h(
      findings.length > 0 ? 'div.beside' : 'div',
      section(
        view.slow
          ? tickWords(`Functions in ${view.slow.words.join(' and ')} ticks`)
          : `Functions by ${titleOfMetric()}`,
        h('span', h('a', { href: linkTo({ page: 'functions' }) }, 'sort, find'), slowSwitch()),
        functionTable(view, rows, { limit: 20 })
      ),
      findings.length === 0 ? null : section('What stands out', '', h('ol.findings', findings))
    ),
    isAll() ? gameSection() : null,
  ];
}

/** How to record, where nothing is recorded: no manual is beside the page. */
const recordingSteps = () =>
  section(
    'How to record',
    data.unrecorded ? `nothing was recorded: ${data.unrecorded}` : '',
    h(
      'ol',
      [
        'Copy the mod, the folder supprof of supprof-mod.zip, to the folder Mods of the game ' +
          '(LOUD: LOUD\\usermods), and switch it on.',
        'Play for more than two minutes: it records from minute 1 to minute 2.',
        'Leave the game, and open its log.',
      ].map((text) => h('li', text))
    )
  );

/** The first page of a log, or of some, in which nothing was recorded. */
export const unrecordedPage = () => [
  ...(data.watched ? makeLead() : isWatched ? makeWatchedLead() : []),
  watchSection(),
  ...tableSections(),
  ...gamePage(),
  isWatched ? null : recordingSteps(),
];

/** For a chat: what was recorded, finding, choice, and the first functions. @param {View} view */
export function summaryOf(view) {
  const sort = /** @type {'self'} */ (sortOfMetric()),
    rows = rowsOf(view.sums).sort((a, b) => b[sort] - a[sort] || a.id - b.id),
    address = window.location.href;
  const [first] = data.findings,
    sentence = allSentences() || `${data.title}: ${formatTime(data.all_ns)}`;
  return summaryForChat(
    [
      sentence.replace(/ The (new )?log is a recording.*/s, ''),
      first && isAll() ? `${withMicro(first.text)}.` : '',
      isAll()
        ? ''
        : `Shown: ${optionsOfView().map(quoted).join(' ')} ` +
          `(${formatTime(view.all)} of ${formatTime(data.all_ns)})`,
      ...rows
        .slice(0, 5)
        .map(
          (row) =>
            `${formatMetric(state.metric, row[sort]).padStart(9)} ` +
            formatPart(
              row[sort],
              sort === 'self' ? view.share : view.totalOf(sort)[0],
              '%'
            ).padStart(6) +
            `  ${labelOf(row.id)}`
        ),
    ],
    /^https?:/.test(address) ? address : `${data.program}, ${window.location.hash}`
  );
}

export function aboutPage() {
  // It has the commit, but a page that holds this one has its own.
  const generator = document.querySelector('meta[name=generator]')?.getAttribute('content');
  const isRounded = model.tree.total.some((value) => Math.abs(value) > Number.MAX_SAFE_INTEGER);
  const list = (/** @type {string[]} */ lines) =>
    h(
      'ul',
      lines.map((line) => h('li', line))
    );
  const known = [
    ...[...data.notes, ...data.shown].map(withMicro),
    ...(data.folded_below_ns > 0
      ? [
          'To limit the size of this page, functions on a call stack with a total time ' +
            `below ${formatTime(data.folded_below_ns)} were folded into their callers, and their ` +
            'calls are not counted. supprof --max-size=0 keeps all.',
        ]
      : []),
    ...(Object.keys(data.sources ?? {}).length > 0
      ? [
          'This page has the source of functions with at least 0.5% of the time, up to 1 MB of ' +
            'it. supprof --no-source leaves it out.',
        ]
      : []),
    ...(canChooseThread
      ? []
      : [
          'Some call stacks ran on the main thread and in coroutines, and have one number for ' +
            'both here; supprof --thread tells them apart.',
        ]),
    ...(isRounded ? ['Numbers above 9,007,199,254,740,992 ns (104 days) are rounded here.'] : []),
  ];
  return [
    isUnrecorded
      ? null
      : section(
          'How to read this',
          '',
          list([
            'Self time is what a function took itself; total time is with all that it called. ' +
              'A call stack counts once in a total, also where a function is on it twice.',
            'A choice ("only", "without", "hide", "from") changes all numbers on all pages, as ' +
              "the program's options --focus, --ignore, --hide and --show-from do.",
            ...(model.changes
              ? [
                  "Chosen ticks change all numbers on all pages, as the program's options " +
                    '--from, --to and --ticks-over do. The longest call is known for all of the ' +
                    'recording only, and the list of ticks is always of all.',
                ]
              : []),
            'Hiding a function gives its time to its callers. "From" cuts off what called a ' +
              'function.',
            isHeld
              ? 'Back and Forward of your browser lead through the views. A reload closes the ' +
                'log: to keep or to send this report, save it (Save as…, This report).'
              : 'The address of this page is the view: copy it, go back with your browser.',
            ...keyTexts().map((pair) => pair.join(': ')),
          ])
        ),
    known.length > 0
      ? section(`What to know before you trust a number${said.of}`, '', list(known))
      : null,
    data.recorded.length > 0
      ? section(
          isCompared ? 'How the new log was recorded' : 'How it was recorded',
          '',
          list(
            data.recorded.map((/** @type {string} */ line) =>
              withMicro(line.replace(/^Recorded: |^ +/g, ''))
            )
          )
        )
      : null,
    section('Made by', '', h('p', `${generator ?? data.program}: `, h('code', commandOf()))),
  ];
}
