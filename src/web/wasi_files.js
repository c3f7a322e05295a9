// wasi_files.js - the files that a program for WASI sees: a tree of files that are given, read in
// blocks, and of those that the program writes, kept in memory. Needs neither a page nor a worker.

/** The numbers that WASI (snapshot preview 1) has for them. */
export const error = {
  none: 0,
  badFile: 8,
  exists: 20,
  tooLarge: 22,
  invalid: 28,
  io: 29,
  isFolder: 31,
  notFound: 44,
  notProvided: 52,
  isNoFolder: 54,
  notAllowed: 63,
};
export const kind = /** @type {const} */ ({ other: 0, folder: 3, file: 4 });

/** A program's error number, thrown by what cannot be done. */
export class FileError extends Error {
  /** @param {number} number */
  constructor(number) {
    super(`error ${number}`);
    this.number = number;
  }
}

/**
 * A file that is given. read() returns the bytes [from, to) of it, or throws; free() takes them
 * back.
 * @typedef {object} Source
 * @property {string} path
 * @property {number} byteCount
 * @property {number} writtenMs
 * @property {(from: number, to: number) => Uint8Array} read
 * @property {(block: Uint8Array) => void} [free]
 */

/** What is written; large parts become Blobs, which a browser may keep on the disk. */
class Written {
  constructor() {
    this.byteCount = 0;
    /** @type {BlobPart[]} */
    this.parts = [];
    this.loose = 0;
  }

  /** @param {Uint8Array} bytes */
  add(bytes) {
    this.parts.push(bytes.slice());
    this.byteCount += bytes.length;
    this.loose += bytes.length;
    if (this.loose < 16e6) return;
    this.parts = [new Blob(this.parts)];
    this.loose = 0;
  }
}

/**
 * Reads a source from its beginning to its end in large blocks: a small read of a Blob takes as
 * long.
 */
class Reader {
  /** @param {Source} source @param {(source: Source, to: number) => void} onRead */
  constructor(source, onRead) {
    this.source = source;
    this.onRead = onRead;
    /** @type {Uint8Array} */
    this.block = new Uint8Array(0);
    this.blockFrom = 0;
  }

  /**
   * Fills `target` as far as one block reaches; returns the number of bytes, 0 only at the end.
   * @param {number} from
   * @param {Uint8Array} target
   */
  read(from, target) {
    const { source } = this;
    if (from >= source.byteCount || target.length === 0) return 0;
    if (from < this.blockFrom || from >= this.blockFrom + this.block.length) this.readBlock(from);
    const at = from - this.blockFrom;
    const found = this.block.subarray(at, at + target.length);
    target.set(found);
    return found.length;
  }

  /** @param {number} from */
  readBlock(from) {
    const to = Math.min(from + 4e6, this.source.byteCount);
    this.source.free?.(this.block);
    this.block = new Uint8Array(0);
    try {
      this.block = this.source.read(from, to);
    } catch {
      throw new FileError(error.io);
    }
    if (this.block.length === 0) throw new FileError(error.io);
    this.blockFrom = from;
    this.onRead(this.source, from + this.block.length);
  }
}

/** @typedef {{kind: typeof kind.folder, number: bigint, entries: Map<string, Node>}} Folder */
/**
 * `source` if it was given, `written` if the program made it.
 * @typedef {{kind: typeof kind.file, number: bigint, source: Source | null, written: Written |
 * null}} GivenOrWritten
 */
/** @typedef {Folder | GivenOrWritten} Node */
/** @typedef {{node: Node, at: number, reader: Reader | null, written: Written | null}} OpenFile */

/** The parts of a path; `..` does not lead out of the tree. @param {string} path */
function partsOf(path) {
  const parts = [];
  for (const part of path.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  return parts;
}

export class Files {
  /**
   * @param {Source[]} sources
   * @param {(source: Source, to: number) => void} onRead called after each block
   */
  constructor(sources, onRead) {
    this.onRead = onRead;
    this.count = 0n;
    this.root = this.newFolder();
    for (const source of sources) {
      const parts = partsOf(source.path),
        name = parts.pop();
      let folder = this.root;
      for (const part of parts) {
        if (!folder.entries.has(part)) folder.entries.set(part, this.newFolder());
        folder = this.asFolder(folder.entries.get(part));
      }
      if (name !== undefined) folder.entries.set(name, this.newFile(source));
    }
  }

  /** @returns {Folder} */
  newFolder() {
    return { kind: kind.folder, number: ++this.count, entries: new Map() };
  }

  /** @param {Source | null} source @returns {GivenOrWritten} */
  newFile(source) {
    return {
      kind: kind.file,
      number: ++this.count,
      source,
      written: source === null ? new Written() : null,
    };
  }

  /** @param {Node | undefined} node @returns {Folder} */
  asFolder(node) {
    if (node === undefined) throw new FileError(error.notFound);
    if (node.kind !== kind.folder) throw new FileError(error.isNoFolder);
    return node;
  }

  /** The folder of a path and the name in it, which is empty for the root. @param {string} path */
  findPlace(path) {
    const parts = partsOf(path),
      name = parts.pop() ?? '';
    let folder = this.root;
    for (const part of parts) folder = this.asFolder(folder.entries.get(part));
    // A name with a slash after it must be a folder.
    const found = name === '' ? this.root : folder.entries.get(name);
    if (path.endsWith('/') && found !== undefined) this.asFolder(found);
    return { folder, name, found };
  }

  /** @param {string} path @returns {Node} */
  find(path) {
    const { found } = this.findPlace(path);
    if (found === undefined) throw new FileError(error.notFound);
    return found;
  }

  /**
   * @param {string} path
   * @param {{creates: boolean, isNew: boolean, empties: boolean, isFolder: boolean}} how
   * @returns {OpenFile}
   */
  open(path, how) {
    const { folder, name, found } = this.findPlace(path);
    if (found !== undefined && how.creates && how.isNew) throw new FileError(error.exists);
    if (found === undefined && !how.creates) throw new FileError(error.notFound);
    const node = found ?? this.newFile(null);
    if (how.isFolder) this.asFolder(node);
    folder.entries.set(name, node);
    if (node.kind === kind.folder) return { node, at: 0, reader: null, written: null };
    if (how.empties) {
      // What the page gave is never changed.
      if (node.source !== null) throw new FileError(error.notAllowed);
      node.written = new Written();
    }
    const reader = node.source !== null ? new Reader(node.source, this.onRead) : null;
    return { node, at: 0, reader, written: node.written };
  }

  /** @param {string} path */
  createFolder(path) {
    const { folder, name, found } = this.findPlace(path);
    if (found !== undefined) throw new FileError(error.exists);
    folder.entries.set(name, this.newFolder());
  }

  /** @param {string} path */
  remove(path) {
    const { folder, name } = this.findPlace(path);
    if (this.find(path).kind === kind.folder) throw new FileError(error.isFolder);
    folder.entries.delete(name);
  }

  /** @param {string} from @param {string} to */
  rename(from, to) {
    const node = this.find(from),
      old = this.findPlace(from),
      place = this.findPlace(to);
    if (place.found?.kind === kind.folder) throw new FileError(error.isFolder);
    old.folder.entries.delete(old.name);
    place.folder.entries.set(place.name, node);
  }

  /** What the program wrote to a path, or null. @param {string} path */
  written(path) {
    /** @type {Node | undefined} */
    let node = this.root;
    for (const part of partsOf(path))
      node = node?.kind === kind.folder ? node.entries.get(part) : undefined;
    return node?.kind === kind.file && node.written !== null ? new Blob(node.written.parts) : null;
  }
}
