// fetch.mjs DIRECTORY [LIST]
//
// Puts the npm packages of LIST, or of packages.txt beside this, into DIRECTORY/node_modules, each
// as the list has it to the bit. npm fetches them where it is installed. Where it is not (Debian's
// has 349 packages of its own), they come from the registry that npm would use:
// npm_config_registry, or "registry =" in ~/.npmrc, or npm's own.
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const list = fs.readFileSync(process.argv[3] ?? new URL('packages.txt', import.meta.url), 'utf8');
const modules = path.resolve(process.argv[2], 'node_modules');
const archives = path.resolve(process.argv[2], 'archives');
// Written last: all is there, from this list.
const stamp = path.join(modules, '.packages.txt');

const packages = list
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => {
    const [name, version, integrity] = line.split(' ');
    return {
      name,
      version,
      integrity,
      archive: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
    };
  });

function run(program, ...words) {
  const { error, status } = spawnSync(program, words, {
    cwd: archives,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error || status !== 0) throw new Error(`${program} failed: ${error ?? status}`);
}

const hasNpm = () => spawnSync('npm', ['--version']).status === 0;

function findRegistry() {
  const settings = path.join(os.homedir(), '.npmrc');
  const line = fs.existsSync(settings)
    ? /^registry\s*=\s*(\S+)/m.exec(fs.readFileSync(settings, 'utf8'))?.[1]
    : undefined;
  return (process.env.npm_config_registry ?? line ?? 'https://registry.npmjs.org').replace(
    /\/$/,
    ''
  );
}

async function download(registry, { name, version, archive }) {
  const address = `${registry}/${name}/-/${name.split('/').pop()}-${version}.tgz`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  fs.writeFileSync(path.join(archives, archive), Buffer.from(await response.arrayBuffer()));
}

function unpack({ name, integrity, archive }) {
  const file = path.join(archives, archive);
  const hash =
    'sha512-' + crypto.createHash('sha512').update(fs.readFileSync(file)).digest('base64');
  if (hash !== integrity) throw new Error(`${archive} has ${hash}, not ${integrity}`);
  const directory = path.join(modules, name);
  fs.mkdirSync(directory, { recursive: true });
  run('tar', '-xzf', file, '--strip-components=1', '-C', directory);
}

if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== list) {
  for (const directory of [modules, archives]) {
    fs.rmSync(directory, { recursive: true, force: true });
    fs.mkdirSync(directory, { recursive: true });
  }
  if (hasNpm())
    run('npm', 'pack', '--silent', ...packages.map(({ name, version }) => `${name}@${version}`));
  else for (const wanted of packages) await download(findRegistry(), wanted);
  for (const wanted of packages) unpack(wanted);
  fs.rmSync(archives, { recursive: true });
  fs.writeFileSync(stamp, list);
}
