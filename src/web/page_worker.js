// page_worker.js - runs supprof in a worker of a page, so that the page stays responsive and can
// stop it: end the worker to do so. A worker does one run for each message.

import { runProgram } from './wasi.js';

/** @typedef {import('./page_request.js').Request} Request */
/** @typedef {import('./page_request.js').Answer} Answer */

const intervalMs = 100;

/** @param {Answer} answer */
const send = (answer) => self.postMessage(answer);

/**
 * Calls back with what is read of the logs: the files that the arguments name.
 * @param {Request} request
 */
function makeMeter(request) {
  const isLog = new Set(request.arguments);
  const total = request.files.reduce(
    (sum, { path, file }) => sum + (isLog.has(path) ? file.size : 0),
    0
  );
  /** @type {Map<string, number>} a log may be read twice */
  const ends = new Map();
  let lastMs = -intervalMs;
  return (/** @type {{path: string}} */ { path }, /** @type {number} */ to) => {
    if (isLog.has(path)) ends.set(path, Math.max(to, ends.get(path) ?? 0));
    if (performance.now() - lastMs < intervalMs) return;
    lastMs = performance.now();
    send({ progress: { bytes: [...ends.values()].reduce((sum, end) => sum + end, 0), total } });
  };
}

/** @param {Request} request @returns {Answer} */
function run(request) {
  // What is sent to a closed port is freed at once. Chromium collects the garbage of a worker that
  // never waits late: hundreds of megabytes of what was read.
  const { port1: bin, port2 } = new MessageChannel();
  port2.close();
  const reader = new FileReaderSync();
  const sources = request.files.map(({ path, file }) => ({
    path,
    byteCount: file.size,
    writtenMs: file instanceof File ? file.lastModified : 0,
    read: (/** @type {number} */ from, /** @type {number} */ to) =>
      new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to))),
    free: (/** @type {Uint8Array} */ block) => bin.postMessage(0, [block.buffer]),
  }));
  const module =
    request.module instanceof WebAssembly.Module
      ? request.module
      : new WebAssembly.Module(request.module);
  const { status, text, messages, files } = runProgram(
    module,
    request.arguments,
    sources,
    makeMeter(request)
  );
  const outputs = request.outputs.flatMap((path) => {
    const blob = files.written(path);
    return blob !== null ? [{ path, blob }] : [];
  });
  return { status, text, messages, outputs };
}

self.onmessage = (/** @type {MessageEvent<Request>} */ { data }) => {
  try {
    send(run(data));
  } catch (reason) {
    send({ failure: String(reason), name: reason instanceof Error ? reason.name : '' });
  }
};
