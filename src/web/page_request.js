// page_request.js - what the page asks of the program, and what it makes of the answer: which log
// is the old one, command lines, names of saved files, messages, and advice after an error. Needs
// no page.

/**
 * What the page sends to its worker. `arguments` are those of the command line. `files` are what
 * the program finds at their paths: logs, and sources for --lua-root. `outputs` are the paths that
 * the page wants back.
 * @typedef {object} Request
 * @property {WebAssembly.Module | ArrayBuffer} module
 * @property {string[]} arguments
 * @property {{path: string, file: Blob}[]} files
 * @property {string[]} outputs
 */

/**
 * What the page gets from it: `progress` of reading the logs, some ten times a second, and at the
 * end one of the other two. `text` is standard output and `messages` standard error. Outputs that
 * were not written are not among `outputs`.
 * @typedef {{progress: {bytes: number, total: number}}
 *   | {status: number, text: string, messages: string, outputs: {path: string, blob: Blob}[]}
 *   | {failure: string, name: string}} Answer
 */

/** A log that was dropped or chosen. @typedef {{name: string, lastModified: number}} Named */

/**
 * What the page lets one choose: texts of options by their names, those that are not set are empty,
 * and the files of the folder for --lua-root.
 * @typedef {object} Choice
 * @property {Record<string, string>} values
 * @property {boolean} foldsRecursion
 * @property {{name: string, files: {path: string, file: Blob}[]} | null} luaRoot
 * @property {string[]} [view] options of the view of a report, before those of the same name
 */

/**
 * A format of the program's own table.
 * @typedef {{name: string, suffix: string, summary: string, compares: boolean, repeats: boolean}}
 * Format
 */

/** The formats that can be saved, and their titles. @type {[string, string][]} */
const titles = [
  ['html', 'This report'],
  ['svg', 'Flame graph'],
  ['csv', 'Functions'],
  ['markdown', 'Summary'],
  ['json', 'Everything'],
  ['folded', 'Call stacks'],
  ['speedscope', 'speedscope'],
  ['trace', 'Time line'],
  ['pprof', 'pprof'],
  ['callgrind', 'callgrind'],
  ['cpuprofile', 'cpuprofile'],
];

/**
 * @param {Format[]} formats
 * @param {boolean} isCompared whether logs are compared
 * @param {boolean} [isRepeated] whether there are several of a side
 */
export function offeredFormats(formats, isCompared, isRepeated = false) {
  return titles.flatMap(([wanted, title]) =>
    formats
      .filter(
        ({ name, compares, repeats }) =>
          name === wanted && (compares || !isCompared) && (repeats || !isRepeated)
      )
      .map((format) => ({ ...format, title }))
  );
}

/**
 * What the words of a name say: 1 that it is an old log, -1 that it is a new one, else 0.
 * @param {string} name
 */
const ageOf = (name) =>
  Number(/(^|[^a-z])(old|before|base|baseline|previous|orig|original)([^a-z]|$)/i.test(name)) -
  Number(/(^|[^a-z])(new|after|changed|fixed)([^a-z]|$)/i.test(name));

/**
 * What the names of two logs say of their order: above 0 if the first is the old one, 0 if they say
 * nothing. Words count first, then the first date or number in which names that are otherwise alike
 * differ.
 * @param {string} one
 * @param {string} other
 */
function orderOfNames(one, other) {
  const byWords = ageOf(one) - ageOf(other);
  if (byWords !== 0 || one.replace(/\d+/g, '#') !== other.replace(/\d+/g, '#')) return byWords;
  const numbers = [one, other].map((name) => (name.match(/\d+/g) ?? []).map(Number)),
    at = numbers[0].findIndex((number, i) => number !== numbers[1][i]);
  return at < 0 ? 0 : numbers[1][at] - numbers[0][at];
}

/**
 * Two logs in the order [new, old], by their names, or else by when they were written.
 * @template {Named} T
 * @param {T} one
 * @param {T} other
 */
export function newAndOld(one, other) {
  const order = orderOfNames(one.name, other.name) || other.lastModified - one.lastModified;
  return order > 0 ? [other, one] : [one, other];
}

/**
 * The sides of some logs: of two the one that is older is old. Of more those whose names say so are
 * old; if no name does, and they have two dates, those with the earlier one; else none.
 * @template {Named} T
 * @param {T[]} files
 * @returns {{logs: T[], olds: T[]}}
 */
export function sidesOf(files) {
  if (files.length === 2) {
    const [log, old] = newAndOld(files[0], files[1]);
    return { logs: [log], olds: [old] };
  }
  const dateOf = (/** @type {T} */ { name }) => /\d{4}-\d\d-\d\d/.exec(name)?.[0] ?? '',
    dates = [...new Set(files.map(dateOf))].sort();
  const isOld = files.some(({ name }) => ageOf(name) !== 0)
    ? (/** @type {T} */ { name }) => ageOf(name) > 0
    : (/** @type {T} */ file) => dates.length === 2 && dates[0] !== '' && dateOf(file) === dates[0];
  const logs = files.filter((file) => !isOld(file));
  return logs.length > 0 ? { logs, olds: files.filter(isOld) } : { logs: files, olds: [] };
}

/**
 * The name that the program knows a log by: not one that it would take for something else.
 * @param {string} name
 */
const pathOf = (name) => (name === '-' ? 'log' : name);

/**
 * A name for a file or a folder beside the `taken` ones: the wanted one, or that with a number.
 * @param {string} wanted
 * @param {string[]} taken
 */
function freeName(wanted, taken) {
  let name = wanted;
  for (let i = 1; taken.includes(name); i++) name = `${wanted}-${i}`;
  return name;
}

/**
 * The paths that the program knows logs by: their names; one that is taken is in a folder.
 * @param {Named[]} logs
 * @param {Named[]} olds
 */
export function pathsOf(logs, olds) {
  /** @type {string[]} what is in use beside the logs: of a path with a folder, that folder */
  const taken = [];
  const pathIn =
    (/** @type {string} */ folder) =>
    (/** @type {Named} */ { name }) => {
      const own = pathOf(name),
        path = taken.includes(own) ? `${freeName(folder, [...taken, own])}/${own}` : own;
      taken.push(path.split('/')[0]);
      return path;
    };
  return { paths: logs.map(pathIn('new')), oldPaths: olds.map(pathIn('old')) };
}

/**
 * The name of what is saved of a log: `loud.log.gz` as `csv` is `loud.csv`.
 * @param {string} name
 * @param {string} suffix
 */
export function savedName(name, suffix) {
  const stem = name.replace(/\.gz$/i, '').replace(/\.(log|txt)$/i, '');
  return `${stem || 'log'}${suffix}`;
}

/**
 * A Request to the worker, without the module.
 * @template {Named & Blob} T
 * @param {T[]} logs
 * @param {T[]} olds
 * @param {Choice} choice
 * @param {string} format
 */
export function makeRequest(logs, olds, choice, format) {
  const { paths, oldPaths } = pathsOf(logs, olds);
  // Names that are taken: sources are below a folder that has the name of no log, and the output is
  // beside all.
  const taken = [...paths, ...oldPaths].map((path) => path.split('/')[0]);
  const root =
    choice.luaRoot && taken.includes(choice.luaRoot.name) ? `${freeName('sources', taken)}/` : '';
  const output = freeName('output', [...taken, root.slice(0, -1), choice.luaRoot?.name ?? '']);
  // A report of sources that do not fit the log says so (sourcesNote).
  const isQuiet = choice.luaRoot === null || format !== 'html';
  const args = [
    ...(isQuiet ? ['--quiet'] : []),
    '--codes',
    '--progress=never',
    `--format=${format}`,
    `--output=${output}`,
  ];
  const { view = [] } = choice;
  for (const [option, value] of Object.entries(choice.values))
    if (value !== '' && !view.some((one) => one.startsWith(`${option}=`)))
      args.push(`${option}=${value}`);
  args.push(...view);
  if (choice.foldsRecursion) args.push('--fold-recursion');
  if (choice.luaRoot) args.push(`--lua-root=${root}${choice.luaRoot.name}`);
  if (logs.length > 1 || olds.length > 1) args.push('--repeated');
  for (const path of oldPaths) args.push('--diff', path);
  args.push('--', ...paths);
  return {
    arguments: args,
    files: [
      ...[...logs, ...olds].map((file, i) => ({
        path: [...paths, ...oldPaths][i],
        file: /** @type {Blob} */ (file),
      })),
      ...(choice.luaRoot?.files ?? []).map(({ path: inner, file }) => ({
        path: `${root}${inner}`,
        file,
      })),
    ],
    outputs: [output],
  };
}

/**
 * A message of the program, and what it is about: an option or one of the words that --codes has.
 * @typedef {{code: string, text: string}} Message
 */

/** The messages of a run. @param {string} messages @returns {Message[]} */
export function readMessages(messages) {
  // The one without a code is that memory is exhausted.
  return [...messages.matchAll(/^supprof: (?:\[([-a-z]+)\] )?(.*)$/gm)].map(([, code, text]) => ({
    code: code ?? 'out-of-memory',
    text,
  }));
}

/** What a browser threw, as a message. @param {unknown} reason @returns {Message} */
export function readReason(reason) {
  const name = reason instanceof Error ? reason.name : '',
    text = reason instanceof Error ? reason.message : String(reason);
  const isMemory = name === 'RangeError' || /memory|allocation/i.test(text);
  return {
    code: isMemory
      ? 'out-of-memory'
      : name === 'NotReadableError' || name === 'NotFoundError'
        ? 'unreadable'
        : 'other',
    text,
  };
}

const isAboutSources = (/** @type {Message} */ { code }) =>
  code === 'sources' || code === 'sources-of-another-version';

/**
 * Those that are problems, as one; null if there is none.
 * @param {Message[]} messages
 * @returns {Message | null}
 */
export function problemOf(messages) {
  const problems = messages.filter(
    (message) =>
      message.code !== 'written' && message.code !== 'summary' && !isAboutSources(message)
  );
  if (problems.length === 0) return null;
  return {
    code: problems.find(({ code }) => code !== 'other')?.code ?? 'other',
    text: problems.map(({ text }) => text).join('\n'),
  };
}

/**
 * What the program says of Lua sources that do not fit the log, and what a reader can do; null if
 * they fit.
 * @param {Message[]} messages
 */
export function sourcesNote(messages) {
  const message = messages.find(isAboutSources);
  if (!message) return null;
  const advice =
    message.code === 'sources-of-another-version'
      ? 'Lines of these files are not where the log has them, so they give no names. Choose the ' +
        'sources of the version that was played.'
      : 'Choose the unpacked gamedata folder of the game, or the folder of a mod whose functions ' +
        'are in this log.';
  return { text: message.text.replace('--lua-root: ', ''), advice };
}

/**
 * A message about an option has the name of its field.
 * @param {Message} message
 * @param {Record<string, string>} fields names by option
 */
export function inPageWords({ code, text }, fields) {
  return Object.hasOwn(fields, code)
    ? Object.entries(fields).reduce((words, [option, name]) => words.replaceAll(option, name), text)
    : text;
}

/**
 * What a reader can do after an error.
 * @param {string} code
 * @param {boolean} isStart whether the start page is shown
 */
export function adviceFor(code, isStart) {
  const where = isStart ? 'below' : 'on the start page ("supprof", top left)';
  switch (code) {
    case 'out-of-memory':
      return (
        'The browser had too little memory for this log. Close other tabs and try again, or use ' +
        'the program for Windows or Linux, which needs less.'
      );
    case 'no-recording':
    case 'all-damaged':
      return (
        `Record a game with profiler.lua first, as described ${where}, and open the log of that ` +
        'game.'
      );
    case 'unreadable':
      return (
        'The file was changed, moved or removed after it was chosen. If the game still writes ' +
        'it, leave the game. Then choose it again.'
      );
    case 'archive':
      return (
        'This page reads plain logs, and logs that gzip compressed (.gz). Take the log out of ' +
        'any other archive first.'
      );
    case 'not-a-log':
      return `Open the log of a game: its place is described ${where}.`;
    default:
      return 'You can open another log at any time.';
  }
}

/** What a reader can do if only a part of a log was read. @param {string} code */
export function adviceForPart(code) {
  const what = 'The report, and what you save of it, show what was read before that.';
  if (code === 'unreadable')
    return (
      `${what} If the game still writes this log, close the game or copy the log first. Then ` +
      'choose it again.'
    );
  return (
    `${what} The rest of the log is missing or damaged: if you have another copy of the log, ` +
    'open that one.'
  );
}

/** Bytes as people read them. @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} KB`;
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: bytes < 1e7 ? 1 : 0 })} MB`;
}
