// What the page asks of the program. Run with `node --test`.
import assert from 'node:assert/strict';
import test from 'node:test';
import { adviceFor, adviceForPart, formatBytes, formats, inPageWords, makeRequest, newAndOld, optionOf, pathsOf, savedName, saysNoRecording, shownMessage, sourcesNote, withoutNames } from '../../src/web/page_request.js';

const log = (name, lastModified = 0) => ({ name, lastModified });
const choice = (values = {}, more = {}) => ({ values, foldsRecursion: false, luaRoot: null, ...more });

test('the log that was written earlier is the old one', () => {
  const [early, late] = [log('b.log', 1), log('a.log', 2)];
  assert.deepEqual(newAndOld(early, late), [late, early]);
  assert.deepEqual(newAndOld(late, early), [late, early]);
});

test('two logs of one name have two paths, and no log is taken for standard input', () => {
  assert.deepEqual(pathsOf(log('a.log'), log('a.log')), { path: 'a.log', oldPath: 'old/a.log' });
  assert.deepEqual(pathsOf(log('-'), null), { path: 'log', oldPath: '' });
  // One of them would be a file and a folder.
  assert.deepEqual(pathsOf(log('old'), log('old')), { path: 'old', oldPath: 'old-1/old' });
});

test('options that are set become arguments, and a name is never an option', () => {
  const root = { name: 'gamedata', files: [{ path: 'gamedata/lua/a.lua', file: 1 }] };
  const request = makeRequest(log('--help'), log('b.log'), choice({ '--from': '#9', '--to': '' }, { foldsRecursion: true, luaRoot: root }), 'csv');
  assert.deepEqual(request.arguments, ['--quiet', '--progress=never', '--format=csv', '--output=output', '--from=#9', '--fold-recursion', '--lua-root=gamedata', '--diff', 'b.log', '--', '--help']);
  assert.deepEqual(request.files.map(({ path }) => path), ['--help', 'b.log', 'gamedata/lua/a.lua']);
});

test('neither the output nor the sources take the place of a log', () => {
  const root = { name: 'gamedata', files: [{ path: 'gamedata/a.lua', file: 1 }] };
  assert.deepEqual(makeRequest(log('output'), null, choice(), 'csv').outputs, ['output-1']);
  const request = makeRequest(log('gamedata'), null, choice({}, { luaRoot: root }), 'csv');
  assert.ok(request.arguments.includes('--lua-root=sources/gamedata'));
  assert.deepEqual(request.files.map(({ path }) => path), ['gamedata', 'sources/gamedata/a.lua']);
  const named = (/** @type {string} */ name) => choice({}, { luaRoot: { name, files: [{ path: `${name}/a.lua`, file: 1 }] } });
  const inOutput = makeRequest(log('a.log'), null, named('output'), 'csv');
  assert.deepEqual([inOutput.outputs, inOutput.files[1].path], [['output-1'], 'output/a.lua']);
  assert.equal(makeRequest(log('sources'), null, named('sources'), 'csv').files[1].path, 'sources-1/sources/a.lua');
  // The second of two logs with one name is in a folder `old`.
  assert.equal(makeRequest(log('a.log'), log('a.log'), named('old'), 'csv').files[2].path, 'sources/old/a.lua');
});

test('a report of sources that do not fit says so, and such a note is no problem of a log', () => {
  const line = 'supprof: --lua-root: named 3 of 8 nameless functions from 3 files; 2 files of another version than the log (--verbose lists them)\n';
  const messages = `${line}supprof: wrote output (9 stacks)\nsupprof: read 9 records, 13.300 ms; 0 damaged skipped\n`;
  assert.equal(sourcesNote(messages).text, 'named 3 of 8 nameless functions from 3 files; 2 files of another version than the log');
  assert.match(sourcesNote(messages).advice, /the version that was played/);
  assert.match(sourcesNote('supprof: --lua-root: named 0 of 8 nameless functions from 0 files; 6 files not there\n').advice, /gamedata/);
  assert.equal(sourcesNote('supprof: wrote output (9 stacks)\n'), null);
  assert.equal(shownMessage(`${messages}supprof: cannot read all of 'a.log'\n`), 'cannot read all of \'a.log\'');
  const root = choice({}, { luaRoot: { name: 'gamedata', files: [] } });
  assert.equal(makeRequest(log('a.log'), null, root, 'html').arguments.includes('--quiet'), false);
  assert.equal(makeRequest(log('a.log'), null, root, 'csv').arguments.includes('--quiet'), true);
  assert.equal(makeRequest(log('a.log'), null, choice(), 'html').arguments.includes('--quiet'), true);
});

test('what is saved has the name of the log', () => {
  assert.deepEqual(['loud.log', 'loud.LOG.GZ', 'game_1.2.txt', 'noend', '.log'].map((name) => savedName(name, 'pb.gz')),
    ['loud.pb.gz', 'loud.pb.gz', 'game_1.2.pb.gz', 'noend.pb.gz', 'log.pb.gz']);
  assert.equal(new Set(formats.map(({ suffix }) => suffix)).size, formats.length);
});

test('messages are those of the program, without what is about a terminal', () => {
  assert.equal(shownMessage('supprof: a.log:1: damaged\nsupprof: all of it\nTry \'supprof --help\' for more information.\n'), 'a.log:1: damaged\nall of it');
});

test('messages have the words of the page, and not those of command lines', () => {
  assert.equal(inPageWords('invalid value \'foo\' for --from; give a game time such as 90 or 1:30'), 'From cannot be \'foo\'; give a game time such as 90 or 1:30');
  assert.equal(inPageWords('\'a.png\' is a picture (PNG); name a game log'), '\'a.png\' is a picture (PNG); open a game log');
  assert.equal(inPageWords('\'a.zip\' is a zip archive; unpack it and name the log that was in it'), '\'a.zip\' is a zip archive; unpack it and open the log that was in it');
  assert.equal(inPageWords('nothing is in that window (--from, --to, --tick); the log has ticks #1 to #9'), 'nothing is between From and To; the log has ticks #1 to #9');
  assert.match(adviceFor('\'a.zip\' is a zip archive; unpack it and name the log that was in it', true), /the log that is in it/);
  assert.ok(saysNoRecording('a.log: no profiler lines in it') && !saysNoRecording('a.log: all of its profiler lines are damaged'));
});

test('a message is beside the option that it names', () => {
  const options = ['--from', '--to', '--run'];
  assert.equal(optionOf('invalid value \'x\' for --to; give a game time', options), '--to');
  assert.equal(optionOf('nothing in run 9; the logs have 1 run', options), '--run');
  assert.equal(optionOf('nothing in that window (--from, --to)', options), '--from');
  assert.equal(optionOf('--top is not here', options), null);
});

test('the name of a log in a message is not taken for what the message says', () => {
  const names = ['--run.log', ''];
  assert.equal(withoutNames('--run.log:1: damaged: \'--run.log\'\n--run.log: bad', names), ':1: damaged: \'\'\n: bad');
  assert.match(adviceFor(withoutNames('memory.log: the log is empty', ['memory.log']), true), /profiler.lua first/);
  assert.equal(optionOf(withoutNames('--run.log: no profiler lines in it', names), ['--run']), null);
});

test('a log of which a part was read has advice: the game still writes it, or it is damaged', () => {
  assert.match(adviceForPart('cannot read all of \'a.log\': I/O error; what comes before it is used'), /copy the log first/);
  assert.match(adviceForPart('cannot read all of \'a.log.gz\': the compressed data ends too early'), /another copy/);
});

test('there is advice for what can go wrong, and sizes are short', () => {
  assert.match(adviceFor('RangeError: out of memory', true), /too little memory/);
  assert.match(adviceFor('a.log: no profiler lines in it', true), /profiler.lua first, as described below/);
  assert.match(adviceFor('a.log: the log is empty', false), /on the start page/);
  assert.match(adviceFor('\'a.png\' is a picture (PNG); name a game log', true), /log of a game/);
  assert.match(adviceFor('cannot read \'a.log\': Input/output error', true), /choose it again/);
  assert.deepEqual([0, 999, 1e6, 12345678, 2e9].map(formatBytes), ['0 KB', '1 KB', '1 MB', '12 MB', '2,000 MB']);
});
