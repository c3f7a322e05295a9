// golden.mjs SUPPROF_WASM SOURCE_DIRECTORY
//
// Each line of tests/cli/golden.txt, run as WebAssembly, prints what it must (see golden.sh). Left
// out are the lines that read standard input, which a page has not, that make a log or run the
// program twice, and one that prints what is not text.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { run, sourceOf, sourcesOf } from './run.mjs';

const [wasm, source] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(wasm));
const fixtures = path.join(source, 'fixtures');
// One line names a log by way of the folder above.
const sources = [
  ...sourcesOf(fixtures, ''),
  ...sourcesOf(path.join(fixtures, 'small-float.log.gz'), 'fixtures/small-float.log.gz'),
  sourceOf('OUT/.folder', Buffer.alloc(0)),
];
const leftOut = [
  'standard-input',
  'standard-input-dash',
  'ticks-over-one-reading',
  'mcp-session',
  'pprof',
];
const shell = (script, input) =>
  execFileSync('sh', ['-c', script], {
    input,
    cwd: fixtures,
    env: { ...process.env, OUT: 'OUT' },
    maxBuffer: 1 << 28,
  });

const about = await run(module, ['--version'], []);
const version = Buffer.from(about.text).toString().split(' ')[1];
const hideVersion = (bytes) =>
  Buffer.from(
    bytes.toString('latin1').replaceAll(`supprof ${version}`, 'supprof VERSION'),
    'latin1'
  );

let count = 0,
  failed = 0;
for (const line of fs.readFileSync(path.join(source, 'tests/cli/golden.txt'), 'utf8').split('\n')) {
  const [, name, status, command] = line.match(/^([a-z][^ ]*) +(\d+) *(.*)$/) ?? [];
  if (name === undefined || leftOut.includes(name) || />\/dev\/null| && |(^| )</.test(command))
    continue;
  const [words, ...filters] = command.split(' | ');
  const args = shell(`for word in ${words}; do printf '%s\\0' "$word"; done`)
    .toString()
    .split('\0')
    .slice(0, -1);
  const got = await run(module, args, sources, 'OUT');
  const parts = [filters.length > 0 ? shell(filters.join(' | '), got.text) : got.text];
  for (const [file, bytes] of got.written) parts.push(`file ${file}:\n`, bytes);
  if (got.messages !== '') parts.push('stderr:\n', got.messages);
  count++;
  const all = hideVersion(Buffer.concat(parts.map((part) => Buffer.from(part))));
  if (filters.length === 0 && got.status !== Number(status)) {
    console.log(`FAILED ${name}: exit status ${got.status}, not ${status}`);
    failed++;
  } else if (!all.equals(fs.readFileSync(path.join(fixtures, 'expected', name)))) {
    console.log(`FAILED ${name}: supprof ${command}\n${all.toString().slice(0, 1000)}`);
    failed++;
  }
}
console.log(`${count} golden lines, ${failed} failed`);
process.exit(failed > 0 || count < 200 ? 1 : 0);
