// page.js - supprof.html: logs that are dropped or chosen are read in a worker, and the report is shown
// in this page. The address is that of a view of the report, or empty: then another log can be chosen.
// The report is not in a frame: on file://, Chromium opens no address of a view in a frame with a Blob URL.

import { adviceFor, adviceForPart, formatBytes, inPageWords, makeRequest, newAndOld, offeredFormats, problemOf, readMessages, readReason, savedName, sourcesNote } from './page_request.js';
import { readEmbedded, startRun } from './page_run.js';

/** @typedef {import('./page_request.js').Choice} Choice */
/** @typedef {import('./page_request.js').Message} Message */

/** @param {string} id @returns {any} the element */
const byId = (id) => document.getElementById(id);
const fields = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('#options [data-option]')]);
/** What the page calls the program's options. @type {Record<string, string>} */
const fieldNames = Object.fromEntries(fields.map((field) => [field.dataset.option, (field.labels?.[0] ?? byId('lua-root-label')).textContent]));
/** @type {import('./page_request.js').Format[]} */
const formats = JSON.parse(byId('formats').textContent);

/** What the shown report was made of.
 * @typedef {{log: File, old: File | null, choice: Choice}} Subject */

/** What a run wrote; `problem` is what the program says if that shows only a part of the logs.
 * `sources` is what it says of Lua sources that do not fit.
 * @typedef {{blob: Blob, problem: Message | null, sources: {text: string, advice: string} | null}} Output */

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
/** How often a reading began: the last one is shown. */
let readingCount = 0;

/* Views ------------------------------------------------------------------------------------ */

/** @param {'start' | 'reading' | 'report'} view */
function showView(view) {
  const { view: before } = document.body.dataset;
  if (before === 'report' && view !== 'report') reportTitle = document.title;
  document.body.dataset.view = view;
  byId('report').hidden = view !== 'report';
  if (view !== 'report') closePanels();
  if (view !== before) document.title = view === 'report' ? reportTitle : 'supprof: read a game log';
}

/** Gives the focus to where one goes on, if what had it is gone. */
function keepFocus() {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.getClientRects().length > 0) return;
  /** @type {HTMLElement | null} */ (document.body.dataset.view === 'report' ? byId('report').querySelector('h1') : byId('choose'))?.focus({ preventScroll: true });
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

/** Whether the report of a log is the shown one. @param {Subject} subject */
const isShown = ({ log }) => shown !== null && shown.log === log && viewOfAddress() === 'report';

function closePanels() {
  togglePanel('options', false);
  togglePanel('saving', false);
}

/** @param {string} id @param {boolean} [isOpen] */
function togglePanel(id, isOpen = byId(id).hidden) {
  byId(id).hidden = !isOpen;
  byId(`show-${id}`).setAttribute('aria-expanded', String(isOpen));
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
    if (field.getAttribute('aria-describedby') === 'field-problem') field.removeAttribute('aria-describedby');
  }
}

/** An error of the program, beside the option that it is about. @param {string} text @param {string} option */
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
function showLogs({ log, old }) {
  const name = (/** @type {File} */ file) => Object.assign(document.createElement('b'), { textContent: file.name, title: file.name });
  const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) => {
    const element = Object.assign(document.createElement('button'), { type: 'button', textContent: text, title: label, onclick: act });
    element.setAttribute('aria-label', label);
    return element;
  };
  const labelled = (/** @type {string} */ text, /** @type {File} */ file) => {
    const element = Object.assign(document.createElement('span'), { className: 'log', textContent: text });
    element.append(name(file));
    return element;
  };
  byId('logs').replaceChildren(...(old ? [
    labelled('new', log), labelled('old', old),
    button('Swap', 'Make this the old log, and the other the new one', () => read({ log: old, old: log, choice: readChoice() })),
    button('×', `Without ${old.name}`, () => read({ log, old: null, choice: readChoice() })),
  ] : [name(log)]));
  byId('compare').hidden = old !== null;
}

/* Options ---------------------------------------------------------------------------------- */

/** @returns {Choice} */
function readChoice() {
  /** @type {Choice['values']} */
  const values = {};
  for (const field of fields) if (field.matches('input[type=text], select')) values[field.dataset.option ?? ''] = field.value.trim();
  return { values, foldsRecursion: byId('option-fold').checked, luaRoot };
}

/** @param {Choice['luaRoot']} root */
function setLuaRoot(root) {
  luaRoot = root;
  byId('choose-lua-root').textContent = root ? `${root.name}: ${root.files.length.toLocaleString('en')} files` : 'Choose a folder…';
  byId('remove-lua-root').hidden = root === null;
}

/** @param {Choice} choice */
function setOptions({ values, foldsRecursion, luaRoot: root }) {
  for (const field of fields) if (field.matches('input[type=text], select')) field.value = values[field.dataset.option ?? ''] ?? '';
  byId('option-fold').checked = foldsRecursion;
  setLuaRoot(root);
}

function resetOptions() {
  byId('options').reset();
  setLuaRoot(null);
}

/** How many options are set, on the button. @param {Choice} choice */
function showOptionCount({ values, foldsRecursion, luaRoot: root }) {
  const count = Object.values(values).filter((value) => value !== '').length + Number(foldsRecursion) + Number(root !== null);
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
  const part = byId('reading-part'), bytes = byId('reading-bytes');
  byId('reading-what').textContent = what;
  part.removeAttribute('value');
  bytes.textContent = formatBytes(subject.log.size + (subject.old?.size ?? 0));
  const request = makeRequest(subject.log, subject.old, subject.choice, format);
  const { result, cancel } = startRun(request, (done, total) => {
    if (done < total) part.value = done / Math.max(1, total);
    else part.removeAttribute('value');
    bytes.textContent = done < total ? `${formatBytes(done)} of ${formatBytes(total)}` : `${formatBytes(total)} read; making the ${format === 'html' ? 'report' : 'file'}`;
  });
  // A short run shows nothing: it would flicker.
  const timer = setTimeout(() => {
    byId('reading').hidden = false;
    byId('said').textContent = what;
  }, shown ? 300 : 0);
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

/** What a run wrote, or null after a problem that the page shows.
 * @param {string} what @param {Subject} subject @param {string} format @returns {Promise<Output | null>} */
async function makeOutput(what, subject, format) {
  const showFailure = (/** @type {Message} */ problem) => failed(format !== 'html' ? 'This cannot be saved'
    : `${subject.log.name} ${problem.code === 'no-recording' && !subject.old ? 'has no recording' : 'cannot be read'}`, problem);
  try {
    const result = await run(what, subject, format);
    if (result === null) return null;
    const messages = readMessages(result.messages), [output] = result.outputs;
    if (output && result.status === 0) return { blob: output.blob, problem: null, sources: sourcesNote(messages) };
    const problem = problemOf(messages) ?? { code: 'other', text: `supprof ended with status ${result.status}` };
    if (output) return { blob: output.blob, problem, sources: sourcesNote(messages) };
    if (fieldNames[problem.code] && isShown(subject)) showFieldProblem(inPageWords(problem, fieldNames), problem.code);
    else showFailure(problem);
  } catch (reason) {
    showFailure(readReason(reason));
  }
  return null;
}

/** @param {string} what @param {Message} problem */
function failed(what, problem) {
  showViewOfAddress();
  showProblem(what, inPageWords(problem, fieldNames), adviceFor(problem.code, document.body.dataset.view === 'start'));
}

/** Says which part of a log is missing. @param {Subject} subject @param {Output} output */
function showPart(subject, { problem }) {
  if (problem) showProblem(`Only a part of ${subject.old ? 'these logs' : subject.log.name} was read`, problem.text, adviceForPart(problem.code));
}

/** Reads logs and shows the report. @param {Subject} subject */
async function read(subject) {
  const count = ++readingCount;
  const isSame = isShown(subject);
  if (!isSame) {
    // The options are those of the shown report: of another log they would hide something.
    resetOptions();
    subject.choice = readChoice();
    showView('reading');
  }
  togglePanel('saving', false);
  try {
    if (await readAndShow(subject, count) || count !== readingCount) return;
  } catch (reason) {
    if (count !== readingCount) return;
    failed(`${subject.log.name} cannot be shown`, readReason(reason));
  }
  showViewOfAddress();
  if (!isSame && shown) setOptions(shown.choice);
}

/** Returns whether the report is shown. @param {Subject} subject @param {number} count */
async function readAndShow(subject, count) {
  const output = await makeOutput(`Reading ${subject.log.name}${subject.old ? ` and ${subject.old.name}` : ''}`, subject, 'html');
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
  if (output.sources) showProblem('Not all Lua sources fit this log', output.sources.text, output.sources.advice);
  showPart(subject, output);
  return true;
}

/** Puts a report in the page; its script is one that the page's policy knows. @param {Document} report */
function showReport(report) {
  document.dispatchEvent(new Event('report-close'));
  delete document.documentElement.dataset.ready;
  delete document.documentElement.dataset.shown;
  const script = document.createElement('script');
  script.type = 'module';
  script.textContent = report.querySelector('script[type=module]')?.textContent ?? '';
  const parts = ['header', 'page', 'data'].map((id) => report.getElementById(id)).filter((part) => part !== null);
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
  byId('show-saving').focus();
  const subject = shown, file = savedName(subject.log.name, suffix);
  const output = name === 'html' ? shownReport : await makeOutput(`Making ${file}`, subject, name);
  if (!output) return;
  save(output.blob, file);
  showPart(subject, output);
}

function showFormats() {
  byId('saving').replaceChildren(...offeredFormats(formats, Boolean(shown?.old)).map((format) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.format = format.name;
    const title = Object.assign(document.createElement('b'), { textContent: format.title });
    const about = Object.assign(document.createElement('small'), { textContent: `${format.summary} (${format.suffix})` });
    button.append(title, about);
    button.onclick = () => saveAs(format);
    return button;
  }));
}

/* Logs in ------------------------------------------------------------------------------------ */

/** @param {File[]} files */
function open(files) {
  hideProblems();
  if (files.length === 0) return;
  if (files.length > 2) {
    failed(`These are ${files.length} files`, { code: 'other', text: 'Drop one log, or two to compare them. The program for Windows and Linux can add up more, or compare repeated games.' });
    return;
  }
  const [log, old] = files.length === 2 ? newAndOld(files[0], files[1]) : [files[0], null];
  read({ log, old, choice: readChoice() });
}

/** @param {DataTransfer} dropped */
function openDropped(dropped) {
  const folder = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).find((entry) => entry?.isDirectory);
  if (folder) failed(`${folder.name} is a folder`, { code: 'not-a-log', text: 'Drop one or two log files from it. To give names to functions, choose a folder of Lua sources in the Options of a report.' });
  else open([...dropped.files]);
}

/** Reads what an input of files has, and makes it ready for the next choice. @param {HTMLInputElement} input */
function takeFiles(input) {
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}

/** @param {HTMLInputElement} input */
function chooseFolder(input) {
  const files = takeFiles(input).filter(({ name }) => /\.lua$/i.test(name)).map((file) => ({ path: file.webkitRelativePath, file }));
  hideProblems();
  if (files.length > 0) setLuaRoot({ name: files[0].path.split('/')[0], files });
  else showFieldProblem('There are no Lua files in this folder. If the game\'s files are in archives (.scd), unpack them first.', '--lua-root');
}

/* Events ------------------------------------------------------------------------------------- */

/** @param {string} id @param {() => void} act */
const onClick = (id, act) => byId(id).addEventListener('click', act);

onClick('choose', () => byId('log-input').click());
onClick('other', () => byId('log-input').click());
onClick('compare', () => byId('old-input').click());
onClick('choose-lua-root', () => byId('folder-input').click());
onClick('remove-lua-root', () => setLuaRoot(null));
onClick('cancel', () => cancelRun?.());
onClick('close-problem', () => {
  hideProblems();
  keepFocus();
});
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
onClick('try', async () => open([new File([await readEmbedded('embedded-example')], 'example.log')]));
onClick('save-recorder', async () => save(new Blob([await readEmbedded('embedded-recorder')]), 'profiler.lua'));
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
  const [old] = takeFiles(byId('old-input'));
  if (old && shown) read({ ...shown, old, choice: readChoice() });
});
byId('folder-input').addEventListener('change', () => chooseFolder(byId('folder-input')));

const carriesFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
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
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  if (!byId('saving').hidden) byId('show-saving').focus();
  togglePanel('saving', false);
});
// Reading begins there: what had the focus before may be gone. Who changes options goes on with them.
document.addEventListener('report-ready', () => {
  const title = /** @type {HTMLElement | null} */ (byId('report').querySelector('h1'));
  if (!byId('options').contains(document.activeElement)) title?.focus({ preventScroll: true });
  if (shown) byId('said').textContent = `The report of ${shown.log.name} is shown`;
});
// Before the report's own: what is hidden has no size that it could draw in.
window.addEventListener('hashchange', () => {
  if (document.body.dataset.view !== 'reading' || cancelRun === null) showViewOfAddress();
});

if (document.body.dataset.view !== 'unsupported') {
  if (window.location.hash !== '') window.history.replaceState(null, '', window.location.pathname + window.location.search);
  // Firefox keeps the values of fields over a reload.
  resetOptions();
  document.documentElement.dataset.pageReady = 'yes';
}
