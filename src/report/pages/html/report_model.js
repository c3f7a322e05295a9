// report_model.js - the call tree, filters, and sums over it. Pure functions with the same results,
// to the nanosecond, as src/select/filter.c, src/report/figures/row_sums.c and edges.c.

/**
 * Kinds are 0 Lua, 1 C, 2 neither; files and mods are indexes; marks are those of flags.h.
 * @typedef {{count: number, name: string[], label: string[], file: number[], mod: number[], kind:
 * number[], mark?: number[]}} Functions
 */

/**
 * A call tree. Nodes are in depth-first order, parents before their children; node 0 is the root.
 * Columns hold what a node has of its own, and those of `total...` what it has with all below it.
 * @typedef {object} Tree
 * @property {number} count
 * @property {Int32Array} parent
 * @property {Int32Array} func -1 for the root
 * @property {Int32Array} line where the parent made the call
 * @property {Int32Array} depth 0 for the root
 * @property {Int32Array} end the first node that is not below
 * @property {Uint8Array} threads 1 main, 2 coroutine
 * @property {Record<string, Float64Array>} columns
 * @property {Float64Array} total
 * @property {Float64Array | null} oldTotal
 */

/**
 * @typedef {{kind: 'only' | 'without' | 'hide' | 'from', what: 'function' | 'file' | 'mod' |
 * 'pattern', value: string}} Chip
 */

/** What goes to the caller when a frame is hidden; calls do not. */
const passedOnColumns = new Set(['self', 'heap', 'oldSelf', 'oldHeap']);

/* Trees ------------------------------------------------------------------------------------ */

/** @param {number} count @param {string[]} names @returns {Tree} */
function newTree(count, names) {
  /** @type {Record<string, Float64Array>} */
  const columns = {};
  for (const name of names) {
    columns[name] = new Float64Array(count);
    if (name === 'longest') columns[name].fill(-1);
  }
  return {
    count,
    columns,
    parent: new Int32Array(count),
    func: new Int32Array(count).fill(-1),
    line: new Int32Array(count),
    depth: new Int32Array(count),
    end: new Int32Array(count),
    threads: new Uint8Array(count),
    total: new Float64Array(0),
    oldTotal: null,
  };
}

/** Sums a column up, from the leaves to the root. @param {Tree} tree @param {string} column */
export function sumUp(tree, column) {
  const sums = Float64Array.from(tree.columns[column] ?? new Float64Array(tree.count));
  for (let node = tree.count - 1; node > 0; node--) sums[tree.parent[node]] += sums[node];
  return sums;
}

/**
 * As tree_share_ns(): what shares of the time are parts of; -1: negative self times leave none.
 * @param {Tree} tree
 */
export function shareOf({ columns: { self }, total: [all] }) {
  const whole = self.reduce((sum, ns) => sum + Math.max(0, ns), 0);
  return all < whole && all <= whole / 2 ? -1 : all;
}

/** Sets depths, ends and totals of a tree in depth-first order. @param {Tree} tree */
function finish(tree) {
  const { parent, depth, end } = tree;
  for (let node = 1; node < tree.count; node++) depth[node] = depth[parent[node]] + 1;
  for (let node = 0; node < tree.count; node++) end[node] = node + 1;
  for (let node = tree.count - 1; node > 0; node--)
    if (end[node] > end[parent[node]]) end[parent[node]] = end[node];
  tree.total = sumUp(tree, 'self');
  tree.oldTotal = tree.columns.oldSelf ? sumUp(tree, 'oldSelf') : null;
  return tree;
}

/**
 * A column of the document; a table without rows has none.
 * @param {any} table
 * @param {string} name
 */
export const columnOf = (table, name) => table?.[name] ?? [];

const addUp = (/** @type {number[]} */ some) => some.reduce((sum, one) => sum + one, 0);
/** Where the rows of a group begin. @param {number[]} counts @param {number} group */
export const firstOf = (counts, group) => addUp(counts.slice(0, group));

/** Makes the tree of a document; see html_data.h. @param {any} data */
export function decodeTree(data) {
  const { nodes, old } = data;
  const count = columnOf(nodes, 'depth').length + 1;
  /** @type {Record<string, number[]>} */
  const given = { calls: nodes.calls, self: nodes.self };
  // A column of zeros is not in the document: the calls of a recording with ticks may have taken no
  // time.
  const longest = nodes.longest ?? (data.ticks && !old ? new Array(count - 1).fill(0) : undefined);
  const hasDetails = nodes.errors || nodes.heap || longest;
  if (hasDetails) Object.assign(given, { errors: nodes.errors, heap: nodes.heap, longest });
  if (old) {
    Object.assign(given, { oldCalls: old.calls, oldSelf: old.self });
    if (hasDetails) Object.assign(given, { oldErrors: old.errors, oldHeap: old.heap });
  }
  const tree = newTree(count, Object.keys(given));
  for (const name of Object.keys(given)) tree.columns[name].set(columnOf(given, name), 1);
  tree.func.fill(0, 1).set(columnOf(nodes, 'function'), 1);
  tree.line.set(columnOf(nodes, 'line'), 1);
  tree.threads.set(columnOf(nodes, 'threads'), 1);
  const path = [0];
  for (let node = 1, depth = 0; node < count; node++) {
    depth += nodes.depth[node - 1];
    tree.parent[node] = path[depth - 1];
    path[depth] = node;
  }
  return finish(tree);
}

/**
 * Copies a node but its place in the tree.
 * @param {Tree} from
 * @param {number} node
 * @param {Tree} to
 * @param {number} place
 */
function copyNode(from, node, to, place) {
  to.func[place] = from.func[node];
  to.line[place] = from.line[node];
  to.threads[place] = from.threads[node];
  for (const name of Object.keys(from.columns)) to.columns[name][place] = from.columns[name][node];
}

/**
 * A tree that grows, node by node, and is put in order in the end. What nodes have is added up
 * then, column by column: in a loop of its own for each, so that the first filter of a page is not
 * ten times as slow as the next ones.
 */
class Builder {
  /**
   * @param {Tree} like each of its nodes is added at most once
   * @param {boolean} keepsLines
   * @param {number} [size] of the tree, roughly
   */
  constructor(like, keepsLines, size = like.count) {
    this.like = like;
    this.keepsLines = keepsLines;
    this.count = 1;
    this.parent = new Int32Array(size + 1);
    this.func = new Int32Array(size + 1).fill(-1);
    this.line = new Int32Array(size + 1);
    /** Where each node of `like` is added, 0 for nowhere. */
    this.target = new Int32Array(like.count);
    this.isTimeOnly = new Uint8Array(like.count);
    // An open-addressing table of nodes, 0 for none: a Map takes ten times as long.
    this.slots = new Int32Array(16);
    this.fillSlots();
  }

  grow() {
    for (const name of /** @type {const} */ (['parent', 'func', 'line'])) {
      const grown = new Int32Array(2 * this.count);
      grown.set(this[name]);
      this[name] = grown;
    }
    this.fillSlots();
  }

  /** Makes as many slots as the tree needs. */
  fillSlots() {
    const { parent, func, line } = this;
    let slotCount = this.slots.length;
    while (slotCount < 2 * parent.length) slotCount *= 2;
    this.slots = new Int32Array(slotCount);
    for (let node = 1; node < this.count; node++)
      this.slots[this.slotOf(parent[node], func[node], line[node])] = node;
  }

  /**
   * The slot of a node, or the free one where it belongs.
   * @param {number} parent
   * @param {number} func
   * @param {number} line
   */
  slotOf(parent, func, line) {
    const { slots } = this,
      mask = slots.length - 1;
    const mixed = Math.imul(
      Math.imul(parent, 0x9e3779b1) ^ Math.imul(func, 0x85ebca6b) ^ line,
      0xc2b2ae35
    );
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (let node = slots[slot]; node !== 0; slot = (slot + 1) & mask, node = slots[slot])
      if (this.parent[node] === parent && this.func[node] === func && this.line[node] === line)
        break;
    return slot;
  }

  /** @param {number} parent @param {number} func @param {number} line @returns {number} */
  child(parent, func, line) {
    const kept = this.keepsLines ? line : 0,
      slot = this.slotOf(parent, func, kept),
      known = this.slots[slot];
    if (known !== 0) return known;
    if (this.count === this.parent.length) {
      this.grow();
      return this.child(parent, func, line);
    }
    const node = this.count++;
    this.slots[slot] = node;
    this.parent[node] = parent;
    this.func[node] = func;
    this.line[node] = kept;
    return node;
  }

  /** @param {number} to @param {number} from @param {boolean} isTimeOnly */
  add(to, from, isTimeOnly = false) {
    this.target[from] = to;
    if (isTimeOnly) this.isTimeOnly[from] = 1;
  }

  /**
   * The first child of each node, and the next sibling: in order of functions, which are in order
   * of their labels, then lines.
   */
  linkChildren() {
    const { count, parent, func, line } = this,
      first = new Int32Array(count).fill(-1),
      next = new Int32Array(count).fill(-1);
    const isBefore = (/** @type {number} */ a, /** @type {number} */ b) =>
      func[a] < func[b] || (func[a] === func[b] && line[a] < line[b]);
    const isMixed = new Uint8Array(count);
    for (let node = count - 1; node > 0; node--) {
      const of = parent[node];
      if (first[of] >= 0 && !isBefore(node, first[of])) isMixed[of] = 1;
      next[node] = first[of];
      first[of] = node;
    }
    // Most are in order, as those of the tree that they come from.
    for (let of = isMixed.indexOf(1); of >= 0; of = isMixed.indexOf(1, of + 1)) {
      /** @type {number[]} */
      const children = [];
      for (let node = first[of]; node >= 0; node = next[node]) children.push(node);
      children.sort((a, b) => (isBefore(a, b) ? -1 : 1));
      first[of] = children[0];
      children.forEach((node, i) => {
        next[node] = children[i + 1] ?? -1;
      });
    }
    return { first, next };
  }

  /** @returns {Tree} */
  finish() {
    const { count, like, parent, target, isTimeOnly } = this,
      { first, next } = this.linkChildren();
    const tree = newTree(count, Object.keys(like.columns)),
      place = placesOf(parent, first, next);
    putInOrder(tree.func, this.func, place);
    putInOrder(tree.line, this.line, place);
    putInOrder(tree.parent, parent, place);
    for (let to = 1; to < count; to++) tree.parent[to] = place[tree.parent[to]];
    // What is added nowhere goes to the root, which gets nothing.
    const to = target.map((node) => place[node]);
    for (let from = 0; from < like.count; from++) tree.threads[to[from]] |= like.threads[from];
    for (const [name, of] of Object.entries(like.columns)) {
      const isLeftOut = passedOnColumns.has(name) ? null : isTimeOnly;
      addGroups(tree.columns[name], of, to, name === 'longest', isLeftOut);
      tree.columns[name][0] = name === 'longest' ? -1 : 0;
    }
    tree.threads[0] = 0;
    return finish(tree);
  }
}

/**
 * The place of each node, depth first.
 * @param {Int32Array} parent
 * @param {Int32Array} first child
 * @param {Int32Array} next sibling
 */
function placesOf(parent, first, next) {
  const place = new Int32Array(first.length);
  for (let to = 0, node = 0; to < place.length; to++) {
    place[node] = to;
    if (first[node] >= 0) {
      node = first[node];
      continue;
    }
    while (node > 0 && next[node] < 0) node = parent[node];
    node = next[node];
  }
  return place;
}

/** @param {Int32Array} values @param {Int32Array} of @param {Int32Array} place */
function putInOrder(values, of, place) {
  for (let node = 0; node < place.length; node++) values[place[node]] = of[node];
}

/**
 * Keeps nodes; one that leads to them is left without anything of its own.
 * @param {Tree} tree
 * @param {Uint8Array} isKept
 */
function keep(tree, isKept) {
  const isNeeded = Uint8Array.from(isKept),
    place = new Int32Array(tree.count);
  isNeeded[0] = 1;
  for (let node = tree.count - 1; node > 0; node--) isNeeded[tree.parent[node]] |= isNeeded[node];
  let count = 0;
  for (let node = 0; node < tree.count; node++) if (isNeeded[node]) place[node] = count++;
  const kept = newTree(count, Object.keys(tree.columns));
  for (let node = 0; node < tree.count; node++) {
    if (!isNeeded[node]) continue;
    const to = place[node];
    if (isKept[node]) copyNode(tree, node, kept, to);
    kept.parent[to] = place[tree.parent[node]];
    kept.func[to] = tree.func[node];
    kept.line[to] = tree.line[node];
  }
  return finish(kept);
}

/* Ticks ------------------------------------------------------------------------------------ */

/**
 * What bins of ticks added to the nodes of a tree, bin by bin: `counts` is of each bin.
 * @typedef {{ticks: number[], counts: Int32Array, node: Int32Array, self: Float64Array, calls:
 * Float64Array, errors: Float64Array, heap: Float64Array}} Changes
 */

/**
 * The document has them node by node.
 * @param {any} changes of the document, of either side
 * @returns {Changes | null}
 */
export function decodeChanges(changes) {
  if (!changes) return null;
  const { ticks } = changes,
    bin = columnOf(changes, 'bin'),
    nodes = new Int32Array(bin.length),
    bins = new Int32Array(bin.length),
    counts = new Int32Array(ticks.length);
  let at = 0;
  changes.counts.forEach((/** @type {number} */ count, /** @type {number} */ node) => {
    for (let end = at + count, sum = 0; at < end; at++) {
      nodes[at] = node;
      counts[(bins[at] = sum += bin[at])]++;
    }
  });
  let end = 0;
  const next = counts.map((count) => (end += count) - count),
    place = bins.map((one) => next[one]++);
  const sorted = (/** @type {ArrayLike<number>} */ values) => {
    const result = new Float64Array(place.length);
    for (let i = 0; i < place.length; i++) result[place[i]] = values[i];
    return result;
  };
  const [self, calls, errors, heap] = ['self', 'calls', 'errors', 'heap'].map((name) =>
    sorted(changes[name])
  );
  return { ticks, counts, node: Int32Array.from(sorted(nodes)), self, calls, errors, heap };
}

/**
 * Adds up what the ticks of some bins added, by node.
 * @param {Tree} tree
 * @param {Changes} changes
 * @param {(bin: number) => boolean} isChosen
 */
function sumBins(tree, changes, isChosen) {
  const columns = newTree(tree.count, [
    ...new Set([...Object.keys(tree.columns), 'errors', 'heap']),
  ]).columns;
  for (const name of /** @type {const} */ (['self', 'calls', 'errors', 'heap']))
    for (let bin = 0, at = 0; bin < changes.counts.length; at += changes.counts[bin++])
      if (isChosen(bin))
        for (let i = at; i < at + changes.counts[bin]; i++)
          columns[name][changes.node[i]] += changes[name][i];
  return columns;
}

/**
 * As --from and --to, or --ticks-over: what the ticks of some bins added. The longest calls are not
 * known. With `others`, the tree has as old values what other bins added: those of the old log, or
 * of the same one.
 * @param {Tree} tree
 * @param {Changes} changes
 * @param {(bin: number) => boolean} isChosen
 * @param {{changes: Changes, isChosen: (bin: number) => boolean} | null} [others]
 */
export function keepTicks(tree, changes, isChosen, others = null) {
  const own = sumBins(tree, changes, isChosen),
    isKept = new Uint8Array(tree.count);
  if (others) {
    const other = sumBins(tree, others.changes, others.isChosen);
    Object.assign(own, {
      oldSelf: other.self,
      oldCalls: other.calls,
      oldErrors: other.errors,
      oldHeap: other.heap,
    });
  }
  const columns = Object.entries(own)
    .filter(([name]) => name !== 'longest')
    .map(([, column]) => column);
  for (let node = 1; node < tree.count; node++)
    isKept[node] = Number(columns.some((column) => column[node] !== 0));
  return keep({ ...tree, columns: own }, isKept);
}

/**
 * The ns of each group in each bin, as [bin * groupCount + group].
 * @param {Pick<Changes, 'counts' | 'node' | 'self'>} changes
 * @param {ArrayLike<number>} groups by node; -1 for none
 * @param {number} groupCount
 */
export function sumTicks(changes, groups, groupCount) {
  const sums = new Float64Array(changes.counts.length * groupCount);
  for (let bin = 0, at = 0; bin < changes.counts.length; bin++)
    for (const end = at + changes.counts[bin]; at < end; at++) {
      const group = groups[changes.node[at]];
      if (group >= 0) sums[bin * groupCount + group] += changes.self[at];
    }
  return sums;
}

/**
 * In how many ticks of some bins each function did anything.
 * @param {Tree} tree
 * @param {Changes} changes
 * @param {(bin: number) => boolean} isChosen
 * @param {number} functionCount
 */
export function countTicks(tree, changes, isChosen, functionCount) {
  const counts = new Float64Array(functionCount),
    last = new Int32Array(functionCount).fill(-1);
  for (let bin = 0, at = 0; bin < changes.counts.length; at += changes.counts[bin++])
    for (let i = at; isChosen(bin) && i < at + changes.counts[bin]; i++) {
      const func = tree.func[changes.node[i]];
      if (func < 0 || last[func] === bin || (changes.self[i] === 0 && changes.calls[i] === 0))
        continue;
      last[func] = bin;
      counts[func] += changes.ticks[bin];
    }
  return counts;
}

/**
 * The self time of a function in each tick; null if the document does not have it.
 * @param {any} ticks of the document, see html_data.h
 * @param {Changes | null} changes
 * @param {ArrayLike<number>} funcs of nodes
 * @param {number} func
 */
export function selfInTicks(ticks, changes, funcs, func) {
  const of = ticks?.self_times;
  if (!columnOf(of, 'function').includes(func)) return null;
  if (of.self) return sumTicks({ ...of, node: of.function }, { length: 0, [func]: 0 }, 1);
  const groups = Int32Array.from(funcs, (one) => (one === func ? 0 : -1));
  return changes && sumTicks(changes, groups, 1);
}

/**
 * The time of a function with all that it calls in each tick, as what_if.h; null if the document
 * does not have it.
 * @param {Tree} tree
 * @param {Changes | null} changes
 * @param {number} func
 */
export function totalInTicks(tree, changes, func) {
  if (!changes || changes.ticks.some((count) => count !== 1)) return null;
  const groups = new Int32Array(tree.count).fill(-1);
  for (const node of findSequence(tree, [func])) groups.fill(0, node, tree.end[node]);
  return sumTicks(changes, groups, 1);
}

/**
 * How slow ticks would be if some of their time took a factor of itself, as
 * src/report/figures/what_if.h: a slow tick in which the computer was slow counts with the time
 * that its calls usually take.
 * @param {any} ticks of the document
 * @param {ArrayLike<number>} times ns that change in each tick
 * @param {number} factor
 * @param {number} budget ns
 */
export function whatIf(ticks, times, factor, budget) {
  const all = Float64Array.from(times, (time, i) => {
    const now = ticks.time_ns?.[i] ?? 0,
      usual = ticks.usual_ns?.[i] ?? 0,
      isOfComputer = now > budget && Boolean(ticks.disturbed?.[i]);
    return Math.max(
      0,
      Math.round(
        (isOfComputer ? usual : now) - (1 - factor) * time * (isOfComputer ? usual / now : 1)
      )
    );
  }).sort();
  const rank = (/** @type {number} */ percent) =>
    all[Math.max(0, Math.ceil((all.length * percent) / 100) - 1)];
  return {
    slow: all.filter((time) => time > budget).length,
    median: rank(50),
    most99: rank(99),
    longest: all[all.length - 1],
  };
}

/**
 * What ran in a tick, as a tree in the order of time, and where each node begins: wakes of threads,
 * or calls. Of a long time in which the engine ran between threads, a tenth of the threads' time
 * stays, and `cut` is the rest of all: else nothing can be seen of the threads. `lines` are those
 * of the calls, of node 1 first; none without sources.
 * @param {any} of `wakes` or `order` of the document
 * @param {number} at its place there
 */
export function orderInTick(of, at) {
  const first = firstOf(of.counts, at),
    count = of.counts[at],
    tree = newTree(count + 1, ['self', 'calls']),
    { self, calls } = tree.columns,
    starts = new Float64Array(count + 1),
    path = [0];
  const isOuter = (/** @type {number} */ _, i = 0) => !of.depth?.[first + i],
    most =
      addUp(
        columnOf(of, 'time')
          .slice(first, first + count)
          .filter(isOuter)
      ) / 10;
  let begin = 0,
    end = 0,
    cut = 0;
  for (let node = 1, i = first; node <= count; node++, i++) {
    const depth = of.depth?.[i] ?? 0;
    begin = of.begin ? begin + of.begin[i] : end;
    if (depth === 0) cut += Math.max(0, begin - cut - end - most);
    starts[node] = begin - cut;
    end = Math.max(end, starts[node] + of.time[i]);
    path[depth + 1] = node;
    tree.parent[node] = path[depth];
    tree.func[node] = of.function[i];
    calls[node] = of.calls?.[i] ?? 1 - of.continued[i];
    self[node] = of.time[i];
    self[path[depth]] -= of.time[i];
  }
  // What no thread had is of the engine.
  self[0] += end;
  const lines = columnOf(of, 'line').slice(first, first + count);
  return { tree: finish(tree), starts, cut, lines };
}

/**
 * The frames that run at a time, the first that was called first, each with the line that it has
 * come to: that of the call that runs, or of the last one that has ended; 0: not known.
 * @param {ReturnType<typeof orderInTick>} shown
 * @param {number} time
 */
export function framesAt({ tree, starts, lines }, time) {
  const frames = [{ node: 0, func: -1, line: 0 }];
  for (let node = 1; node < tree.count; node++) {
    const last = frames[frames.length - 1];
    if (tree.parent[node] !== last.node) continue;
    if (starts[node] > time) break;
    last.line = Math.abs(lines[node - 1] ?? 0);
    if (time < starts[node] + tree.total[node])
      frames.push({ node, func: tree.func[node], line: 0 });
  }
  return frames.slice(1);
}

/** The first function of the stack of each node: that of its thread. @param {Tree} tree */
export function rootsOf(tree) {
  const roots = Int32Array.from(tree.func);
  for (let node = 1; node < tree.count; node++)
    if (tree.parent[node] !== 0) roots[node] = roots[tree.parent[node]];
  return roots;
}

/**
 * The function that each node counts for: its own, but a C function counts for its caller.
 * @param {Tree} tree
 * @param {number[]} kinds
 */
export function ownersOf(tree, kinds) {
  const owners = Int32Array.from(tree.func);
  for (let node = 1; node < tree.count; node++) {
    const caller = owners[tree.parent[node]];
    if (owners[node] >= 0 && kinds[owners[node]] === 1 && tree.parent[node] > 0 && caller >= 0)
      owners[node] = caller;
  }
  return owners;
}

/* Parts of a tree -------------------------------------------------------------------------- */

/**
 * As --thread: what was seen on a thread. Nodes seen on both stay.
 * @param {Tree} tree
 * @param {number} flags
 */
export function keepThread(tree, flags) {
  return keep(
    tree,
    tree.threads.map((threads) => (threads & flags ? 1 : 0))
  );
}

/**
 * As --focus and --ignore: the stacks with a match, or those without.
 * @param {Tree} tree
 * @param {Uint8Array} matches by function
 * @param {boolean} withMatch
 */
export function choose(tree, matches, withMatch) {
  const hasMatch = new Uint8Array(tree.count),
    isKept = new Uint8Array(tree.count);
  for (let node = 1; node < tree.count; node++) {
    hasMatch[node] = hasMatch[tree.parent[node]] | matches[tree.func[node]];
    isKept[node] = Number(Boolean(hasMatch[node]) === withMatch);
  }
  return keep(tree, isKept);
}

/**
 * Makes a tree of each node's place: below that of its parent, or 0 for nowhere.
 * @param {Tree} tree
 * @param {boolean} keepsLines
 * @param {(builder: Builder, parent: number, node: number) => number} place
 */
function rebuild(tree, keepsLines, place) {
  const builder = new Builder(tree, keepsLines),
    target = new Int32Array(tree.count);
  for (let node = 1; node < tree.count; node++) {
    target[node] = place(builder, target[tree.parent[node]], node);
    if (target[node] > 0) builder.add(target[node], node);
  }
  return builder.finish();
}

/** As --show-from: what is below the first match. @param {Tree} tree @param {Uint8Array} matches */
export const showFrom = (tree, matches) =>
  rebuild(tree, true, (builder, parent, node) =>
    parent === 0 && !matches[tree.func[node]]
      ? 0
      : builder.child(parent, tree.func[node], parent === 0 ? 0 : tree.line[node])
  );

/**
 * As --hide: frames that match are removed, and their time goes to their callers.
 * @param {Tree} tree
 * @param {Uint8Array} matches
 * @param {number} folded the function for time without a caller
 */
export function hide(tree, matches, folded) {
  const builder = new Builder(tree, true),
    target = new Int32Array(tree.count);
  const line = new Int32Array(tree.count);
  const times = Object.keys(tree.columns).filter((name) => passedOnColumns.has(name));
  for (let node = 1; node < tree.count; node++) {
    const parent = tree.parent[node];
    let to = target[parent];
    line[node] = parent !== 0 && matches[tree.func[parent]] ? line[parent] : tree.line[node];
    if (!matches[tree.func[node]]) {
      to = builder.child(to, tree.func[node], to === 0 ? 0 : line[node]);
      builder.add(to, node);
    } else if (times.some((name) => tree.columns[name][node] !== 0)) {
      builder.add(to === 0 ? builder.child(0, folded, 0) : to, node, true);
    }
    target[node] = to;
  }
  return builder.finish();
}

/** The tree of functions alone: nodes that differ in calling lines are one. @param {Tree} tree */
export const withoutLines = (tree) =>
  rebuild(tree, false, (builder, parent, node) => builder.child(parent, tree.func[node], 0));

/** As --fold-recursion: a function that is on a stack is its frame there. @param {Tree} tree */
export const withoutRecursion = (tree) =>
  rebuild(tree, false, (builder, parent, node) => {
    let at = parent;
    while (at > 0 && builder.func[at] !== tree.func[node]) at = builder.parent[at];
    return at > 0 ? at : builder.child(parent, tree.func[node], 0);
  });

/* Filters ---------------------------------------------------------------------------------- */

/**
 * Makes an expression of a pattern that means here what it means to PCRE2.
 * @param {string} pattern
 * @returns {RegExp}
 */
export function compilePattern(pattern) {
  let text = pattern,
    flags = 'us';
  if (text.startsWith('(?i)')) {
    text = text.slice(4);
    flags += 'i';
  }
  if (/\[\[:|\\v|\(\?[a-z-]*\)/.test(text))
    throw new Error('this means something else to a browser than to supprof; use the command line');
  return new RegExp(text, flags);
}

/**
 * Which labels a pattern matches. Needs nothing but compilePattern(): a worker holds both.
 * @param {string} pattern
 * @param {string[]} labels
 */
export function matchLabels(pattern, labels) {
  const compiled = compilePattern(pattern);
  // To supprof a letter of any language is one, to a browser only those of English.
  const isEnglish = /\\[dwsbDWSB]/.test(pattern);
  return Uint8Array.from(labels, (label) => {
    if (isEnglish && /[^\0-\x7f]/.test(label))
      throw new Error(
        '\\d, \\w, \\s and \\b mean something else to a browser than to supprof; use the ' +
          'command line'
      );
    return Number(compiled.test(label));
  });
}

/**
 * What filters are about. `matchPattern` is for patterns that were matched elsewhere, and can
 * throw.
 * @typedef {{functions: Functions, files: string[], mods: string[], folded: number, matchPattern?:
 * (pattern: string) => Uint8Array}} Subjects
 */

/** @param {Chip} chip @param {Subjects} subjects */
export function matchesOf(chip, { functions, files, mods, folded, matchPattern }) {
  const isMatch =
    chip.what === 'function'
      ? (/** @type {number} */ i) => functions.label[i] === chip.value
      : chip.what === 'file'
        ? (/** @type {number} */ i) => files[functions.file[i]] === chip.value
        : (/** @type {number} */ i) => mods[functions.mod[i]] === chip.value;
  const matches =
    chip.what === 'pattern'
      ? Uint8Array.from(
          matchPattern ? matchPattern(chip.value) : matchLabels(chip.value, functions.label)
        )
      : Uint8Array.from({ length: functions.count }, (_, i) => Number(isMatch(i)));
  if (folded >= 0) matches[folded] = 0;
  return matches;
}

/** @param {Tree} tree @param {Chip} chip @param {Subjects} subjects */
export function applyChip(tree, chip, subjects) {
  const matches = matchesOf(chip, subjects);
  if (chip.kind === 'hide')
    return matches.includes(1) ? hide(tree, matches, subjects.folded) : tree;
  if (chip.kind === 'from') return showFrom(tree, matches);
  return choose(tree, matches, chip.kind === 'only');
}

/* Sums ------------------------------------------------------------------------------------- */

/**
 * The sums of groups of nodes: own columns, and totals in which each stack counts once.
 * @typedef {object} Sums
 * @property {number} count
 * @property {Record<string, Float64Array>} columns
 * @property {Float64Array} total
 * @property {Float64Array} oldTotal
 * @property {Uint8Array} isUsed
 */

/**
 * @param {Tree} tree
 * @param {Int32Array} groups by node; -1 for none
 * @param {number} count
 * @returns {Sums}
 */
export function sumGroups(tree, groups, count) {
  /** @type {Record<string, Float64Array>} */
  const columns = {};
  const names = Object.keys(tree.columns);
  for (const name of names)
    columns[name] = new Float64Array(count).fill(name === 'longest' ? -1 : 0);
  const total = new Float64Array(count),
    oldTotal = new Float64Array(count);
  const until = new Int32Array(count),
    isUsed = new Uint8Array(count);
  for (let node = 1; node < tree.count; node++) {
    const group = groups[node];
    if (group < 0) continue;
    isUsed[group] = 1;
    if (node < until[group]) continue;
    until[group] = tree.end[node];
    total[group] += tree.total[node];
    if (tree.oldTotal) oldTotal[group] += tree.oldTotal[node];
  }
  for (const name of names)
    addGroups(columns[name], tree.columns[name], groups, name === 'longest');
  return { count, columns, total, oldTotal, isUsed };
}

/**
 * Adds a column of nodes up by groups, or finds the most of it.
 * @param {Float64Array} sums
 * @param {Float64Array} of
 * @param {ArrayLike<number>} groups by node; -1 for none
 * @param {boolean} isMost
 * @param {Uint8Array | null} [isLeftOut] by node
 */
function addGroups(sums, of, groups, isMost, isLeftOut = null) {
  for (let node = 1; node < of.length; node++) {
    const group = groups[node];
    if (group < 0 || (isLeftOut && isLeftOut[node] !== 0)) continue;
    sums[group] = isMost ? Math.max(sums[group], of[node]) : sums[group] + of[node];
  }
}

/**
 * Numbers keys as they come.
 * @template T
 */
class Numbers {
  constructor() {
    /** @type {Map<string | number, number>} */
    this.known = new Map();
    /** @type {T[]} */
    this.values = [];
  }

  /** @param {string | number} key @param {T} value */
  add(key, value) {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

/**
 * The lines that calls were made from, as --by line: of the caller, -1 for the engine; and what
 * each calls, the callee with the most time first.
 * @param {Tree} tree
 */
export function sumLines(tree) {
  /** @type {Numbers<{func: number, line: number}>} */
  const numbers = new Numbers();
  /** @type {Map<number, number>[]} */
  const times = [];
  const groups = new Int32Array(tree.count).fill(-1);
  for (let node = 1; node < tree.count; node++) {
    const func = tree.func[tree.parent[node]],
      line = tree.line[node],
      group = numbers.add(`${func}:${line}`, { func, line });
    groups[node] = group;
    times[group] ??= new Map();
    times[group].set(tree.func[node], (times[group].get(tree.func[node]) ?? 0) + tree.total[node]);
  }
  const callees = times.map((time) =>
    [...time].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([func]) => func)
  );
  return { lines: numbers.values, sums: sumGroups(tree, groups, numbers.values.length), callees };
}

/**
 * The nodes in which a sequence of functions ends, one calling the next.
 * @param {Tree} tree
 * @param {number[]} path
 */
export function findSequence(tree, path) {
  const nodes = [];
  for (let node = 1; node < tree.count; node++) {
    let at = node,
      i = path.length - 1;
    while (i >= 0 && at > 0 && tree.func[at] === path[i]) {
      at = tree.parent[at];
      i--;
    }
    if (i < 0) nodes.push(node);
  }
  return nodes;
}

/** @param {Tree} tree @param {number[]} nodes */
export function sumNodes(tree, nodes) {
  const groups = new Int32Array(tree.count).fill(-1);
  for (const node of nodes) groups[node] = 0;
  return sumGroups(tree, groups, 1);
}

/**
 * @typedef {{calls: number, total: number, oldCalls: number, oldTotal: number}} Sum
 * @typedef {Sum & {func: number, lines: (Sum & {line: number})[]}} Edge
 */

/**
 * Sums nodes by a function and, in it, by a line.
 * @param {Tree} tree
 * @param {Iterable<{node: number, func: number, line: number}>} parts
 * @returns {Edge[]}
 */
function sumEdges(tree, parts) {
  /** @type {Numbers<number>} */
  const functions = new Numbers();
  /** @type {Numbers<{edge: number, line: number}>} */
  const lines = new Numbers();
  const byFunction = new Int32Array(tree.count).fill(-1),
    byLine = new Int32Array(tree.count).fill(-1);
  for (const { node, func, line } of parts) {
    byFunction[node] = functions.add(func, func);
    byLine[node] = lines.add(`${func}:${line}`, { edge: byFunction[node], line });
  }
  const sums = sumGroups(tree, byFunction, functions.values.length);
  const lineSums = sumGroups(tree, byLine, lines.values.length);
  const sumOf = (/** @type {Sums} */ { columns, total, oldTotal }, /** @type {number} */ i) => ({
    calls: columns.calls[i],
    total: total[i],
    oldCalls: columns.oldCalls?.[i] ?? 0,
    oldTotal: oldTotal[i],
  });
  /** @type {Edge[]} */
  const edges = functions.values.map((func, i) => ({ func, ...sumOf(sums, i), lines: [] }));
  lines.values.forEach(({ edge, line }, i) =>
    edges[edge].lines.push({ line, ...sumOf(lineSums, i) })
  );
  for (const edge of edges) edge.lines.sort((a, b) => b.total - a.total || a.line - b.line);
  return edges.sort((a, b) => b.total - a.total || a.func - b.func);
}

/**
 * The callers of the first function of a sequence; -1 is the engine. `nodes` are its ends.
 * @param {Tree} tree
 * @param {number[]} nodes
 * @param {number} length
 */
export function sumCallers(tree, nodes, length) {
  return sumEdges(
    tree,
    nodes.map((node) => {
      let first = node;
      for (let i = 1; i < length; i++) first = tree.parent[first];
      return { node, func: tree.func[tree.parent[first]], line: tree.line[first] };
    })
  );
}

/** The callees of the last function of a sequence. @param {Tree} tree @param {number[]} nodes */
export function sumCallees(tree, nodes) {
  const parts = [];
  for (const node of nodes)
    for (let child = node + 1; child < tree.end[node]; child = tree.end[child])
      parts.push({ node: child, func: tree.func[child], line: tree.line[child] });
  return sumEdges(tree, parts);
}

/**
 * Nodes in order, and which of them are below none of the others.
 * @param {Tree} tree
 * @param {number[]} nodes
 */
function outermost(tree, nodes) {
  let until = 0;
  return nodes.map((node) => {
    const isOutermost = node >= until;
    if (isOutermost) until = tree.end[node];
    return { node, isOutermost };
  });
}

/**
 * The tree below the nodes, or with `isUp` of their callers, the nearest first.
 * @param {Tree} tree
 * @param {number[]} nodes
 * @param {boolean} isUp
 * @param {boolean} [isOwn] of each node only what it has of its own
 */
export function treeFrom(tree, nodes, isUp, isOwn = false) {
  // A caller has all of what it called, and nothing else is known of it.
  const names = Object.keys(tree.columns),
    ofCallers = () => ({
      ...newTree(tree.count, names).columns,
      self: tree.total,
      calls: tree.columns.calls,
      ...(tree.oldTotal ? { oldSelf: tree.oldTotal, oldCalls: tree.columns.oldCalls } : {}),
    });
  const like =
    isUp && !isOwn ? { ...tree, threads: new Uint8Array(tree.count), columns: ofCallers() } : tree;
  const builder = new Builder(like, false, isUp ? 4 * nodes.length : tree.count),
    target = new Int32Array(tree.count);
  for (const { node, isOutermost } of outermost(tree, nodes)) {
    let to = 0;
    for (let at = node; isUp && at > 0; at = tree.parent[at])
      to = builder.child(to, tree.func[at], 0);
    if (isUp && (isOwn || isOutermost)) builder.add(to, node);
    if (!isOutermost || isUp) continue;
    for (let at = node; at < tree.end[node]; at++) {
      target[at] = builder.child(at === node ? 0 : target[tree.parent[at]], tree.func[at], 0);
      builder.add(target[at], at);
    }
  }
  return builder.finish();
}

/**
 * The nodes with the most self time among those at and below others.
 * @param {Tree} tree
 * @param {number[]} nodes
 * @param {number} limit
 */
export function heaviestStacks(tree, nodes, limit) {
  const found = [];
  for (const { node, isOutermost } of outermost(tree, nodes))
    for (let at = node; isOutermost && at < tree.end[node]; at++)
      if (tree.columns.self[at] > 0) found.push(at);
  return found.sort((a, b) => tree.columns.self[b] - tree.columns.self[a] || a - b).slice(0, limit);
}

/**
 * A row of the call tree: some nodes with one function, and what is below them. `leaves`, of an
 * inverted tree, are the nodes whose own values it has.
 * @typedef {Sum & {func: number, nodes: number[], leaves: number[] | null, self: number, oldSelf:
 * number}} CallRow
 */

export const nothing = { self: 0, total: 0, calls: 0, oldSelf: 0, oldTotal: 0, oldCalls: 0 };

/**
 * The rows below a row, or those without one; the largest first. Inverted, they are its callers,
 * and the top rows are all functions.
 * @param {Tree} tree without lines
 * @param {CallRow | null} row
 * @param {boolean} isInverted
 * @returns {CallRow[]}
 */
export function callRows(tree, row, isInverted) {
  /** @type {Map<number, CallRow>} */
  const rows = new Map();
  const add = (/** @type {number} */ node, /** @type {number} */ leaf) => {
    const known = rows.get(tree.func[node]),
      { self, calls, oldSelf, oldCalls } = tree.columns;
    const found = known ?? {
      func: tree.func[node],
      nodes: [],
      leaves: isInverted ? /** @type {number[]} */ ([]) : null,
      ...nothing,
    };
    if (!known) rows.set(found.func, found);
    found.nodes.push(node);
    found.leaves?.push(leaf);
    found.total += isInverted ? self[leaf] : tree.total[node];
    found.self += self[leaf];
    found.calls += calls[leaf];
    if (!tree.oldTotal) return;
    found.oldTotal += isInverted ? oldSelf[leaf] : tree.oldTotal[node];
    found.oldSelf += oldSelf[leaf];
    found.oldCalls += oldCalls[leaf];
  };
  if (isInverted && row === null) for (let node = 1; node < tree.count; node++) add(node, node);
  else if (isInverted)
    row?.nodes.forEach((node, i) => {
      if (tree.parent[node] > 0) add(tree.parent[node], row.leaves?.[i] ?? node);
    });
  else
    for (const node of row?.nodes ?? [0])
      for (let child = node + 1; child < tree.end[node]; child = tree.end[child]) add(child, child);
  return [...rows.values()].sort((a, b) => b.total - a.total || a.func - b.func);
}
