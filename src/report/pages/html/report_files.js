// report_files.js - the page of files and mods, and that of one file with its calling lines.

import { formatCount } from './report_format.js';
import { sumLines } from './report_model.js';
import { functions, labelOf, model } from './report_data.js';
import { linkTo, state } from './report_state.js';
import {
  callsColumn,
  edgeColumns,
  functionLink,
  functionName,
  groupRule,
  groupSums,
  h,
  makeTable,
  nameLinks,
  rowColumns,
  rowsOf,
  section,
  slowSwitch,
  sortOfEdges,
  sortOfRows,
  withChip,
  wordsOf,
} from './report_elements.js';

/** @typedef {import('./report_state.js').View} View */

/** @param {number[]} callees */
const linksOf = (callees) => nameLinks(callees, 3);

/** @param {View} view */
export function filesPage(view) {
  const chosen = state.more.get('file');
  /** @type {(rows: any[], caption: string, nameTitle: string, name: (row: any) => Node) => Node} */
  const table = (rows, caption, nameTitle, name) =>
    makeTable({
      rows,
      caption,
      nameTitle,
      name,
      text: (row) => row.text ?? labelOf(row.id),
      sort: sortOfRows(view),
      limit: 60,
      columns: rowColumns(view, nameTitle).filter(({ key }) => key !== 'longest'),
    });
  // There are few mods: they are all on the first screen.
  if (chosen === null)
    return [
      section(
        'Mods',
        h('span', groupRule, slowSwitch()),
        table(groupSums(view, 'mod'), 'Mods', 'mod', (row) =>
          h(
            'a.name',
            { href: linkTo({ chips: withChip({ kind: 'only', what: 'mod', value: row.text }) }) },
            row.text
          )
        )
      ),
      section(
        'Files',
        groupRule,
        table(groupSums(view, 'file'), 'Files', 'file', (row) =>
          h('a.name', { href: linkTo({ more: { file: row.text } }) }, wordsOf(row.text))
        )
      ),
    ];
  if (!model.files.includes(chosen))
    return [
      h(
        'p.lead',
        `No function of this report is in '${chosen}'. `,
        h('a', { href: linkTo({ more: {} }) }, 'All files')
      ),
    ];
  const { lines, sums, callees } = sumLines(view.tree);
  const inFile = (/** @type {number} */ func) =>
    func >= 0 && model.files[functions.file[func]] === chosen;
  const lineRows = rowsOf(sums)
    .map((row) => ({ ...row, ...lines[row.id] }))
    .filter(({ func, line }) => inFile(func) && line !== 0);
  return [
    h('p.lead', h('a', { href: linkTo({ more: {} }) }, 'All files'), ' › ', h('b', chosen)),
    section(
      'Functions of this file',
      '',
      table(
        rowsOf(view.sums).filter(({ id }) => inFile(id)),
        'Functions of this file',
        'function',
        functionName
      )
    ),
    section(
      'Lines that call',
      'with the time of what they call, and of all that this calls',
      makeTable({
        rows: lineRows,
        caption: 'Lines that call',
        nameTitle: 'line, and what it calls',
        sort: sortOfEdges(view),
        limit: 60,
        tie: (row) => row.line,
        text: (row) =>
          `${chosen}:${Math.abs(row.line)} ${h('p', linksOf(callees[row.id])).textContent}`,
        columns: [...edgeColumns(view, view.share, 'all'), callsColumn(formatCount)],
        name: (row) =>
          h(
            'span.function',
            h(
              'b',
              row.line === -1
                ? 'a tail call'
                : row.line < 0
                  ? `near line ${-row.line} (tail call)`
                  : `line ${row.line}`
            ),
            h('span.callees', 'calls ', linksOf(callees[row.id])),
            h('span.place', 'in '),
            functionLink(row.func)
          ),
      })
    ),
  ];
}
