// markdown.mjs FILE.md...
//
// What does a reader of GitHub's Markdown make of supprof's summaries? For each FILE.md there is a
// FILE.md.json of the same profile. There must be at most 60 lines, and in them only: a heading,
// one block of code, a table, a sentence, and a folded part with a block of code. The table must
// have a row for each of the first 15 functions, with the name that the document of the same
// profile has; and nothing of a log may be anything else than code: no HTML, no link, no mention.
// CONSUMERS_NPM is where the packages are.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.env.CONSUMERS_NPM, 'any.js'));
const { Lexer } = require('marked');
const ROWS = 15,
  LINES = 60,
  WIDTH = 80;
let rows = 0;

function check(isTrue, file, what) {
  if (isTrue) return;
  console.log(`markdown: ${file}: ${what}`);
  process.exitCode = 1;
}

// As the table shows a text: cut, and with a similar character for a "|" after a backslash.
function shown(name) {
  const cut = [...name].length > WIDTH ? `${[...name].slice(0, WIDTH - 1).join('')}…` : name;
  return cut.replaceAll('\\|', '\\│');
}

// All tokens, at any depth.
function* walk(tokens) {
  for (const token of tokens ?? []) {
    yield token;
    yield* walk(token.tokens);
    for (const cell of [...(token.header ?? []), ...(token.rows ?? []).flat()])
      yield* walk(cell.tokens);
  }
}

function checkTable(file, table, { functions, recordings }) {
  const isJoined = recordings.length > 0;
  check(
    isJoined || table.rows.length === Math.min(ROWS, functions.length),
    file,
    `${table.rows.length} rows`
  );
  table.rows.forEach((row, i) => {
    rows++;
    check(row.length === table.header.length, file, `row ${i} has ${row.length} cells`);
    const label = row[row.length - 1].tokens;
    check(
      label.every(
        (token) =>
          token.type === 'codespan' ||
          (token.type === 'text' && ['', ' ', '! ', '^ ', '~ '].includes(token.raw))
      ),
      file,
      `row ${i}: ${JSON.stringify(label)}`
    );
    const [name] = label.filter((token) => token.type === 'codespan').map((token) => token.text);
    // The recorder's own calls are one row, and not in those of other functions, so the order
    // differs.
    check(
      isJoined
        ? name === '(profiler)' || functions.some((it) => shown(it.name) === name)
        : name === shown(functions[i].name),
      file,
      `row ${i}: '${name}', not '${functions[i].name}'`
    );
    check(
      row.slice(0, -1).every((cell) => /^([-+~]?[\d,.]*%?|x [\d,.]+|<1|new|gone)$/.test(cell.text)),
      file,
      `row ${i}: numbers`
    );
  });
}

for (const file of process.argv.slice(2)) {
  const text = fs.readFileSync(file, 'utf8');
  const document = JSON.parse(fs.readFileSync(`${file}.json`, 'utf8'));
  const { functions } = document;
  const tokens = Lexer.lex(text, { gfm: true });
  const html = [...walk(tokens)]
    .filter((token) => token.type === 'html')
    .map((token) => token.raw.trim());
  const isSummary = functions.length > 0;
  check(text.split('\n').length - 1 <= LINES, file, `${text.split('\n').length - 1} lines`);
  check(
    tokens
      .map((token) => token.type)
      .filter((type) => type !== 'space')
      .join(' ')
      .replace('table paragraph', 'table')
      .replace('table code', 'table') ===
      (isSummary ? 'heading code table html code html' : 'heading code'),
    file,
    tokens.map((token) => token.type).join(' ')
  );
  check(
    JSON.stringify(html.map((raw) => raw.replace('Ticks and notes', 'Notes'))) ===
      (isSummary ? '["<details><summary>Notes</summary>","</details>"]' : '[]'),
    file,
    `HTML: ${html.join(' ')}`
  );
  for (const token of walk(tokens)) {
    check(
      ['heading', 'code', 'table', 'paragraph', 'html', 'space', 'text', 'codespan'].includes(
        token.type
      ),
      file,
      `${token.type}: ${token.raw}`
    );
    check(
      token.type !== 'text' || token.raw === '<1' || !/[@#<>|\[\]*_`]|:\/\/|www/.test(token.raw),
      file,
      `text: ${token.raw}`
    );
  }
  if (isSummary)
    checkTable(
      file,
      tokens.find((token) => token.type === 'table'),
      document
    );
}
console.log(`markdown: ${process.argv.length - 2} files, ${rows} rows`);
