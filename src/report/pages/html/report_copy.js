// report_copy.js - what is shown, as text to paste: tables for spreadsheets and for Markdown. Pure
// functions.

/** @typedef {{key: string, title: string, isTime?: boolean}} Head */
/** @typedef {{name: string, cells: {column: Head, value: number, shown: string}[]}} Copied */

/** A cell that no spreadsheet takes for a formula. @param {string | number} value */
function csvCell(value) {
  const text =
    typeof value === 'string' && /^[=+\-@\t]/.test(value) && Number.isNaN(Number(value))
      ? `'${value}`
      : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Numbers as the program's csv has them: times in microseconds.
 * @param {Head[]} columns
 * @param {Copied[]} rows
 */
export function tableAsCsv(columns, rows) {
  const head = columns.map(({ key, isTime }) => (isTime ? `${key}_us` : key));
  const cell = (/** @type {Copied['cells'][0]} */ { column, value, shown }) => {
    if (column.key.includes('%')) return shown;
    if (!column.isTime) return value;
    return value === -1 ? '' : (value / 1000).toFixed(3);
  };
  return [['name', ...head], ...rows.map(({ name, cells }) => [name, ...cells.map(cell)])]
    .map((line) => line.map(csvCell).join(','))
    .join('\n');
}

/**
 * Texts as they are shown.
 * @param {Head[]} columns
 * @param {Copied[]} rows
 * @param {string} nameTitle
 */
export function tableAsMarkdown(columns, rows, nameTitle) {
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [
    line([nameTitle, ...columns.map(({ title }) => title)]),
    `|---|${'--:|'.repeat(columns.length)}`,
    ...rows.map(({ name, cells }) => line([name, ...cells.map(({ shown }) => shown)])),
  ].join('\n');
}

/**
 * A few lines for a chat: what was recorded, the first finding, the first functions, the choice,
 * and where it is.
 * @param {{title: string, time: string, finding: string, choice: string, rows: string[], place:
 * string}} summary
 */
export function summaryForChat({ title, time, finding, choice, rows, place }) {
  return [
    `**${title}**: ${time}`,
    ...(finding ? [finding] : []),
    ...(choice ? [`Shown: ${choice}`] : []),
    '```',
    ...rows,
    '```',
    place,
  ].join('\n');
}

/**
 * The stacks of a tree with their own values, as speedscope and flamegraph.pl read them.
 * @param {import('./report_model.js').Tree} tree
 * @param {string[]} labels
 * @param {string} column
 */
export function foldedStacks({ parent, func, columns }, labels, column) {
  const stacks = [''];
  columns[column].forEach((_, node) => {
    const name = (labels[func[node]] ?? '').replaceAll(';', ':');
    stacks[node] = parent[node] > 0 ? `${stacks[parent[node]]};${name}` : name;
  });
  return stacks.flatMap((stack, i) =>
    columns[column][i] > 0 ? [`${stack} ${columns[column][i]}`] : []
  );
}
