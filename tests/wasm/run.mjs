// run.mjs - runs supprof.wasm on files of the disk, with the calls of WASI that the page has.
import fs from 'node:fs';
import path from 'node:path';
import { webcrypto } from 'node:crypto';
import { runProgram } from '../../src/web/wasi.js';

// Node.js 18 has it only there.
globalThis.crypto ??= webcrypto;

/** A file, or all files below a folder, as sources at or below another path. */
export function sourcesOf(file, at) {
  const status = fs.statSync(file);
  if (status.isDirectory())
    return fs
      .readdirSync(file)
      .flatMap((name) => sourcesOf(path.join(file, name), at === '' ? name : `${at}/${name}`));
  const read = (from, to) => {
    const descriptor = fs.openSync(file),
      bytes = new Uint8Array(to - from);
    const length = fs.readSync(descriptor, bytes, 0, to - from, from);
    fs.closeSync(descriptor);
    return bytes.subarray(0, length);
  };
  return [{ path: at, byteCount: status.size, writtenMs: status.mtimeMs, read }];
}

/** A source with these bytes. */
export function sourceOf(at, bytes) {
  return {
    path: at,
    byteCount: bytes.length,
    writtenMs: 0,
    read: (from, to) => bytes.subarray(from, to),
  };
}

/** Status, text, messages, and the files of `folder` that were written, by name. */
export async function run(module, args, sources, folder = '') {
  const { files, ...result } = runProgram(module, args, sources, () => {});
  const written = new Map();
  for (const name of [...files.find(folder).entries.keys()].sort()) {
    const blob = files.written(`${folder}/${name}`);
    if (blob !== null) written.set(name, Buffer.from(await blob.arrayBuffer()));
  }
  return { ...result, written };
}
