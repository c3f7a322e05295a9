// page_request.js - what the page asks of the program: which log is the old one, command lines, names
// of saved files, and what to do after an error. Needs no page.

/**
 * What the page sends to its worker. `arguments` are those of the command line. `files` are what the program finds
 * at their paths: logs, and sources for --lua-root. `outputs` are the paths that the page wants back.
 * @typedef {object} Request
 * @property {WebAssembly.Module | ArrayBuffer} module
 * @property {string[]} arguments
 * @property {{path: string, file: Blob}[]} files
 * @property {string[]} outputs
 */

/**
 * What the page gets from it: `progress` of reading the logs, some ten times a second, and at the end one of
 * the other two. `text` is standard output and `messages` standard error. Outputs that were not
 * written are not among `outputs`.
 * @typedef {{progress: {bytes: number, total: number}}
 *   | {status: number, text: string, messages: string, outputs: {path: string, blob: Blob}[]}
 *   | {failure: string}} Answer
 */

/** A log that was dropped or chosen. @typedef {{name: string, lastModified: number}} Named */

/**
 * What the page lets one choose: texts of options by their names, those that are not set are empty,
 * and the files of the folder for --lua-root.
 * @typedef {object} Choice
 * @property {Record<string, string>} values
 * @property {boolean} foldsRecursion
 * @property {{name: string, files: {path: string, file: Blob}[]} | null} luaRoot
 */

/** The formats to save: `suffix` of their files, and whether they show comparisons. */
export const formats = [
  { name: 'html', suffix: 'html', title: 'This report', about: 'one file for any browser, to keep or to send', compares: true },
  { name: 'svg', suffix: 'svg', title: 'Flame graph', about: 'a picture for any browser', compares: true },
  { name: 'csv', suffix: 'csv', title: 'Functions', about: 'for a spreadsheet', compares: true },
  { name: 'markdown', suffix: 'md', title: 'Summary', about: 'for a pull request or a forum', compares: true },
  { name: 'json', suffix: 'json', title: 'Everything', about: 'for programs', compares: true },
  { name: 'folded', suffix: 'folded', title: 'Call stacks', about: 'for flamegraph.pl, inferno, Firefox Profiler', compares: true },
  { name: 'speedscope', suffix: 'speedscope.json', title: 'speedscope', about: 'for speedscope.app', compares: false },
  { name: 'trace', suffix: 'trace.json', title: 'Time line', about: 'for Perfetto: every call; choose From and To first', compares: false },
  { name: 'pprof', suffix: 'pb.gz', title: 'pprof', about: 'for go tool pprof', compares: false },
  { name: 'callgrind', suffix: 'callgrind', title: 'callgrind', about: 'for KCachegrind and QCachegrind', compares: false },
  { name: 'cpuprofile', suffix: 'cpuprofile', title: 'cpuprofile', about: 'for Visual Studio Code and Chrome\'s DevTools', compares: false },
];

/** Two logs in the order [new, old]: the old one was written earlier. @template {Named} T @param {T} one @param {T} other */
export function newAndOld(one, other) {
  return one.lastModified < other.lastModified ? [other, one] : [one, other];
}

/** The name that the program knows a log by: not one that it would take for something else. @param {string} name */
const pathOf = (name) => (name === '-' ? 'log' : name);

/** A name for a file or a folder beside the `taken` ones: the wanted one, or that with a number. @param {string} wanted @param {string[]} taken */
function freeName(wanted, taken) {
  let name = wanted;
  for (let i = 1; taken.includes(name); i++) name = `${wanted}-${i}`;
  return name;
}

/** @param {Named} log @param {Named | null} old */
export function pathsOf(log, old) {
  const path = pathOf(log.name), oldPath = old === null ? '' : pathOf(old.name);
  return { path, oldPath: oldPath === path ? `${freeName('old', [path])}/${path}` : oldPath };
}

/** The name of what is saved of a log: `loud.log.gz` as `csv` is `loud.csv`. @param {string} name @param {string} suffix */
export function savedName(name, suffix) {
  const stem = name.replace(/\.gz$/i, '').replace(/\.(log|txt)$/i, '');
  return `${stem || 'log'}.${suffix}`;
}

/**
 * A Request to the worker, without the module.
 * @template {Named & Blob} T
 * @param {T} log
 * @param {T | null} old
 * @param {Choice} choice
 * @param {string} format
 */
export function makeRequest(log, old, choice, format) {
  const { path, oldPath } = pathsOf(log, old);
  // Names that are taken: sources are below a folder that has the name of no log, and the output is beside both.
  const taken = [path, oldPath.split('/')[0]];
  const root = choice.luaRoot && taken.includes(choice.luaRoot.name) ? `${freeName('sources', taken)}/` : '';
  const output = freeName('output', [...taken, root.slice(0, -1), choice.luaRoot?.name ?? '']);
  // A report of sources that do not fit the log says so (sourcesNote).
  const isQuiet = choice.luaRoot === null || format !== 'html';
  const args = [...(isQuiet ? ['--quiet'] : []), '--progress=never', `--format=${format}`, `--output=${output}`];
  for (const [option, value] of Object.entries(choice.values)) if (value !== '') args.push(`${option}=${value}`);
  if (choice.foldsRecursion) args.push('--fold-recursion');
  if (choice.luaRoot) args.push(`--lua-root=${root}${choice.luaRoot.name}`);
  if (old) args.push('--diff', oldPath);
  args.push('--', path);
  return {
    arguments: args,
    files: [
      { path, file: /** @type {Blob} */ (log) },
      ...(old ? [{ path: oldPath, file: /** @type {Blob} */ (old) }] : []),
      ...(choice.luaRoot?.files ?? []).map(({ path: inner, file }) => ({ path: `${root}${inner}`, file })),
    ],
    outputs: [output],
  };
}

/** Messages about options and files, and how the page says them. @type {[RegExp, string][]} */
const pageWords = [
  [/^invalid value '(.*)' for --from; (give .*)$/, 'From cannot be \'$1\'; $2'],
  [/^invalid value '(.*)' for --to; (give .*)$/, 'To cannot be \'$1\'; $2'],
  [/^invalid value '(.*)' for --run; (.*)$/, 'Run cannot be \'$1\'; $2'],
  [/^nothing is in that window \(--from, --to, --tick\); /, 'nothing is between From and To; '],
  [/^nothing in the log ran on the thread that --thread names$/, 'nothing in the log ran on the chosen thread'],
  [/^(.* is a directory); name the log file in it$/, '$1; open the log file in it'],
  [/^(.*); name a game log$/, '$1; open a game log'],
  [/^(.*); unpack it and name the log that was in it$/, '$1; unpack it and open the log that was in it'],
  [/^--lua-root: /, 'Lua sources: '],
];

/** A message without the words of command lines. @param {string} message */
export function inPageWords(message) {
  return message.split('\n').map((line) => pageWords.reduce((text, [pattern, words]) => text.replace(pattern, words), line)).join('\n');
}

/** Whether a message says that a log was read, but has nothing to report. @param {string} message without names of logs */
export const saysNoRecording = (message) => /no profiler lines|log is empty/.test(message);

/** What the program tells of a run that is not quiet, and what is about command lines only. */
const isNoProblem = /^(supprof: (wrote |read \d|--lua-root: named )|Try 'supprof |$)/;

/** The message of the program, without what is no problem. @param {string} messages */
export function shownMessage(messages) {
  return messages.split('\n').filter((line) => !isNoProblem.test(line)).map((line) => line.replace(/^supprof: /, '')).join('\n');
}

/** What the program says of Lua sources that do not fit the log, and what a reader can do; null if they fit. @param {string} messages */
export function sourcesNote(messages) {
  const text = /^supprof: --lua-root: (named .*?)(?:; name the folder .*| \(--verbose lists them\))?$/m.exec(messages)?.[1];
  if (text === undefined) return null;
  const advice = text.includes('another version')
    ? 'Lines of these files are not where the log has them, so they give no names. Choose the sources of the version that was played.'
    : 'Choose the unpacked gamedata folder of the game, or the folder of a mod whose functions are in this log.';
  return { text, advice };
}

/** A message without the quoted and the leading names of logs: words in them are not the program's. @param {string} message @param {string[]} names */
export function withoutNames(message, names) {
  return message.split('\n').map((line) => names.filter((name) => name !== '').reduce((text, name) =>
    (text.startsWith(`${name}:`) ? text.slice(name.length) : text).replaceAll(`'${name}'`, '\'\''), line)).join('\n');
}

/** The option that a message is about, of those that the page has. @param {string} message @param {string[]} options */
export function optionOf(message, options) {
  if (/^nothing in run /.test(message)) return '--run';
  return options.map((option) => ({ option, at: message.search(new RegExp(`${option}(?![-\\w])`)) }))
    .filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0]?.option ?? null;
}

/** What is said of a file that the browser does not read. */
const cannotRead = /NotReadable|NotFound|could not be read|Input\/output|I\/O error/i;

/** What a reader can do after an error. @param {string} text @param {boolean} isStart whether the start page is shown */
export function adviceFor(text, isStart) {
  const where = isStart ? 'below' : 'on the start page ("supprof", top left)';
  if (/memory|RangeError|allocation/i.test(text))
    return 'The browser had too little memory for this log. Close other tabs and try again, or use the program for Windows or Linux, which needs less.';
  if (/no profiler lines|log is empty|profiler lines are damaged/.test(text)) return `Record a game with profiler.lua first, as described ${where}, and open the log of that game.`;
  if (cannotRead.test(text)) return 'The file was changed, moved or removed after it was chosen. If the game still writes it, leave the game. Then choose it again.';
  if (/unpack it/.test(text)) return 'This page reads logs as they are, and logs that gzip compressed (.gz). Of an archive it needs the log that is in it.';
  if (/(name|open) a game log|is a folder/.test(text)) return `Open the log of a game: its place is described ${where}.`;
  return 'You can open another log at any time.';
}

/** What a reader can do if only a part of a log was read. @param {string} text */
export function adviceForPart(text) {
  const what = 'The report, and what you save of it, show what was read before that.';
  if (cannotRead.test(text)) return `${what} If the game still writes this log, close the game or copy the log first. Then choose it again.`;
  return `${what} The rest of the log is missing or damaged: if you have another copy of the log, open that one.`;
}

/** Bytes as people read them. @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} KB`;
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: bytes < 1e7 ? 1 : 0 })} MB`;
}
