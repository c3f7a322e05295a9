// compare.mjs SUPPROF_WASM SUPPROF SOURCE_DIRECTORY
//
// What the WebAssembly program writes has the bytes that the native program writes, and so have its
// messages and its exit status: each fixture in all formats, filters and ticks in some, two logs,
// and sources. Damaged and hostile logs, those that the fuzzers once found and others made of the
// fixtures by a fixed seed, must end as in the native program.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { run, sourceOf, sourcesOf } from './run.mjs';

const [wasm, supprof, source] = process.argv.slice(2).map((name) => path.resolve(name));
const module = new WebAssembly.Module(fs.readFileSync(wasm));
const fixtures = path.join(source, 'fixtures'),
  fuzz = path.join(source, 'tests/fuzz');
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'supprof-wasm-'));
process.on('exit', () => fs.rmSync(directory, { recursive: true }));
let runs = 0,
  files = 0,
  failed = 0;

function runNative(args, sources) {
  const folder = path.join(directory, 'native');
  for (const { path: name, byteCount, read } of sources) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), byteCount > 0 ? read(0, byteCount) : '');
  }
  const { status, stdout, stderr } = spawnSync(supprof, args, {
    cwd: folder,
    env: {},
    maxBuffer: 1 << 28,
  });
  const written = new Map(
    fs
      .readdirSync(folder)
      .sort()
      .filter((name) => name.startsWith('a.'))
      .map((name) => [name, fs.readFileSync(path.join(folder, name))])
  );
  fs.rmSync(folder, { recursive: true });
  return { status, text: stdout.toString(), messages: stderr.toString(), written };
}

async function compare(args, sources) {
  const what = args.join(' '),
    problems = [];
  const expected = runNative(args, sources);
  const got = await run(module, args, sources).catch((reason) => ({
    status: String(reason),
    written: new Map(),
  }));
  for (const key of ['status', 'text', 'messages'])
    if (got[key] !== expected[key])
      problems.push(
        `${key} '${String(got[key]).slice(0, 500)}', not '${String(expected[key]).slice(0, 500)}'`
      );
  if ([...got.written.keys()].join() !== [...expected.written.keys()].join())
    problems.push(`files ${[...got.written.keys()]}, not ${[...expected.written.keys()]}`);
  for (const [name, bytes] of expected.written)
    if (!got.written.get(name)?.equals(bytes)) problems.push(`other bytes in ${name}`);
  for (const problem of problems) console.log(`FAILED supprof ${what}: ${problem}`);
  failed += problems.length;
  files += expected.written.size;
  runs++;
}

const formats = [
  ...execFileSync(supprof, ['--help'], { encoding: 'utf8' })
    .match(/^Formats:\n([^]*?)\n\n/m)[1]
    .matchAll(/^ {2}([a-z-]+) {2}/gm),
].map(([, name]) => name);
if (formats.length < 9) throw new Error('--help names no formats');
const fixture = (name) => sourcesOf(path.join(fixtures, name), name);
const suffixes = [
  'folded',
  'csv',
  'svg',
  'speedscope.json',
  'pb.gz',
  'pb',
  'callgrind',
  'top',
  'html',
  'cpuprofile',
  'json',
  'md',
  'ticks.csv',
  'trace.json',
];
const someSuffixes = ['csv', 'html', 'pb'];
const outputs = (list) => list.flatMap((suffix) => ['-o', `a.${suffix}`]);
const logs = fs.readdirSync(fixtures).filter((name) => /\.log(\.gz)?$/.test(name));

for (const log of logs) {
  // Those that only a recording has are an error with other logs.
  for (const list of [suffixes, suffixes.slice(0, -2)])
    await compare([log, ...outputs(list)], fixture(log));
}
for (const format of formats) {
  if (format === 'pprof') continue; // not text; both are above
  await compare(['-f', format, 'two-runs.log'], fixture('two-runs.log'));
  await compare(
    ['-f', format, '--peek', 'Build', 'recorded-spikes.log.gz'],
    fixture('recorded-spikes.log.gz')
  );
  await compare(
    ['-f', format, '--tick', '38', 'recorded-spikes.log.gz'],
    fixture('recorded-spikes.log.gz')
  );
}
await compare(
  ['--diff', 'compared-old.log', 'compared-new.log', ...outputs(someSuffixes)],
  [...fixture('compared-old.log'), ...fixture('compared-new.log')]
);
// pprof has the paths of the sources on the computer, and those of the page are its own.
await compare(
  ['--lua-root', 'lua-root', 'lua-root.log', ...outputs(['csv', 'html', 'list', 'folded'])],
  [...fixture('lua-root'), ...fixture('lua-root.log')]
);
const ofFixtures = runs;

for (const corpus of ['corpus', 'corpus-recording'])
  for (const name of fs.readdirSync(path.join(fuzz, corpus)))
    await compare(
      ['0.log', ...outputs(someSuffixes)],
      sourcesOf(path.join(fuzz, corpus, name), '0.log')
    );
for (const name of fs.readdirSync(path.join(fuzz, 'corpus-definitions')))
  await compare(
    ['--lua-root', 'lua', 'chunk-source.log', ...outputs(someSuffixes)],
    [
      ...fixture('chunk-source.log'),
      ...sourcesOf(path.join(fuzz, 'corpus-definitions', name), 'lua/ui/game.lua'),
    ]
  );
for (const name of fs.readdirSync(path.join(fuzz, 'corpus-end-to-end'))) {
  const {
    arguments: args,
    stdin,
    files: given,
  } = JSON.parse(fs.readFileSync(path.join(fuzz, 'corpus-end-to-end', name), 'utf8'));
  if (stdin === null)
    await compare(
      args.map((arg) => arg.replace(/^out\//, '')),
      Object.entries(given).map(([at, text]) => sourceOf(at, Buffer.from(text, 'latin1')))
    );
}

// Cut, repeated, overwritten: the same each time.
let seed = 1;
const random = (below) => {
  seed = (seed * 48271) % 0x7fffffff;
  return seed % below;
};
for (let i = 0; i < 150; i++) {
  const name = logs[random(logs.length)],
    raw = fs.readFileSync(path.join(fixtures, name));
  let bytes = name.endsWith('.gz') && random(4) > 0 ? gunzipSync(raw) : Buffer.from(raw);
  for (let k = random(20); k >= 0 && bytes.length > 0; k--) {
    const from = random(bytes.length),
      to = Math.min(bytes.length, from + random(300));
    const kind = random(4);
    if (kind === 0) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    else if (kind === 2) bytes[from] = random(256);
    else bytes.write(['9999999999999', '\n', ' end ', '-1', '\0', ';'][random(6)], from, 'latin1');
  }
  const options = [
    [],
    ['--thread', 'coroutine'],
    ['--fold-recursion'],
    ['--ticks-over', '1'],
    ['--from', '0:01'],
    ['--by', 'file'],
    ['-v'],
  ][random(7)];
  await compare(
    ['0.log', ...options, ...(options[0] === '--by' ? [] : outputs(someSuffixes))],
    [sourceOf('0.log', bytes)]
  );
}

// A log that is gone, or shorter, before all of it is read: what was read is reported.
const gone = () => {
  throw new Error('gone');
};
for (const [what, rest] of [
  ['gone', gone],
  ['shorter', () => new Uint8Array(0)],
]) {
  const line = Buffer.from('info: prof: =[C],-1,f,-1;1,0.001,t,f\n'),
    size = 5e6;
  const read = (from, to) => (from === 0 ? Buffer.alloc(to, line) : rest());
  const { status, messages, written } = await run(
    module,
    ['0.log', '-o', 'a.csv'],
    [{ path: '0.log', byteCount: size, writtenMs: 0, read }]
  );
  if (status === 1 && messages.includes("cannot read all of '0.log'") && written.has('a.csv'))
    continue;
  console.log(
    `FAILED: a log that is ${what}: status ${status}, ${written.size} files, ${messages}`
  );
  failed++;
}

if (files < 600) console.log(`FAILED: only ${files} files were compared`);
console.log(
  `${ofFixtures} runs of fixtures, ${runs - ofFixtures} of damaged logs, ${files} ` +
    `files: ${failed} differences; the module has ${fs.statSync(wasm).size} bytes`
);
process.exit(failed > 0 || files < 600 ? 1 : 0);
