// report_copy.js - what is shown, as text to paste: tables for spreadsheets and for Markdown. Pure
// functions.

/** @typedef {{key: string, title: string, isTime?: boolean}} Head */
/** @typedef {{name: string, cells: {column: Head, value: number, shown: string}[]}} Copied */

/** A cell as csv.c has it: no spreadsheet takes it for a formula. @param {string | number} value */
function csvCell(value) {
  const text =
    typeof value === 'string' && Number.isNaN(Number(value))
      ? value
          .replace(/^(?=\t|\r| *[=+\-@＝＋－＠])/, "'")
          .replace(/[;\t\n\r](?=[ "]*[=+\-@＝＋－＠])/g, "$&'")
      : String(value);
  return /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Numbers as the program's csv has them: times in microseconds.
 * @param {Head[]} columns
 * @param {Copied[]} rows
 * @param {string} nameTitle
 */
export function tableAsCsv(columns, rows, nameTitle) {
  const head = columns.map(({ key, isTime }) => (isTime ? `${key}_us` : key));
  const cell = (/** @type {Copied['cells'][0]} */ { column, value, shown }) => {
    if (column.key.includes('%')) return shown;
    if (!column.isTime) return value;
    return value === -1 ? '' : (value / 1000).toFixed(3);
  };
  return [[nameTitle, ...head], ...rows.map(({ name, cells }) => [name, ...cells.map(cell)])]
    .map((line) => line.map(csvCell).join(','))
    .join('\n');
}

/** A fence that is not in a text. @type {(text: string, fence?: string) => string} */
const fenceOf = (text, fence = '`') => (text.includes(fence) ? fenceOf(text, `${fence}\``) : fence);

/** A name as markdown_put_code() in markdown.c puts it: no link or picture. @param {string} name */
export function codeOf(name) {
  const blank = /^ |`/.test(name) ? ' ' : '';
  const text = name.replaceAll('\\|', '\\│').replaceAll('|', '\\|').replaceAll('\n', ' ');
  return fenceOf(text) + blank + (text || ' ') + blank + fenceOf(text);
}

/**
 * Texts as they are shown.
 * @param {Head[]} columns
 * @param {Copied[]} rows
 * @param {string} nameTitle
 * @param {string} heading in Markdown
 */
export function tableAsMarkdown(columns, rows, nameTitle, heading) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [
    heading,
    '',
    line([nameTitle, ...columns.map(({ title }) => title)]),
    `|---|${'--:|'.repeat(columns.length)}`,
    ...rows.map(({ name, cells }) => line([codeOf(name), ...cells.map(({ shown }) => shown)])),
  ].join('\n');
}

/** A few lines for a chat as a block of code, and where it is. @param {string[]} lines */
export function summaryForChat(lines, /** @type {string} */ place) {
  const text = lines.filter((line) => line !== '').join('\n'),
    fence = fenceOf(text, '```');
  const plain = place.replace(/[!'()*_]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return [fence, text, fence, plain].join('\n');
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

/**
 * The same for speedscope, which refuses call stacks of many thousand functions.
 * @param {import('./report_model.js').Tree} tree
 * @param {string[]} labels
 * @param {string} column
 * @param {string} name
 */
export function sampledProfile({ parent, func, columns }, labels, column, name) {
  const nodes = [...columns[column].keys()].filter((node) => node > 0 && columns[column][node] > 0),
    weights = nodes.map((node) => columns[column][node]);
  const samples = nodes.map((node) => {
    const stack = [];
    for (let at = node; at > 0; at = parent[at]) stack.push(func[at]);
    return stack.reverse().slice(0, 2000);
  });
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: labels.map((label) => ({ name: label })) },
    profiles: [
      {
        type: 'sampled',
        name,
        unit: column === 'self' ? 'nanoseconds' : column === 'heap' ? 'kilobytes' : 'none',
        startValue: 0,
        endValue: weights.reduce((sum, weight) => sum + weight, 0),
        samples,
        weights,
      },
    ],
  });
}
