// What the page asks of the program. Run with `node --test`.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  adviceFor,
  adviceForPart,
  formatBytes,
  inPageWords,
  makeRequest,
  newAndOld,
  offeredFormats,
  pathsOf,
  problemOf,
  readMessages,
  readReason,
  savedName,
  sidesOf,
  sourcesNote,
} from '../../src/web/page_request.js';

const log = (name, lastModified = 0) => ({ name, lastModified });
const choice = (values = {}, more = {}) => ({
  values,
  foldsRecursion: false,
  luaRoot: null,
  ...more,
});

test('the log that was written earlier is the old one', () => {
  const [early, late] = [log('b.log', 1), log('a.log', 2)];
  assert.deepEqual(newAndOld(early, late), [late, early]);
  assert.deepEqual(newAndOld(late, early), [late, early]);
});

test('names say which log is the old one before their times do', () => {
  for (const [old, other] of [
    ['old.log', 'new.log'],
    ['before.log', 'game.log'],
    ['game.log', 'game-after.log'],
    ['game_2026-10-31.log', 'game_2026-11-02.log'],
    ['run9.log', 'run10.log'],
  ])
    for (const times of [
      [1, 2],
      [2, 1],
    ])
      assert.equal(newAndOld(log(other, times[0]), log(old, times[1]))[1].name, old);
  assert.equal(newAndOld(log('golden.log', 2), log('a.log', 1))[0].name, 'golden.log');
});

test('of several logs, names or dates say which are old; if they do not, none is', () => {
  const sides = (/** @type {string[]} */ ...names) => {
    const { logs, olds } = sidesOf(names.map((name) => log(name)));
    return [logs, olds].map((side) => side.map(({ name }) => name).join());
  };
  assert.deepEqual(sides('new-1.log', 'old-1.log', 'new-2.log', 'old-2.log'), [
    'new-1.log,new-2.log',
    'old-1.log,old-2.log',
  ]);
  assert.deepEqual(sides('a1.log', 'a2.log', 'before.log'), ['a1.log,a2.log', 'before.log']);
  assert.deepEqual(sides('2026-11-02_1.log', '2026-10-31_1.log', '2026-11-02_2.log'), [
    '2026-11-02_1.log,2026-11-02_2.log',
    '2026-10-31_1.log',
  ]);
  assert.deepEqual(sides('a.log', 'b.log', 'c.log'), ['a.log,b.log,c.log', '']);
  assert.deepEqual(sides('old-1.log', 'old-2.log', 'old-3.log'), [
    'old-1.log,old-2.log,old-3.log',
    '',
  ]);
});

test('several logs of a side are repeated', () => {
  const request = makeRequest(
    [log('new.log'), log('n.log')],
    [log('old.log'), log('o.log')],
    choice(),
    'html'
  );
  assert.deepEqual(request.arguments.slice(5), [
    '--repeated',
    '--diff',
    'old.log',
    '--diff',
    'o.log',
    '--',
    'new.log',
    'n.log',
  ]);
  assert.deepEqual(
    request.files.map(({ path }) => path),
    ['new.log', 'n.log', 'old.log', 'o.log']
  );
});

test('two logs of one name have two paths, and no log is taken for standard input', () => {
  assert.deepEqual(pathsOf([log('a.log')], [log('a.log')]), {
    paths: ['a.log'],
    oldPaths: ['old/a.log'],
  });
  assert.deepEqual(pathsOf([log('-')], []), { paths: ['log'], oldPaths: [] });
  // One of them would be a file and a folder.
  assert.deepEqual(pathsOf([log('old')], [log('old')]), {
    paths: ['old'],
    oldPaths: ['old-1/old'],
  });
  assert.deepEqual(pathsOf([log('a'), log('a'), log('new'), log('a')], [log('a'), log('b')]), {
    paths: ['a', 'new/a', 'new-1/new', 'new-2/a'],
    oldPaths: ['old/a', 'b'],
  });
});

test('options that are set become arguments, and a name is never an option', () => {
  const root = { name: 'gamedata', files: [{ path: 'gamedata/lua/a.lua', file: 1 }] };
  const request = makeRequest(
    [log('--help')],
    [log('b.log')],
    choice({ '--from': '#9', '--to': '' }, { foldsRecursion: true, luaRoot: root }),
    'csv'
  );
  assert.deepEqual(request.arguments, [
    '--quiet',
    '--codes',
    '--progress=never',
    '--format=csv',
    '--output=output',
    '--from=#9',
    '--fold-recursion',
    '--lua-root=gamedata',
    '--diff',
    'b.log',
    '--',
    '--help',
  ]);
  assert.deepEqual(
    request.files.map(({ path }) => path),
    ['--help', 'b.log', 'gamedata/lua/a.lua']
  );
});

test('a view of the report is saved with its options, which go before those of the page', () => {
  const view = ['--from=#38', '--to=#39', "--focus=^a b'c$"];
  const request = makeRequest(
    [log('a.log')],
    [],
    choice({ '--thread': 'main', '--from': '1:30' }, { view }),
    'csv'
  );
  assert.deepEqual(request.arguments.slice(5), ['--thread=main', ...view, '--', 'a.log']);
});

test('neither the output nor the sources take the place of a log', () => {
  const root = { name: 'gamedata', files: [{ path: 'gamedata/a.lua', file: 1 }] };
  assert.deepEqual(makeRequest([log('output')], [], choice(), 'csv').outputs, ['output-1']);
  const request = makeRequest([log('gamedata')], [], choice({}, { luaRoot: root }), 'csv');
  assert.ok(request.arguments.includes('--lua-root=sources/gamedata'));
  assert.deepEqual(
    request.files.map(({ path }) => path),
    ['gamedata', 'sources/gamedata/a.lua']
  );
  const named = (/** @type {string} */ name) =>
    choice({}, { luaRoot: { name, files: [{ path: `${name}/a.lua`, file: 1 }] } });
  const inOutput = makeRequest([log('a.log')], [], named('output'), 'csv');
  assert.deepEqual([inOutput.outputs, inOutput.files[1].path], [['output-1'], 'output/a.lua']);
  assert.equal(
    makeRequest([log('sources')], [], named('sources'), 'csv').files[1].path,
    'sources-1/sources/a.lua'
  );
  // The second of two logs with one name is in a folder `old`.
  assert.equal(
    makeRequest([log('a.log')], [log('a.log')], named('old'), 'csv').files[2].path,
    'sources/old/a.lua'
  );
});

test('a report of sources that do not fit says so, and such a note is no problem of a log', () => {
  const line =
    'supprof: [sources-of-another-version] --lua-root: named 3 of 8 nameless functions from 3 ' +
    'files; 2 files of another version than the log\n';
  const messages =
    `${line}supprof: [written] wrote output (9 stacks)\nsupprof: [summary] read 9 records, ` +
    `13.300 ms; 0 damaged lines skipped\n`;
  const note = (/** @type {string} */ text) => sourcesNote(readMessages(text));
  assert.equal(
    note(messages)?.text,
    'named 3 of 8 nameless functions from 3 files; 2 files of another version than the log'
  );
  assert.match(note(messages)?.advice ?? '', /the version that was played/);
  assert.match(
    note(
      'supprof: [sources] --lua-root: named 0 of 8 nameless functions from 0 files; 6 files ' +
        'not there\n'
    )?.advice ?? '',
    /gamedata/
  );
  assert.equal(note('supprof: [written] wrote output (9 stacks)\n'), null);
  assert.equal(problemOf(readMessages(messages)), null);
  assert.deepEqual(
    problemOf(
      readMessages(`${messages}supprof: [unreadable] cannot read all of 'a.log': I/O error\n`)
    ),
    { code: 'unreadable', text: "cannot read all of 'a.log': I/O error" }
  );
  const root = choice({}, { luaRoot: { name: 'gamedata', files: [] } });
  assert.equal(makeRequest([log('a.log')], [], root, 'html').arguments.includes('--quiet'), false);
  assert.equal(makeRequest([log('a.log')], [], root, 'csv').arguments.includes('--quiet'), true);
  assert.equal(
    makeRequest([log('a.log')], [], choice(), 'html').arguments.includes('--quiet'),
    true
  );
});

test('what is saved has the name of the log', () => {
  assert.deepEqual(
    ['loud.log', 'loud.LOG.GZ', 'game_1.2.txt', 'noend', '.log'].map((name) =>
      savedName(name, '.pb.gz')
    ),
    ['loud.pb.gz', 'loud.pb.gz', 'game_1.2.pb.gz', 'noend.pb.gz', 'log.pb.gz']
  );
});

test('formats are offered that can be saved, and of compared logs those that show both', () => {
  const all = [
    ['top', true],
    ['pprof', false],
    ['csv', true],
    ['html', true],
    ['svg', true],
  ].map(
    ([name, compares]) =>
      /** @type {any} */ ({
        name,
        compares,
        repeats: name !== 'svg',
        suffix: `.${name}`,
        summary: '',
      })
  );
  assert.deepEqual(
    offeredFormats(all, false).map(({ name, title }) => `${name}: ${title}`),
    ['html: This report', 'svg: Flame graph', 'csv: Functions', 'pprof: pprof']
  );
  assert.deepEqual(
    offeredFormats(all, true).map(({ name }) => name),
    ['html', 'svg', 'csv']
  );
  assert.deepEqual(
    offeredFormats(all, true, true).map(({ name }) => name),
    ['html', 'csv']
  );
});

test('messages are those of the program, without what is about a terminal', () => {
  const messages = readMessages(
    "supprof: [other] a.log:1: damaged\nsupprof: [no-recording] all of it\nTry 'supprof " +
      "--help' for more information.\n"
  );
  assert.deepEqual(messages, [
    { code: 'other', text: 'a.log:1: damaged' },
    { code: 'no-recording', text: 'all of it' },
  ]);
  assert.deepEqual(problemOf(messages), {
    code: 'no-recording',
    text: 'a.log:1: damaged\nall of it',
  });
  assert.equal(problemOf(readMessages('')), null);
});

test('the name of a log in a message is no code of it', () => {
  assert.deepEqual(readMessages('supprof: [other] [archive] b.log:1: damaged\n'), [
    { code: 'other', text: '[archive] b.log:1: damaged' },
  ]);
  assert.equal(
    inPageWords(
      { code: 'no-recording', text: '--run.log: no profiler lines in it' },
      { '--run': 'Run' }
    ),
    '--run.log: no profiler lines in it'
  );
});

test('messages about an option have the name of its field', () => {
  const fields = { '--from': 'From', '--to': 'To', '--lua-root': 'Lua sources' };
  const text = "invalid value 'foo' for --from; give a game time such as 90 or 1:30";
  assert.equal(
    inPageWords({ code: '--from', text }, fields),
    "invalid value 'foo' for From; give a game time such as 90 or 1:30"
  );
  assert.equal(
    inPageWords({ code: '--lua-root', text: '--lua-root: cannot read' }, fields),
    'Lua sources: cannot read'
  );
  assert.equal(
    inPageWords({ code: '--peek', text: '--peek: from --to' }, fields),
    '--peek: from --to'
  );
});

test('a log read in part has advice: the game still writes it, or it is damaged', () => {
  assert.match(adviceForPart('unreadable'), /copy the log first/);
  assert.match(adviceForPart('damaged-file'), /another copy/);
});

test('there is advice for what can go wrong, and sizes are short', () => {
  assert.match(adviceFor('no-recording', true), /profiler.lua first, as described below/);
  assert.match(adviceFor('all-damaged', false), /on the start page/);
  assert.match(adviceFor('not-a-log', true), /log of a game/);
  assert.match(adviceFor('archive', true), /Take the log out/);
  assert.match(adviceFor('unreadable', true), /choose it again/);
  assert.match(adviceFor('--from', true), /another log/);
  assert.deepEqual([0, 999, 1e6, 12345678, 2e9].map(formatBytes), [
    '0 KB',
    '1 KB',
    '1 MB',
    '12 MB',
    '2,000 MB',
  ]);
});

test('what a browser throws has the same codes', () => {
  const codes = [
    new RangeError('Array buffer allocation failed'),
    'out of memory',
    Object.assign(new Error('gone'), { name: 'NotReadableError' }),
    new TypeError('x'),
  ].map((reason) => readReason(reason).code);
  assert.deepEqual(codes, ['out-of-memory', 'out-of-memory', 'unreadable', 'other']);
  assert.match(
    adviceFor(readMessages('supprof: out of memory\n')[0].code, true),
    /too little memory/
  );
});
