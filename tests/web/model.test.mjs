// What filters and sums of the page do, by the examples of the headers that it follows:
// select/filter.h, report/table.h, report/edges.h. Run with `node --test`.
import assert from 'node:assert/strict';
import test from 'node:test';
import { findAll, readSearch } from '../../src/report/pages/html/report_find.js';
import {
  sampledProfile,
  summaryForChat,
  tableAsCsv,
  tableAsMarkdown,
} from '../../src/report/pages/html/report_copy.js';
import {
  axisSteps,
  formatStep,
  formatChange,
  heightOf,
  timeSteps,
} from '../../src/report/pages/html/report_format.js';
import {
  applyChip,
  callRows,
  compilePattern,
  decodeChanges,
  decodeTree,
  findSequence,
  framesAt,
  heaviestStacks,
  keepThread,
  keepTicks,
  orderInTick,
  selfInTicks,
  sumCallees,
  sumCallers,
  sumGroups,
  sumLines,
  sumNodes,
  sumTicks,
  treeFrom,
  whatIf,
  withoutLines,
  withoutRecursion,
} from '../../src/report/pages/html/report_model.js';

// Makes the document of "A;B 2" lines: stacks with their self times; ":7" is a calling line.
function profile(...stacks) {
  const names = [
    ...new Set(
      stacks.flatMap((stack) =>
        stack
          .split(' ')[0]
          .split(';')
          .map((frame) => frame.split(':')[0])
      )
    ),
    '(folded)',
  ].sort();
  const nodes = new Map();
  for (const stack of stacks) {
    const [path, self] = stack.split(' ');
    const frames = path.split(';');
    frames.forEach((_, i) => {
      const key = frames.slice(0, i + 1).join(';');
      nodes.set(key, (nodes.get(key) ?? 0) + (i === frames.length - 1 ? Number(self) : 0));
    });
  }
  const keys = [...nodes.keys()].sort();
  const depths = keys.map((key) => key.split(';').length);
  const last = keys.map((key) => key.split(';').at(-1).split(':'));
  const data = {
    nodes: {
      depth: depths.map((depth, i) => depth - (i > 0 ? depths[i - 1] : 0)),
      function: last.map(([name]) => names.indexOf(name)),
      line: last.map(([, line]) => Number(line ?? 0)),
      calls: keys.map(() => 1),
      self: keys.map((key) => nodes.get(key)),
      threads: keys.map((_, i) => 1 + (i % 2)),
    },
  };
  const functions = {
    count: names.length,
    name: names,
    label: names,
    file: names.map(() => 0),
    mod: names.map(() => 0),
    kind: names.map(() => 0),
  };
  return {
    tree: decodeTree(data),
    model: { functions, files: ['x.lua'], mods: ['game'], folded: names.indexOf('(folded)') },
    names,
  };
}

// The stacks of a tree with what they have of their own, as profile() takes them.
function stacksOf(tree, names) {
  const path = [];
  const stacks = [];
  for (let node = 1; node < tree.count; node++) {
    path.length = tree.depth[node] - 1;
    path.push(names[tree.func[node]]);
    if (tree.columns.self[node] !== 0) stacks.push(`${path.join(';')} ${tree.columns.self[node]}`);
  }
  return stacks;
}

const sample = () => profile('A 1', 'A;B 1', 'A;B;C 1', 'A;B;C;B 1');
const filtered = (kind) => {
  const { tree, model, names } = sample();
  return stacksOf(applyChip(tree, { kind, what: 'function', value: 'B' }, model), names);
};

test('only, without, from and hide do what filter.h shows', () => {
  assert.deepEqual(filtered('only'), ['A;B 1', 'A;B;C 1', 'A;B;C;B 1']);
  assert.deepEqual(filtered('without'), ['A 1']);
  assert.deepEqual(filtered('from'), ['B 1', 'B;C 1', 'B;C;B 1']);
  assert.deepEqual(filtered('hide'), ['A 2', 'A;C 2']);
});

test('hidden time without a caller goes to (folded), and calls are not counted', () => {
  const { tree, model, names } = profile('A 1', 'A;B 2');
  const hidden = applyChip(tree, { kind: 'hide', what: 'function', value: 'A' }, model);
  assert.deepEqual(stacksOf(hidden, names), ['(folded) 1', 'B 2']);
  assert.equal(hidden.total[0], 3);
  assert.equal(hidden.columns.calls[1], 0);
});

test('a thread keeps what was seen on it', () => {
  const { tree, names } = profile('A 1', 'B 2', 'C 4');
  assert.deepEqual(stacksOf(keepThread(tree, 2), names), ['B 2']);
});

test('totals count each stack once, as table.h shows', () => {
  const { tree, model, names } = sample();
  const sums = sumGroups(tree, tree.func, model.functions.count);
  const of = (name) => [sums.columns.self[names.indexOf(name)], sums.total[names.indexOf(name)]];
  assert.deepEqual(
    [of('A'), of('B'), of('C')],
    [
      [1, 4],
      [2, 3],
      [1, 2],
    ]
  );
});

test('callers and callees are those of edges.h', () => {
  const { tree, names } = sample();
  const edges = (list) =>
    list.map(
      ({ func, total, calls }) => `${func < 0 ? '(engine)' : names[func]} ${total} ${calls}`
    );
  const nodes = findSequence(tree, [names.indexOf('B')]);
  assert.deepEqual(edges(sumCallers(tree, nodes, 1)), ['A 3 1', 'C 1 1']);
  assert.deepEqual(edges(sumCallees(tree, nodes)), ['C 2 1']);
  assert.deepEqual(edges(sumCallers(tree, findSequence(tree, [names.indexOf('A')]), 1)), [
    '(engine) 4 1',
  ]);
});

test('a calling line has its own time, and a recursive edge counts each stack once', () => {
  const { tree, names } = profile('A 0', 'A;B 1', 'A;B;B:7 1', 'A;B;B:7;B:8 1');
  const [callee] = sumCallees(tree, findSequence(tree, [names.indexOf('B')]));
  assert.equal(callee.total, 2);
  assert.equal(callee.calls, 2);
  assert.deepEqual(callee.lines, [
    { line: 7, calls: 1, total: 2, oldCalls: 0, oldTotal: 0 },
    { line: 8, calls: 1, total: 1, oldCalls: 0, oldTotal: 0 },
  ]);
  const { lines, sums } = sumLines(tree);
  assert.equal(sums.total[lines.findIndex(({ line }) => line === 7)], 2);
});

test('a sequence is where one function calls the next', () => {
  const { tree, names } = profile('A;B 1', 'A;B;C 2', 'D;B;C 4');
  const [A, B, C] = ['A', 'B', 'C'].map((name) => names.indexOf(name));
  assert.equal(sumNodes(tree, findSequence(tree, [B, C])).total[0], 6);
  assert.equal(sumNodes(tree, findSequence(tree, [A, B, C])).total[0], 2);
  assert.equal(findSequence(tree, [C, B]).length, 0);
});

test('nodes that differ in calling lines alone become one', () => {
  const { tree, names } = profile('A:1 1', 'A:1;B:2 2', 'A:1;B:3 4', 'A:9;B:2 8');
  assert.deepEqual(stacksOf(withoutLines(tree), names), ['A 1', 'A;B 14']);
});

test('the tree of callers is upside down and has the same time', () => {
  const { tree, names } = profile('A;B 1', 'A;B;C 2', 'D;B 4');
  const nodes = findSequence(tree, [names.indexOf('B')]);
  assert.deepEqual(stacksOf(treeFrom(tree, nodes, true), names), ['B;A 3', 'B;D 4']);
  assert.deepEqual(stacksOf(treeFrom(tree, nodes, false), names), ['B 5', 'B;C 2']);
  assert.deepEqual(
    heaviestStacks(tree, nodes, 2).map((node) => tree.columns.self[node]),
    [4, 2]
  );
});

test('what a filter has changed is in depth-first order again', () => {
  const { tree, model, names } = profile('A;H;C 1', 'A;B 2', 'A;H;B 4', 'A;H;B;D 8', 'E 16');
  const hidden = applyChip(tree, { kind: 'hide', what: 'function', value: 'H' }, model);
  assert.deepEqual(stacksOf(hidden, names), ['A;B 6', 'A;B;D 8', 'A;C 1', 'E 16']);
  for (let node = 1; node < hidden.count; node++) {
    assert.ok(hidden.parent[node] < node && hidden.end[hidden.parent[node]] >= hidden.end[node]);
  }
});

test('patterns mean what they mean to PCRE2, or are refused', () => {
  assert.ok(compilePattern('(?i)ondamage').test('OnDamage lua/sim/unit.lua:120'));
  assert.ok(!compilePattern('ondamage').test('OnDamage'));
  for (const pattern of ['(', '[[:alpha:]]', '\\Aa', '(?x)a b', '\\v', 'a++'])
    assert.throws(() => compilePattern(pattern), pattern);
});

test('a change has a sign', () => {
  assert.equal(formatChange('time', 1000), '+1.0 µs');
  assert.equal(formatChange('alloc', -20480), '−20,480 KB');
  assert.equal(formatChange('time', 0), '0');
});

// Changes of two bins in the nodes of the profile below, as the document has them.
const byNode = {
  ticks: [1, 2],
  counts: [0, 2, 2, 1],
  bin: [0, 1, 0, 1, 1],
  self: [24, 36, 15, 15, 5],
  calls: [2, 1, 0, 1, 1],
  errors: [0, 1, 0, 0, 0],
  heap: [0, 0, 0, 0, 0],
};

test('chosen ticks have what they added, of either side of a comparison', () => {
  const { tree, names } = profile('A 60', 'A;B 30', 'C 5');
  const changes = decodeChanges(byNode);
  const shown = (...bins) =>
    stacksOf(
      keepTicks(tree, changes, (bin) => bins.includes(bin)),
      names
    );
  assert.deepEqual(shown(0), ['A 24', 'A;B 15']);
  assert.deepEqual(shown(1), ['A 36', 'A;B 15', 'C 5']);
  assert.deepEqual(shown(0, 1), ['A 60', 'A;B 30', 'C 5']);
  assert.deepEqual(shown(), []);
  const { columns } = keepTicks(tree, changes, (bin) => bin === 1);
  assert.deepEqual([...columns.calls], [0, 1, 1, 1]);
  const old = decodeChanges({
    ticks: [1],
    counts: [0, 0, 1],
    bin: [0],
    self: [15],
    calls: [5],
    errors: [0],
    heap: [0],
  });
  tree.columns.oldSelf = Float64Array.from([0, 0, 20, 0]);
  const both = keepTicks(tree, changes, (bin) => bin === 0, { changes: old, isChosen: () => true });
  assert.deepEqual([...both.columns.oldSelf], [0, 0, 15]);
  assert.deepEqual([...both.columns.oldCalls], [0, 0, 5]);
  assert.deepEqual([...both.columns.self], [0, 24, 15]);
});

test('a faster function makes ticks shorter, but not those that the computer made slow', () => {
  const ticks = {
    time_ns: [200, 120, 300, 40],
    usual_ns: [null, null, 90, null],
    disturbed: [0, 0, 1, 0],
    self_times: { counts: [2, 1, 1, 0], function: [5, 7, 5, 5], self: [150, 20, 60, 200] },
  };
  const times = selfInTicks(ticks, null, [], 5);
  assert.deepEqual([...times], [150, 60, 200, 0]);
  assert.equal(selfInTicks(ticks, null, [], 6), null);
  const changes = { ...decodeChanges(byNode), ticks: [1, 1] };
  const known = { self_times: { function: [7, 5] } };
  assert.deepEqual([...selfInTicks(known, changes, [-1, 5, 7, 5], 5)], [24, 41]);
  // The third counts with its usual 90 ns, and two thirds of them are the function's.
  assert.deepEqual(whatIf(ticks, times, 1, 100), {
    slow: 2,
    median: 90,
    most99: 200,
    longest: 200,
  });
  assert.deepEqual(whatIf(ticks, times, 0.5, 100), {
    slow: 1,
    median: 60,
    most99: 125,
    longest: 125,
  });
});

test('the tree of callers may have more nodes than the tree', () => {
  const path = 'f;a;f;b;f;c;f;d;f;e;f;g;f';
  const { tree, names } = profile(
    ...path.split(';').map((_, i, frames) => `${frames.slice(0, i + 1).join(';')} ${2 ** i}`)
  );
  const up = treeFrom(tree, findSequence(tree, [names.indexOf('f')]), true);
  assert.ok(up.count > tree.count, `${up.count} nodes of ${tree.count}`);
  assert.equal(up.total[0], tree.total[0]);
});

test('rows of the call tree are callees, and inverted callers with the time of callees', () => {
  const { tree, names } = profile('A;B 3', 'A;C 4', 'D;B 5');
  const named = (rows) => rows.map(({ func, total, self }) => `${names[func]} ${total} ${self}`);
  const top = callRows(tree, null, false);
  assert.deepEqual(named(top), ['A 7 0', 'D 5 0']);
  assert.deepEqual(named(callRows(tree, top[0], false)), ['C 4 4', 'B 3 3']);
  const inverted = callRows(tree, null, true);
  assert.deepEqual(named(inverted), ['B 8 8', 'C 4 4', 'A 0 0', 'D 0 0']);
  assert.deepEqual(named(callRows(tree, inverted[0], true)), ['D 5 5', 'A 3 3']);
});

test('recursion is folded to the frame that is on the stack already', () => {
  const { tree, names } = sample();
  assert.deepEqual(stacksOf(withoutRecursion(tree), names), ['A 1', 'A;B 2', 'A;B;C 1']);
});

test('the search knows ticks, times, lengths and lines', () => {
  const of = {
    labels: ['A x/unit.lua:10', 'B x/unit.lua:20', 'C y/runit.lua:5', 'next [C]'],
    weights: [1, 4, 3, 2],
    files: ['x/unit.lua', 'y/runit.lua'],
    mods: ['game'],
    ticks: [
      { number: 911, seconds: 110.9, time: 5e6 },
      { number: 912, seconds: 111, time: 9e6 },
    ],
  };
  assert.deepEqual(findAll('unit', of).functions, [1, 2, 0]);
  assert.deepEqual(findAll('#912', of).ticks, [1]);
  assert.deepEqual(findAll('1:51', of).ticks, [1]);
  assert.deepEqual(findAll('1:50.9', of).ticks, [0]);
  assert.deepEqual(findAll('>8ms', of).ticks, [1]);
  assert.deepEqual(findAll('/unit.lua:15', of).lines, [0]);
  assert.equal(readSearch('>1.5s').over, 1500);
});

test('a copy has times in microseconds, no formula, and no column of Markdown too many', () => {
  const columns = [
    { key: 'self', title: 'self', isTime: true },
    { key: 'calls', title: 'calls' },
  ];
  const rows = [
    {
      name: '=A|b',
      cells: [
        { column: columns[0], value: 1500, shown: '1.50 µs' },
        { column: columns[1], value: 2, shown: '2' },
      ],
    },
  ];
  assert.equal(tableAsCsv(columns, rows, 'name'), "name,self_us,calls\n'=A|b,1.500,2");
  assert.equal(
    tableAsMarkdown(columns, rows, 'function', '`A`, `a.log`'),
    '`A`, `a.log`\n\n| function | self | calls |\n|---|--:|--:|\n| `=A\\|b` | 1.50 µs | 2 |'
  );
  rows[0].name = 'a;=B\t"+C\n =D;E';
  assert.match(tableAsCsv(columns, rows, 'name'), /\n"a;'=B\t'""\+C\n' =D;E",1\.500,2$/);
  rows[0].name = '`![](x)';
  assert.match(tableAsMarkdown(columns, rows, '', ''), /\| `` `!\[\]\(x\) `` \| 1/);
  assert.equal(summaryForChat(['```', '', '@a'], '#'), '````\n```\n@a\n````\n#');
});

test('stacks are saved for speedscope with their own values, root first', () => {
  const { tree, names } = profile('A 60', 'A;B 30', 'C 5');
  const { shared, profiles } = JSON.parse(sampledProfile(tree, names, 'self', 'x'));
  const [{ samples, weights, endValue, unit }] = profiles;
  assert.deepEqual(
    samples.map((stack) => stack.map((frame) => shared.frames[frame].name).join(';')),
    ['A', 'A;B', 'C']
  );
  assert.deepEqual([weights, endValue, unit], [[60, 30, 5], 95, 'nanoseconds']);
});

test('a scale begins at its foot, and whole seconds have a mark', () => {
  assert.equal(heightOf(50, 100, false), 0.5);
  assert.equal(heightOf(1e6, 1e6, true), 1);
  assert.equal(heightOf(1, 1e6, true), 0);
  assert.deepEqual(axisSteps(393e6, false).map(formatStep), ['0', '100 ms', '200 ms', '300 ms']);
  assert.deepEqual(axisSteps(2e9, false).map(formatStep), ['0', '1.000 s', '2.000 s']);
  assert.deepEqual(axisSteps(1, false), [0, 0.5, 1]);
  assert.deepEqual(axisSteps(1e6, true), [10, 100, 1000, 1e4, 1e5, 1e6]);
  assert.deepEqual(
    timeSteps((i) => 1 + i / 10, 31, 3).map(({ seconds }) => seconds),
    [2, 3, 4]
  );
});

test('a long time of the engine in a tick is cut to a tenth of the time of threads', () => {
  // A thread of 40 with a call of 10 in it, 900 of the engine, a thread of 60; then another tick.
  const order = {
    counts: [3, 1],
    depth: [0, 1, 0, 0],
    function: [0, 1, 2, 0],
    begin: [5, 10, 935, 7],
    time: [40, 10, 60, 50],
    continued: [0, 0, 0, 1],
  };
  const { tree, starts, cut } = orderInTick(order, 0);
  assert.deepEqual([...starts], [0, 5, 15, 55]);
  assert.equal(cut, 895);
  assert.equal(tree.total[0], 115);
  assert.deepEqual([...tree.total].slice(1), [40, 10, 60]);
  assert.deepEqual([orderInTick(order, 1).cut, [...orderInTick(order, 1).starts]], [2, [0, 5]]);
  const played = orderInTick({ ...order, line: [0, 12, 0, 0] }, 0),
    at = (time) => framesAt(played, time).map(({ func, line }) => `${func}:${line}`);
  // Before its call, in it, after it; the engine; the other thread.
  assert.deepEqual([6, 15, 25, 50, 60].map(at), [['0:0'], ['0:12', '1:0'], ['0:12'], [], ['2:0']]);
  assert.equal(
    orderInTick({ counts: [2], function: [0, 0], time: [1, 9], calls: [1, 1] }, 0).cut,
    0
  );
});

test('of tables without rows, the document has no columns', () => {
  assert.equal(decodeTree({ nodes: {} }).count, 1);
  assert.deepEqual([...decodeChanges({ ticks: [1], counts: [0] }).counts], [0]);
  assert.equal(selfInTicks({ self_times: { counts: [0] } }, null, [], 5), null);
  assert.equal(orderInTick({ counts: [0] }, 0).tree.count, 1);
});
