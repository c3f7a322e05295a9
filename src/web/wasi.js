// wasi.js - runs supprof's WebAssembly module: the calls of WASI (snapshot preview 1) that it
// makes. There is one folder, with the given files; the program has no terminal, no environment and
// no standard input.

import { error, FileError, Files, kind } from './wasi_files.js';

/** @typedef {import('./wasi_files.js').Source} Source */
/** @typedef {import('./wasi_files.js').OpenFile} OpenFile */

const standardOutput = 1,
  standardError = 2,
  rootFolder = 3;
const standardFiles = [0, standardOutput, standardError];
const allRights = 0xffffffffffffffffn;

/** Thrown by the call that ends the program. */
class Exit extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`exit status ${status}`);
    this.status = status;
  }
}

/** What is written to a standard stream, at most so many bytes. */
class Stream {
  /** @param {number} limit */
  constructor(limit) {
    this.limit = limit;
    this.byteCount = 0;
    this.decoder = new TextDecoder();
    this.text = '';
  }

  /** Returns whether all of the bytes were taken. @param {Uint8Array} bytes */
  add(bytes) {
    const kept = bytes.subarray(0, Math.max(0, this.limit - this.byteCount));
    this.text += this.decoder.decode(kept, { stream: true });
    this.byteCount += bytes.length;
    return kept.length === bytes.length;
  }

  end() {
    return this.text + this.decoder.decode();
  }
}

class Process {
  /** @param {string[]} args @param {Files} files */
  constructor(args, files) {
    const encoder = new TextEncoder();
    this.args = args.map((arg) => encoder.encode(`${arg}\0`));
    this.files = files;
    /** @type {Map<number, OpenFile>} */
    this.open = new Map([[rootFolder, { node: files.root, at: 0, reader: null, written: null }]]);
    this.text = new Stream(64e6);
    this.messages = new Stream(1e6);
    /** @type {WebAssembly.Memory} */
    this.memory = new WebAssembly.Memory({ initial: 0 });
  }

  // Memory that grows gets another buffer: a view is good for one call only.
  view() {
    return new DataView(this.memory.buffer);
  }

  /** @param {number} at @param {number} length */
  bytes(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** @param {number} at @param {number} length */
  path(at, length) {
    // A name may begin with what would be a byte order mark.
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes(at, length));
  }

  /** @param {number} file */
  find(file) {
    const open = this.open.get(file);
    if (open === undefined) throw new FileError(error.badFile);
    return open;
  }

  /** The pieces of memory that a list of them names. @param {number} list @param {number} count */
  pieces(list, count) {
    const view = this.view();
    return Array.from({ length: count }, (_, i) =>
      this.bytes(view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true))
    );
  }

  /**
   * @param {number} at
   * @param {import('./wasi_files.js').Node | null} node null for a standard stream
   */
  putStatus(at, node) {
    this.bytes(at, 64).fill(0);
    if (node === null) return;
    const view = this.view();
    const { source, written } = node.kind === kind.file ? node : { source: null, written: null };
    view.setBigUint64(at, 1n, true);
    view.setBigUint64(at + 8, node.number, true);
    view.setUint8(at + 16, node.kind);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(source?.byteCount ?? written?.byteCount ?? 0), true);
    view.setBigUint64(at + 48, BigInt(Math.trunc((source?.writtenMs ?? 0) * 1e6)), true);
  }

  /**
   * Writes the texts, one after the other, and where each begins.
   * @param {number} list
   * @param {number} at
   */
  putArguments(list, at) {
    for (const [i, arg] of this.args.entries()) {
      this.view().setUint32(list + 4 * i, at, true);
      this.bytes(at, arg.length).set(arg);
      at += arg.length;
    }
  }

  /** @param {number} file @param {number} list @param {number} count */
  read(file, list, count) {
    if (file === 0) return 0;
    const open = this.find(file);
    if (open.reader === null)
      throw new FileError(open.node.kind === kind.folder ? error.isFolder : error.badFile);
    let length = 0;
    for (const piece of this.pieces(list, count)) {
      const got = open.reader.read(open.at, piece);
      open.at += got;
      length += got;
      if (got < piece.length) break;
    }
    return length;
  }

  /** @param {number} file @param {number} list @param {number} count */
  write(file, list, count) {
    let length = 0;
    for (const piece of this.pieces(list, count)) {
      if (file === standardError) this.messages.add(piece);
      else if (file === standardOutput) {
        if (!this.text.add(piece)) throw new FileError(error.tooLarge);
      } else {
        const { written } = this.find(file);
        if (written === null) throw new FileError(error.badFile);
        written.add(piece);
      }
      length += piece.length;
    }
    return length;
  }

  /**
   * Writes the entries from `from` on, as far as there is room.
   * @param {number} file
   * @param {number} at
   * @param {number} room
   * @param {number} from
   */
  putEntries(file, at, room, from) {
    const folder = this.files.asFolder(this.find(file).node);
    const target = this.bytes(at, room),
      encoder = new TextEncoder();
    let length = 0,
      next = 0;
    for (const [name, node] of folder.entries) {
      if (next++ < from) continue;
      if (length === room) break;
      const text = encoder.encode(name),
        entry = new Uint8Array(24 + text.length),
        view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(next), true);
      view.setBigUint64(8, node.number, true);
      view.setUint32(16, text.length, true);
      view.setUint8(20, node.kind);
      entry.set(text, 24);
      // An entry that is cut there is asked for again.
      target.set(entry.subarray(0, room - length), length);
      length = Math.min(room, length + entry.length);
    }
    return length;
  }

  /** @param {string} path @param {number} flags */
  openPath(path, flags) {
    const opened = this.files.open(path, {
      creates: (flags & 1) !== 0,
      isFolder: (flags & 2) !== 0,
      isNew: (flags & 4) !== 0,
      empties: (flags & 8) !== 0,
    });
    let file = rootFolder + 1;
    while (this.open.has(file)) file++;
    this.open.set(file, opened);
    return file;
  }

  /** @param {number} file @param {bigint} offset @param {number} from */
  seek(file, offset, from) {
    const open = this.find(file);
    if (open.reader === null) throw new FileError(error.invalid);
    const start = [0, open.at, open.reader.source.byteCount][from] ?? -1,
      at = start + Number(offset);
    if (start < 0 || at < 0) throw new FileError(error.invalid);
    open.at = at;
    return BigInt(at);
  }

  /**
   * The calls, by name. Each returns an error's number; a result goes to the memory at `result`.
   */
  calls() {
    const put = (/** @type {number} */ at, /** @type {number} */ value) =>
      this.view().setUint32(at, value, true);
    /** @type {Record<string, (...args: any[]) => void>} */
    const calls = {
      args_sizes_get: (count, length) => {
        put(count, this.args.length);
        put(
          length,
          this.args.reduce((sum, arg) => sum + arg.length, 0)
        );
      },
      args_get: (list, at) => this.putArguments(list, at),
      environ_sizes_get: (count, length) => {
        put(count, 0);
        put(length, 0);
      },
      environ_get: () => {},
      clock_time_get: (clock, precision, result) => {
        const ms = clock === 0 ? Date.now() : performance.now();
        this.view().setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
      },
      random_get: (at, length) => void crypto.getRandomValues(this.bytes(at, length)),
      fd_close: (file) => {
        if (!this.open.delete(file) && !standardFiles.includes(file))
          throw new FileError(error.badFile);
      },
      fd_fdstat_get: (file, result) => {
        const node = standardFiles.includes(file) ? null : this.find(file).node;
        this.bytes(result, 24).fill(0);
        this.view().setUint8(result, node?.kind ?? kind.other);
        this.view().setBigUint64(result + 8, allRights, true);
        this.view().setBigUint64(result + 16, allRights, true);
      },
      fd_fdstat_set_flags: () => {},
      fd_filestat_get: (file, result) =>
        this.putStatus(result, standardFiles.includes(file) ? null : this.find(file).node),
      fd_prestat_get: (file, result) => {
        if (file !== rootFolder) throw new FileError(error.badFile);
        put(result, 0);
        put(result + 4, 1);
      },
      fd_prestat_dir_name: (file, at) => this.bytes(at, 1).set([47]), // a slash
      fd_read: (file, list, count, result) => put(result, this.read(file, list, count)),
      fd_write: (file, list, count, result) => put(result, this.write(file, list, count)),
      fd_readdir: (file, at, room, from, result) =>
        put(result, this.putEntries(file, at, room, Number(from))),
      fd_seek: (file, offset, from, result) =>
        this.view().setBigUint64(result, this.seek(file, offset, from), true),
      path_create_directory: (folder, at, length) => this.files.createFolder(this.path(at, length)),
      path_filestat_get: (folder, flags, at, length, result) =>
        this.putStatus(result, this.files.find(this.path(at, length))),
      path_open: (folder, follow, at, length, flags, rights, inherited, fileFlags, result) =>
        put(result, this.openPath(this.path(at, length), flags)),
      path_rename: (folder, at, length, folderTo, atTo, lengthTo) =>
        this.files.rename(this.path(at, length), this.path(atTo, lengthTo)),
      path_unlink_file: (folder, at, length) => this.files.remove(this.path(at, length)),
      poll_oneoff: () => {
        throw new FileError(error.notProvided);
      },
      proc_exit: (status) => {
        throw new Exit(status);
      },
    };
    return Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [
        name,
        (/** @type {any[]} */ ...args) => {
          try {
            // An address above 2 GB arrives as a negative number.
            call(...args.map((arg) => (typeof arg === 'number' ? arg >>> 0 : arg)));
            return error.none;
          } catch (reason) {
            if (reason instanceof FileError) return reason.number;
            throw reason;
          }
        },
      ])
    );
  }
}

/**
 * Runs the program once. onRead() is called after each block that is read, with the end of it in
 * its file. Throws what WebAssembly throws if the program stops where it must not, or has no
 * memory. Afterwards `files` has what the program wrote.
 * @param {WebAssembly.Module} module
 * @param {string[]} args
 * @param {Source[]} sources
 * @param {(source: Source, to: number) => void} onRead
 */
export function runProgram(module, args, sources, onRead) {
  const files = new Files(sources, onRead);
  const process = new Process(['supprof', ...args], files);
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: process.calls() });
  process.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  let status = 0;
  try {
    /** @type {() => void} */ (exports._start)();
  } catch (reason) {
    if (!(reason instanceof Exit)) throw reason;
    status = reason.status;
  }
  return { status, text: process.text.end(), messages: process.messages.end(), files };
}
