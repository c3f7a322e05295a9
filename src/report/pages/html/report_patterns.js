// report_patterns.js - which functions the patterns of filters match. They are matched in a worker,
// because an expression can take for ever, and a link can hold one: the worker that takes too long
// is ended.

import { compilePattern, matchLabels } from './report_model.js';
import { functions, model } from './report_data.js';

const deadlineMs = 300;
/** What the worker does: it gets the labels, and then patterns. */
function answer() {
  /** @type {string[]} */
  let labels = [];
  onmessage = ({ data }) => {
    if (Array.isArray(data)) labels = data;
    postMessage({ isReady: true });
    if (Array.isArray(data)) return;
    try {
      postMessage({ matches: matchLabels(data, labels) });
    } catch (error) {
      postMessage({ mistake: /** @type {Error} */ (error).message });
    }
  };
}
const source = `${compilePattern}${matchLabels}(${answer})()`;

/** @typedef {{matches?: Uint8Array, mistake?: string}} Found */
/** What is known of each pattern. @type {Map<string, Found>} */
const known = new Map();
/** @type {Promise<Worker> | null} */
let started = null;

function startWorker() {
  return new Promise((/** @type {(worker: Worker) => void} */ resolve, reject) => {
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' })),
      worker = new Worker(address);
    worker.onmessage = () => resolve(worker);
    worker.onerror = () =>
      reject(new Error('this browser does not let the page look for patterns'));
    worker.postMessage(functions.label);
  });
}

/**
 * Whether a pattern has nothing that can be tried in several ways: to start a worker takes longer
 * than to look for it.
 * @param {string} pattern
 */
const isPlain = (pattern) => !/[*+?{|(]/.test(pattern);

/** @param {string} pattern @returns {Promise<Found>} */
async function match(pattern) {
  let worker;
  try {
    compilePattern(pattern);
    if (isPlain(pattern)) return { matches: matchLabels(pattern, functions.label) };
    worker = await (started ??= startWorker());
  } catch (error) {
    return { mistake: /** @type {Error} */ (error).message };
  }
  const used = worker;
  return new Promise((resolve) => {
    let timer = 0;
    const giveUp = () => {
      used.terminate();
      started = null;
      resolve({
        mistake:
          `it takes more than ${deadlineMs / 1000} s to look for it ` +
          `in ${functions.count} names`,
      });
    };
    used.onmessage = ({ data }) => {
      clearTimeout(timer);
      // The time runs from when the worker begins: a busy computer may let it wait.
      if (data.isReady) timer = setTimeout(giveUp, deadlineMs);
      else resolve(data);
    };
    used.postMessage(pattern);
  });
}

/**
 * Looks for patterns, one after the other; null if all are known.
 * @param {string[]} patterns
 * @returns {Promise<void> | null}
 */
export function findPatterns(patterns) {
  const wanted = [...new Set(patterns)].filter((pattern) => !known.has(pattern));
  if (wanted.length === 0) return null;
  return wanted.reduce(
    (before, pattern) =>
      before.then(async () => {
        known.set(pattern, await match(pattern));
      }),
    Promise.resolve()
  );
}

/** What was found of a pattern; throws what is wrong with it. @param {string} pattern */
function matchesOfPattern(pattern) {
  const { matches, mistake } = known.get(pattern) ?? {};
  if (!matches) throw new Error(mistake);
  return matches;
}

/** What filters are about. @type {import('./report_model.js').Subjects} */
export const subjects = {
  functions,
  files: model.files,
  mods: model.mods,
  folded: model.folded,
  matchPattern: matchesOfPattern,
};
