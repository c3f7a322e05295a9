// page_run.js - runs the program that is embedded in the page, in a worker.

/** @typedef {import('./page_request.js').Answer} Answer */
/** @typedef {Extract<Answer, {status: number}>} Result */

/** The bytes of an element's text in base64, unpacked. @param {string} id */
export async function readEmbedded(id) {
  const text = atob(document.getElementById(id)?.textContent ?? '');
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  ).arrayBuffer();
}

/** @type {Promise<WebAssembly.Module> | null} */
let module = null;

/** @type {string | null} */
let workerAddress = null;

/**
 * A run: its result, and how to end it early; then the promise stays open.
 * @param {{arguments: string[], files: {path: string, file: Blob}[], outputs: string[]}} request
 * @param {(bytes: number, total: number) => void} onProgress
 * @returns {{result: Promise<Result>, cancel: () => void}} rejected with an Error
 */
export function startRun(request, onProgress) {
  workerAddress ??= URL.createObjectURL(
    new Blob([document.getElementById('embedded-worker')?.textContent ?? ''], {
      type: 'text/javascript',
    })
  );
  module ??= readEmbedded('embedded-module').then((bytes) => WebAssembly.compile(bytes));
  // Its memory is the program's: a worker of its own for each run gives it back.
  const worker = new Worker(workerAddress);
  /** @type {Promise<Result>} */
  const result = new Promise((resolve, reject) => {
    worker.onmessage = (/** @type {MessageEvent<Answer>} */ { data }) => {
      if ('progress' in data) onProgress(data.progress.bytes, data.progress.total);
      else if ('failure' in data)
        reject(Object.assign(new Error(data.failure), { name: data.name }));
      else resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message || 'the worker ended'));
    worker.onmessageerror = () => reject(new Error("the worker's answer could not be read"));
    module
      ?.then((compiled) => worker.postMessage({ module: compiled, ...request }))
      .catch((/** @type {unknown} */ reason) => {
        module = null;
        reject(reason);
      });
  });
  const end = () => worker.terminate();
  result.then(end, end);
  return { result, cancel: end };
}
