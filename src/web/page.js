// page.js - supprof.html: logs that are dropped or chosen are read in a worker, and the report is
// shown in this page. The address is that of a view of the report, or empty: then another log can
// be chosen. The report is not in a frame: on file://, Chromium opens no address of a view in a
// frame with a Blob URL.

import {
  adviceFor,
  adviceForPart,
  formatBytes,
  inPageWords,
  makeRequest,
  offeredFormats,
  problemOf,
  readMessages,
  readReason,
  savedName,
  sidesOf,
  sourcesNote,
} from './page_request.js';
import { readEmbedded, startRun } from './page_run.js';

/** @typedef {import('./page_request.js').Choice} Choice */
/** @typedef {import('./page_request.js').Message} Message */

/** @param {string} id @returns {any} the element */
const byId = (id) => document.getElementById(id);
const fields = /** @type {HTMLInputElement[]} */ ([
  ...document.querySelectorAll('#options [data-option]'),
]);
/** What the page calls the program's options. @type {Record<string, string>} */
const fieldNames = Object.fromEntries(
  fields.map((field) => [
    field.dataset.option,
    (field.labels?.[0] ?? byId('lua-root-label')).textContent,
  ])
);
/** @type {import('./page_request.js').Format[]} */
const formats = JSON.parse(byId('formats').textContent);

/**
 * What the shown report was made of: the logs, and those that they are compared with.
 * @typedef {{logs: File[], olds: File[], choice: Choice}} Subject
 */

/**
 * What a run wrote; `problem` is what the program says if that shows only a part of the logs.
 * `sources` is what it says of Lua sources that do not fit.
 * @typedef {{blob: Blob, problem: Message | null, sources: {text: string, advice: string} | null}}
 * Output
 */

/** @type {Subject | null} */
let shown = null;
/** The page of the report, as it can be saved. @type {Output | null} */
let shownReport = null;
/** The title of the report while another view is shown. */
let reportTitle = '';
/** @type {(() => void) | null} */
let cancelRun = null;
/** @type {Choice['luaRoot']} */
let luaRoot = null;
/** Lua sources that came before a log: they are for the next one. @type {Choice['luaRoot']} */
let waitingRoot = null;
/** How often a reading began: the last one is shown. */
let readingCount = 0;

/* Views ------------------------------------------------------------------------------------ */

/** @param {'start' | 'reading' | 'report'} view */
function showView(view) {
  const { view: before } = document.body.dataset;
  if (before === 'report' && view !== 'report') reportTitle = document.title;
  document.body.dataset.view = view;
  byId('report').hidden = view !== 'report';
  if (view !== before) byId('sides').hidden = true;
  if (view !== 'report') closePanels();
  if (view !== before)
    document.title = view === 'report' ? reportTitle : 'supprof: read a game log';
}

/** Gives the focus to where one goes on, if what had it is gone. */
function keepFocus() {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.getClientRects().length > 0)
    return;
  /** @type {HTMLElement | null} */ (
    document.body.dataset.view === 'report' ? byId('report').querySelector('h1') : byId('choose')
  )?.focus({ preventScroll: true });
}

/** After a run that shows nothing, or with another address. */
function showViewOfAddress() {
  const wasReading = document.body.dataset.view === 'reading';
  showView(viewOfAddress());
  // The address may have changed while the report was hidden.
  if (wasReading) window.dispatchEvent(new Event('hashchange'));
  keepFocus();
}

/** The view that the address asks for. */
const viewOfAddress = () => (shown && window.location.hash.startsWith('#/') ? 'report' : 'start');

/** @param {Subject} subject */
const nameOf = ({ logs }) => logs[0].name;

/** Whether the report of a log is the shown one. @param {Subject} subject */
const isShown = ({ logs }) =>
  shown !== null && shown.logs[0] === logs[0] && viewOfAddress() === 'report';

function closePanels() {
  togglePanel('options', false);
  togglePanel('saving', false);
}

/** @param {string} id @param {boolean} [isOpen] */
function togglePanel(id, isOpen = byId(id).hidden) {
  byId(id).hidden = !isOpen;
  byId(`show-${id}`).setAttribute('aria-expanded', String(isOpen));
}

/** Where there is little room, the bar is a menu. */
const isBarOpen = () => byId('show-bar').getAttribute('aria-expanded') === 'true';
const toggleBar = (/** @type {boolean} */ isOpen) =>
  byId('show-bar').setAttribute('aria-expanded', String(isOpen));

/** The button of what can be saved, or of the menu with it. */
function focusSaving() {
  byId('show-saving').focus();
  byId('show-bar').focus();
}

/** @param {string} what @param {string} text @param {string} advice */
function showProblem(what, text, advice) {
  byId('problem-what').textContent = what;
  byId('problem-text').textContent = text;
  byId('problem-advice').textContent = advice;
  byId('problem').hidden = false;
  if (document.body.dataset.view === 'start') window.scrollTo(0, 0);
}

function hideProblems() {
  byId('problem').hidden = true;
  document.querySelector('.field-problem')?.remove();
  for (const field of fields) {
    field.removeAttribute('aria-invalid');
    if (field.getAttribute('aria-describedby') === 'field-problem')
      field.removeAttribute('aria-describedby');
  }
}

/**
 * An error of the program, beside the option that it is about.
 * @param {string} text
 * @param {string} option
 */
function showFieldProblem(text, option) {
  const message = document.createElement('p');
  message.className = 'field-problem';
  message.id = 'field-problem';
  message.setAttribute('role', 'alert');
  message.textContent = text;
  byId('options').querySelector('.help').before(message);
  togglePanel('options', true);
  const field = fields.find(({ dataset }) => dataset.option === option);
  field?.setAttribute('aria-invalid', 'true');
  if (option !== '--lua-root') field?.setAttribute('aria-describedby', 'field-problem');
  field?.focus();
}

/** The logs of the bar. @param {Subject} subject */
function showLogs({ logs, olds }) {
  const [log] = logs,
    [old] = olds;
  const name = (/** @type {File} */ file) =>
    Object.assign(document.createElement('b'), { textContent: file.name, title: file.name });
  const button = (
    /** @type {string} */ text,
    /** @type {string} */ label,
    /** @type {() => void} */ act
  ) => {
    const element = Object.assign(document.createElement('button'), {
      type: 'button',
      textContent: text,
      title: label,
      onclick: act,
    });
    element.setAttribute('aria-label', label);
    return element;
  };
  const labelled = (/** @type {string} */ text, /** @type {File[]} */ files) => {
    const element = Object.assign(document.createElement('span'), {
      className: 'log',
      textContent: text,
    });
    element.append(name(files[0]), files.length > 1 ? ` and ${files.length - 1} more` : '');
    return element;
  };
  const isMany = logs.length + olds.length > 2,
    change = button('Change…', 'Choose which logs are new and old', () => askSides(logs, olds));
  byId('logs').replaceChildren(
    ...(isMany
      ? [labelled(old ? 'new' : '', logs), ...(old ? [labelled('old', olds)] : []), change]
      : old
        ? [
            labelled('new', logs),
            labelled('old', olds),
            button('Swap', 'Make this the old log, and the other the new one', () =>
              read({ logs: olds, olds: logs, choice: readChoice() })
            ),
            button('×', `Without ${old.name}`, () =>
              read({ logs, olds: [], choice: readChoice() })
            ),
          ]
        : logs.length > 1
          ? [labelled('', logs), change]
          : [name(log)])
  );
  byId('compare').hidden = old !== undefined || logs.length > 1;
}

/**
 * Asks which of some logs are the old ones, and reads them.
 * @param {File[]} logs
 * @param {File[]} olds
 */
function askSides(logs, olds) {
  const rows = [...logs, ...olds].map((file) => {
    const row = document.createElement('tr'),
      side = document.createElement('select'),
      of = olds.includes(file) ? 'old' : 'new';
    for (const text of ['new', 'old', 'leave out'])
      side.append(new Option(text, text, text === of, text === of));
    side.setAttribute('aria-label', `Side of ${file.name}`);
    const cells = [
      side,
      formatBytes(file.size),
      new Date(file.lastModified).toLocaleString('sv').slice(0, 16),
    ].map((content) => {
      const cell = document.createElement('td');
      cell.append(content);
      return cell;
    });
    row.append(
      ...cells,
      Object.assign(document.createElement('th'), { scope: 'row', textContent: file.name })
    );
    return { row, file, side };
  });
  byId('sides-rows').replaceChildren(...rows.map(({ row }) => row));
  byId('sides').onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const of = (/** @type {string} */ wanted) =>
      rows.filter(({ side }) => side.value === wanted).map(({ file }) => file);
    const [now, before] = [of('new'), of('old')];
    rows[0].side.setCustomValidity(now.length === 0 ? 'At least one log must be new' : '');
    if (!rows[0].side.reportValidity()) return;
    byId('sides').hidden = true;
    read({ logs: now, olds: before, choice: readChoice() });
  };
  hideProblems();
  byId('sides').hidden = false;
  window.scrollTo(0, 0);
  byId('sides').querySelector('[type=submit]').focus();
}

/* Options ---------------------------------------------------------------------------------- */

/** @returns {Choice} */
function readChoice() {
  /** @type {Choice['values']} */
  const values = {};
  for (const field of fields)
    if (field.matches('input[type=text], select'))
      values[field.dataset.option ?? ''] = field.value.trim();
  return { values, foldsRecursion: byId('option-fold').checked, luaRoot };
}

/** @param {Choice['luaRoot']} root */
function setLuaRoot(root) {
  luaRoot = root;
  byId('choose-lua-root').textContent = root
    ? `${root.name}: ${root.files.length.toLocaleString('en')} files`
    : 'Choose a folder…';
  byId('remove-lua-root').hidden = root === null;
}

/** @param {Choice} choice */
function setOptions({ values, foldsRecursion, luaRoot: root }) {
  for (const field of fields)
    if (field.matches('input[type=text], select'))
      field.value = values[field.dataset.option ?? ''] ?? '';
  byId('option-fold').checked = foldsRecursion;
  setLuaRoot(root);
}

function resetOptions() {
  byId('options').reset();
  setLuaRoot(null);
}

/** How many options are set, on the button. @param {Choice} choice */
function showOptionCount({ values, foldsRecursion, luaRoot: root }) {
  const count =
    Object.values(values).filter((value) => value !== '').length +
    Number(foldsRecursion) +
    Number(root !== null);
  byId('show-options').textContent = count > 0 ? `Options (${count})` : 'Options';
}

/* Runs ------------------------------------------------------------------------------------- */

/**
 * Runs the program, with progress and a button that cancels. Returns null if it was cancelled.
 * @param {string} what
 * @param {Subject} subject
 * @param {string} format
 */
async function run(what, subject, format) {
  cancelRun?.();
  hideProblems();
  const part = byId('reading-part'),
    bytes = byId('reading-bytes');
  byId('reading-what').textContent = what;
  part.removeAttribute('value');
  bytes.textContent = formatBytes(
    [...subject.logs, ...subject.olds].reduce((sum, { size }) => sum + size, 0)
  );
  const request = makeRequest(subject.logs, subject.olds, subject.choice, format);
  const { result, cancel } = startRun(request, (done, total) => {
    if (done < total) part.value = done / Math.max(1, total);
    else part.removeAttribute('value');
    bytes.textContent =
      done < total
        ? `${formatBytes(done)} of ${formatBytes(total)}`
        : `${formatBytes(total)} read; making the ${format === 'html' ? 'report' : 'file'}`;
  });
  // A short run shows nothing: it would flicker.
  const timer = setTimeout(
    () => {
      byId('reading').hidden = false;
      byId('said').textContent = what;
    },
    shown ? 300 : 0
  );
  /** @type {Promise<null>} */
  const isCancelled = new Promise((resolve) => {
    cancelRun = () => {
      cancel();
      resolve(null);
    };
  });
  const ownCancel = cancelRun;
  try {
    return await Promise.race([result, isCancelled]);
  } finally {
    clearTimeout(timer);
    if (cancelRun === ownCancel) {
      byId('reading').hidden = true;
      byId('said').textContent = '';
      if (document.body.dataset.view !== 'reading') keepFocus();
      cancelRun = null;
    }
  }
}

/**
 * What a run wrote, or null after a problem that the page shows.
 * @param {string} what
 * @param {Subject} subject
 * @param {string} format
 * @returns {Promise<Output | null>}
 */
async function makeOutput(what, subject, format) {
  const showFailure = (/** @type {Message} */ problem) =>
    failed(
      format !== 'html'
        ? 'This cannot be saved'
        : `${nameOf(subject)} ` +
            (problem.code === 'no-recording' && subject.olds.length === 0
              ? 'has no recording'
              : 'cannot be read'),
      problem
    );
  try {
    const result = await run(what, subject, format);
    if (result === null) return null;
    const messages = readMessages(result.messages),
      [output] = result.outputs;
    if (output && result.status === 0)
      return { blob: output.blob, problem: null, sources: sourcesNote(messages) };
    const problem = problemOf(messages) ?? {
      code: 'other',
      text: `supprof ended with status ${result.status}`,
    };
    if (output) return { blob: output.blob, problem, sources: sourcesNote(messages) };
    if (fieldNames[problem.code] && isShown(subject))
      showFieldProblem(inPageWords(problem, fieldNames), problem.code);
    else showFailure(problem);
  } catch (reason) {
    showFailure(readReason(reason));
  }
  return null;
}

/** @param {string} what @param {Message} problem */
function failed(what, problem) {
  showViewOfAddress();
  showProblem(
    what,
    inPageWords(problem, fieldNames),
    adviceFor(problem.code, document.body.dataset.view === 'start')
  );
}

/** Says which part of a log is missing. @param {Subject} subject @param {Output} output */
function showPart(subject, { problem }) {
  if (problem)
    showProblem(
      'Only a part of ' +
        (subject.logs.length + subject.olds.length > 1 ? 'these logs' : nameOf(subject)) +
        ' was read',
      problem.text,
      adviceForPart(problem.code)
    );
}

/** Reads logs and shows the report. @param {Subject} subject */
async function read(subject) {
  const count = ++readingCount;
  const isSame = isShown(subject);
  if (!isSame) {
    // The options are those of the shown report: of another log they would hide something.
    resetOptions();
    setLuaRoot(waitingRoot);
    setWaitingRoot(null);
    subject.choice = readChoice();
    showView('reading');
  }
  togglePanel('saving', false);
  try {
    if ((await readAndShow(subject, count)) || count !== readingCount) return;
  } catch (reason) {
    if (count !== readingCount) return;
    failed(`${nameOf(subject)} cannot be shown`, readReason(reason));
  }
  showViewOfAddress();
  if (!isSame && shown) setOptions(shown.choice);
}

/** Returns whether the report is shown. @param {Subject} subject @param {number} count */
async function readAndShow(subject, count) {
  const output = await makeOutput(
    `Reading ${nameOf(subject)}` +
      (subject.olds.length === 1 && subject.logs.length === 1
        ? ` and ${subject.olds[0].name}`
        : subject.logs.length + subject.olds.length > 1
          ? ` and ${subject.logs.length + subject.olds.length - 1} more`
          : ''),
    subject,
    'html'
  );
  if (output === null) return false;
  const parsed = new DOMParser().parseFromString(await output.blob.text(), 'text/html');
  if (count !== readingCount) return false;
  if (!isShown(subject)) window.history.pushState(null, '', '#/overview');
  shown = subject;
  shownReport = output;
  showLogs(subject);
  showOptionCount(subject.choice);
  showView('report');
  showReport(parsed);
  if (output.sources)
    showProblem('Not all Lua sources fit this log', output.sources.text, output.sources.advice);
  showPart(subject, output);
  return true;
}

/**
 * Puts a report in the page; its script is one that the page's policy knows.
 * @param {Document} report
 */
function showReport(report) {
  document.dispatchEvent(new Event('report-close'));
  delete document.documentElement.dataset.ready;
  delete document.documentElement.dataset.shown;
  const script = document.createElement('script');
  script.type = 'module';
  script.textContent = report.querySelector('script[type=module]')?.textContent ?? '';
  const parts = ['header', 'page', 'data']
    .map((id) => report.getElementById(id))
    .filter((part) => part !== null);
  byId('report').replaceChildren(...parts, script);
  document.title = report.title;
}

/* Saving ------------------------------------------------------------------------------------- */

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** @param {(typeof formats)[number]} format */
async function saveAs({ name, suffix }) {
  if (!shown) return;
  togglePanel('saving', false);
  focusSaving();
  // Other files are of what the view of the report shows.
  const view = JSON.parse(document.documentElement.dataset.options ?? '[]'),
    subject = { ...shown, choice: { ...shown.choice, view } },
    file = savedName(nameOf(subject), suffix);
  const output = name === 'html' ? shownReport : await makeOutput(`Making ${file}`, subject, name);
  if (!output) return;
  save(output.blob, file);
  showPart(subject, output);
}

function showFormats() {
  byId('saving').replaceChildren(
    ...offeredFormats(
      formats,
      (shown?.olds.length ?? 0) > 0,
      (shown?.logs.length ?? 0) > 1 || (shown?.olds.length ?? 0) > 1
    ).map((format) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.format = format.name;
      const title = Object.assign(document.createElement('b'), { textContent: format.title });
      const about = Object.assign(document.createElement('small'), {
        textContent: `${format.summary} (${format.suffix})`,
      });
      button.append(title, about);
      button.onclick = () => saveAs(format);
      return button;
    })
  );
}

/* Logs in ------------------------------------------------------------------------------------ */

/** @param {File[]} files */
function open(files) {
  hideProblems();
  if (files.length === 0) return;
  const { logs, olds } = sidesOf(files);
  if (files.length > 2) askSides(logs, olds);
  else read({ logs, olds, choice: readChoice() });
}

/**
 * The contents of a folder that was dropped. Chromium reads a handle, but no entry on file://;
 * Firefox has entries alone.
 * @param {any} folder
 * @returns {Promise<{name: string, folder: any, file: () => Promise<File>}[]>}
 */
async function contentsOf(folder) {
  const found = [];
  if (folder.kind === 'directory') {
    for await (const one of folder.values())
      found.push({
        name: one.name,
        folder: one.kind === 'directory' ? one : null,
        file: () => one.getFile(),
      });
    return found;
  }
  const reader = folder.createReader();
  for (;;) {
    // A reader gives some entries at a time, and none in the end.
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const one of entries)
      found.push({
        name: one.name,
        folder: one.isDirectory ? one : null,
        file: () => new Promise((resolve, reject) => one.file(resolve, reject)),
      });
  }
}

/**
 * The Lua files below a folder.
 * @param {any} folder
 * @param {string} path
 * @returns {Promise<{path: string, file: File}[]>}
 */
async function luaFilesIn(folder, path) {
  const found = [];
  for (const one of await contentsOf(folder)) {
    if (one.folder) found.push(...(await luaFilesIn(one.folder, `${path}/${one.name}`)));
    else if (/\.lua$/i.test(one.name))
      found.push({ path: `${path}/${one.name}`, file: await one.file() });
  }
  return found;
}

/** Logs, and a folder of Lua beside them or alone. @param {DataTransfer} dropped */
async function openDropped(dropped) {
  // All that is dropped has to be asked for at once.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()),
    at = entries.findIndex((entry) => entry?.isDirectory);
  const files = [...dropped.files].filter((_, i) => !entries[i]?.isDirectory),
    handle = /** @type {any} */ (dropped.items[at])?.getAsFileSystemHandle?.();
  if (at < 0) {
    open(files);
    return;
  }
  const { name } = /** @type {FileSystemEntry} */ (entries[at]);
  try {
    const found = await luaFilesIn((await handle) ?? entries[at], name);
    if (found.length > 0) useRoot({ name, files: found }, files);
    else
      failed(`${name} is a folder`, {
        code: 'not-a-log',
        text:
          'There are no Lua files in it. Drop the log files themselves, and a folder only if it ' +
          'has Lua sources.',
      });
  } catch (reason) {
    failed(`${name} cannot be read`, {
      code: 'other',
      text: `${readReason(reason).text}\nChoose the folder instead: Lua sources.`,
    });
  }
}

/**
 * Takes Lua sources for the logs beside them, or for the shown or the next log.
 * @param {NonNullable<Choice['luaRoot']>} root
 * @param {File[]} files
 */
function useRoot(root, files) {
  hideProblems();
  if (files.length === 0 && shown && viewOfAddress() === 'report') {
    setLuaRoot(root);
    read({ ...shown, choice: readChoice() });
    return;
  }
  setWaitingRoot(root);
  open(files);
}

/** @param {Choice['luaRoot']} root */
function setWaitingRoot(root) {
  waitingRoot = root;
  byId('waiting-root').textContent = root
    ? `${root.name}: ${root.files.length.toLocaleString('en')} Lua files, for the next log`
    : 'Lua sources…';
}

/**
 * Reads what an input of files has, and makes it ready for the next choice.
 * @param {HTMLInputElement} input
 */
function takeFiles(input) {
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}

/** @param {HTMLInputElement} input */
function chooseFolder(input) {
  const files = takeFiles(input)
    .filter(({ name }) => /\.lua$/i.test(name))
    .map((file) => ({ path: file.webkitRelativePath, file }));
  hideProblems();
  const root = files.length > 0 ? { name: files[0].path.split('/')[0], files } : null,
    isStart = document.body.dataset.view === 'start';
  if (root && isStart) setWaitingRoot(root);
  else if (root) setLuaRoot(root);
  else if (isStart)
    failed('There are no Lua files in this folder', {
      code: 'not-a-log',
      text: "If the game's files are in archives (.scd), unpack them first.",
    });
  else
    showFieldProblem(
      "There are no Lua files in this folder. If the game's files are in archives (.scd), " +
        'unpack them first.',
      '--lua-root'
    );
}

/* Events ------------------------------------------------------------------------------------- */

/** @param {string} id @param {() => void} act */
const onClick = (id, act) => byId(id).addEventListener('click', act);

onClick('choose', () => byId('log-input').click());
onClick('other', () => byId('log-input').click());
onClick('compare', () => byId('old-input').click());
onClick('choose-lua-root', () => byId('folder-input').click());
onClick('remove-lua-root', () => setLuaRoot(null));
onClick('waiting-root', () => byId('folder-input').click());
onClick('close-sides', () => {
  byId('sides').hidden = true;
  keepFocus();
});
onClick('cancel', () => cancelRun?.());
onClick('close-problem', () => {
  hideProblems();
  keepFocus();
});
onClick('show-bar', () => toggleBar(!isBarOpen()));
onClick('show-about', () => byId('about').showModal());
onClick('close-about', () => byId('about').close());
onClick('show-options', () => {
  togglePanel('options');
  if (!byId('options').hidden) byId('option-from').focus();
});
onClick('show-saving', () => {
  showFormats();
  togglePanel('saving');
  byId('saving').querySelector('button')?.focus();
});
onClick('try', async () =>
  open([new File([await readEmbedded('embedded-example')], 'example.log')])
);
onClick('save-recorder', async () =>
  save(new Blob([await readEmbedded('embedded-recorder')]), 'profiler.lua')
);
onClick('reset-options', () => {
  resetOptions();
  if (shown) read({ ...shown, choice: readChoice() });
});
byId('options').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  if (shown) read({ ...shown, choice: readChoice() });
});
byId('log-input').addEventListener('change', () => open(takeFiles(byId('log-input'))));
byId('old-input').addEventListener('change', () => {
  const olds = takeFiles(byId('old-input'));
  if (olds.length > 0 && shown) read({ ...shown, olds, choice: readChoice() });
});
byId('folder-input').addEventListener('change', () => chooseFolder(byId('folder-input')));

const carriesFiles = (/** @type {DragEvent} */ event) =>
  event.dataTransfer?.types.includes('Files') ?? false;
document.addEventListener('dragover', (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  byId('drop-cover').hidden = false;
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) byId('drop-cover').hidden = true;
});
document.addEventListener('drop', (event) => {
  byId('drop-cover').hidden = true;
  if (!carriesFiles(event) || !event.dataTransfer) return;
  event.preventDefault();
  byId('about').close();
  openDropped(event.dataTransfer);
});
document.addEventListener('click', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!target.closest('#saving, #show-saving')) togglePanel('saving', false);
  if (!target.closest('#show-bar')) toggleBar(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  if (!byId('saving').hidden || isBarOpen()) focusSaving();
  togglePanel('saving', false);
  toggleBar(false);
});
// Reading begins there: what had the focus before may be gone. Who changes options goes on with
// them.
document.addEventListener('report-ready', () => {
  const title = /** @type {HTMLElement | null} */ (byId('report').querySelector('h1'));
  if (!byId('options').contains(document.activeElement)) title?.focus({ preventScroll: true });
  if (shown) byId('said').textContent = `The report of ${nameOf(shown)} is shown`;
});
// Before the report's own: what is hidden has no size that it could draw in.
window.addEventListener('hashchange', () => {
  if (document.body.dataset.view !== 'reading' || cancelRun === null) showViewOfAddress();
});

if (document.body.dataset.view !== 'unsupported') {
  if (window.location.hash !== '')
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  // Firefox keeps the values of fields over a reload.
  resetOptions();
  document.documentElement.dataset.pageReady = 'yes';
}
