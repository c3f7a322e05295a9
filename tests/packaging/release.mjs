// release.mjs SOURCE_DIRECTORY
//
// A release, from the workflows that are in .github: they are read as GitHub reads them, and their
// commands run in a clone at a tag, with a `gh` that writes down what it was asked. A tag that is
// wrong, a red test, or packages that are not whole make no release. Not tried: what GitHub itself
// does (its machines and permissions, the actions that are used, artifacts), and the groups of
// tests, which are run elsewhere.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const source = path.resolve(process.argv[2]);
const packages = path.join(source, 'build/style/node_modules/');
if (!fs.existsSync(path.join(packages, 'yaml'))) {
  console.log('SKIPPED: no build/style, which sh tests/style.sh --format makes with Node.js');
  process.exit(process.env.SUPPROF_NEEDS_CONSUMERS === '1' ? 1 : 77);
}
const yaml = createRequire(packages)('yaml');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'supprof-release-'));
process.on('exit', () => fs.rmSync(work, { recursive: true, force: true }));

let checked = 0,
  failed = 0;
function check(isGood, what) {
  checked++;
  if (isGood) return;
  failed++;
  console.log(`FAILED: ${what}`);
}

const clone = path.join(work, 'clone');
const git = (...words) =>
  execFileSync('git', words, { cwd: clone, stdio: 'pipe' }).toString().trim();
const inClone = (name) => path.join(clone, name);
const readWorkflow = (name) =>
  yaml.parse(fs.readFileSync(inClone(`.github/workflows/${name}`), 'utf8'));
for (const name of [
  'CMakeLists.txt',
  'CHANGELOG.md',
  'packaging',
  '.github',
  'tests/run-all.sh',
  '.ci',
])
  fs.cpSync(path.join(source, name), inClone(name), { recursive: true });
git('init', '-q');

const sections = `# Changelog

## 1.2.30

Thirty.

## 1.2.3 (2026-11-29)

One sentence that goes on
in the next line.

### Kind
- A bullet that
  goes on, and \`code\`
  - an inner one
- Another - with a dash
\`\`\`
as
  it is
\`\`\`

| a | b |
|---|---|

## 1.2.2

## 1.2.1

Old.
`;
const text = `One sentence that goes on in the next line.

### Kind
- A bullet that goes on, and \`code\`
  - an inner one
- Another - with a dash
\`\`\`
as
  it is
\`\`\`

| a | b |
|---|---|

`;

// commit VERSION CHANGELOG: what is tagged.
function commit(version, changelog) {
  const made = inClone('CMakeLists.txt');
  const lines = fs.readFileSync(made, 'utf8');
  fs.writeFileSync(made, lines.replace(/^(project\(supprof VERSION )[0-9.]+/m, `$1${version}`));
  fs.writeFileSync(inClone('CHANGELOG.md'), changelog);
  git('add', '-A');
  git(
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@x.invalid',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'x'
  );
}

const bin = path.join(work, 'bin');
fs.mkdirSync(bin);
const called = path.join(work, 'called');
fs.writeFileSync(
  path.join(bin, 'gh'),
  `#!/bin/sh
for word; do
    case $word in */text.md) cp "$word" '${work}/text.md' ;; esac
    printf '%s\\n' "\${word##*/packages/}"
done >>'${called}'
[ "$*" != "\${*#*PATCH}" ] && [ ! -e '${work}/moved' ] && exit 1
exit 0
`,
  { mode: 0o755 }
);

// The packages that the tests have made, as download-artifact puts them there.
function makePackages(version, { without = '', damaged = '' }) {
  const folder = inClone('packages');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  const names = [
    `supprof-${version}-windows.zip`,
    `supprof-${version}-linux.tar.gz`,
    'supprof.html',
  ];
  for (const name of names) fs.writeFileSync(path.join(folder, name), `${name} of ${version}`);
  const sums = execFileSync('sha256sum', names, { cwd: folder });
  fs.writeFileSync(path.join(folder, 'SHA256SUMS'), sums);
  if (without !== '') fs.rmSync(path.join(folder, without));
  if (damaged !== '') fs.appendFileSync(path.join(folder, damaged), '!');
}

const release = readWorkflow('release.yml');
const test = readWorkflow('test.yml');

// Runs the jobs as `needs` orders them; a job that calls test.yml is as the tests are. The messages
// of the job that fails, or null.
function push(tag, { isGreen = true, ...faults } = {}) {
  for (const name of [called, path.join(work, 'text.md')]) fs.rmSync(name, { force: true });
  git('tag', '-f', tag);
  const good = new Set();
  let messages = null;
  for (const [name, job] of Object.entries(release.jobs)) {
    if (![job.needs ?? []].flat().every((other) => good.has(other))) continue;
    let isGood = true;
    if (job.uses !== undefined) {
      check(job.uses === './.github/workflows/test.yml', `the job ${name} calls ${job.uses}`);
      isGood = isGreen;
    }
    for (const step of isGood ? (job.steps ?? []) : []) {
      if (step.uses?.startsWith('actions/download-artifact@'))
        makePackages(tag.replace(/^v/, ''), faults);
      if (step.run === undefined) continue;
      const done = spawnSync('sh', ['-e', '-c', step.run], {
        cwd: clone,
        env: {
          PATH: `${bin}:${process.env.PATH}`,
          GITHUB_REF_NAME: tag,
          GITHUB_REPOSITORY: 'owner/supprof',
        },
      });
      isGood &&= done.status === 0;
      if (done.status !== 0) messages = done.stderr.toString();
    }
    if (isGood) good.add(name);
  }
  return messages;
}
const askedFor = () => (fs.existsSync(called) ? fs.readFileSync(called, 'utf8').split('\n') : []);

commit('1.2.3', sections);
check(push('v1.2.3') === null, 'v1.2.3 is refused');
const wanted = `release create v1.2.3 --repo owner/supprof --verify-tag --title`.split(' ');
wanted.push('supprof v1.2.3', '--notes-file');
const asked = askedFor();
check(asked.slice(0, wanted.length).join() === wanted.join(), `gh is asked: ${asked}`);
for (const name of [
  'supprof-1.2.3-windows.zip',
  'supprof-1.2.3-linux.tar.gz',
  'supprof.html',
  'SHA256SUMS',
])
  check(asked.includes(name), `the release lacks ${name}`);
check(fs.readFileSync(path.join(work, 'text.md'), 'utf8') === text, 'the text of the release');
const head = git('rev-parse', 'HEAD');
check(asked.includes(`sha=${head}`) && asked.includes('ref=refs/tags/v1'), 'v1 is not made');
fs.writeFileSync(path.join(work, 'moved'), '');
check(push('v1.2.3') === null, 'v1.2.3 is refused the second time');
check(!askedFor().includes('ref=refs/tags/v1'), 'v1 is made again, not moved');

// Refused, by one sentence that names the tag and what to do, before anything is built.
const sentence = /^check-tag\.sh: no release of the tag '([^']*)': [^\n]*\b(push|tag)\b[^\n]*\n$/;
function refuse(tag) {
  const messages = push(tag);
  check(sentence.exec(messages)?.[1] === tag, `the refusal of ${tag}: ${messages}`);
  check(askedFor().length === 0, `a release of ${tag} was made`);
}
for (const tag of ['v1.2.3-rc1', 'v2', '1.2.3', 'v1.2', 'v1.2.4', 'v1.2.30', 'version-1.2.3'])
  refuse(tag);
commit('1.2.2', sections);
refuse('v1.2.2');
commit('1.2.0', sections);
refuse('v1.2.0');

commit('1.2.3', sections);
for (const faults of [
  { isGreen: false },
  { without: 'supprof-1.2.3-windows.zip' },
  { without: 'supprof-1.2.3-linux.tar.gz' },
  { without: 'SHA256SUMS' },
  { damaged: 'supprof.html' },
]) {
  push('v1.2.3', faults);
  check(askedFor().length === 0, `a release was made with ${JSON.stringify(faults)}`);
}

// The text that the version of today has.
const version = /^project\(supprof VERSION ([0-9.]+)/m.exec(
  fs.readFileSync(path.join(source, 'CMakeLists.txt'), 'utf8')
)[1];
commit(version, fs.readFileSync(path.join(source, 'CHANGELOG.md'), 'utf8'));
check(push(`v${version}`) === null, `v${version} is refused`);
const today = askedFor().length > 0 ? fs.readFileSync(path.join(work, 'text.md'), 'utf8') : '';
check(today !== '' && !/^ +[^ -]/m.test(today), 'the text of today has lines that go on');

// What the tests of a commit are: all groups. Each tag is looked at, and the packages are those
// tested.
const runAll = fs.readFileSync(inClone('tests/run-all.sh'), 'utf8');
const usual = /^usual_groups="(.*)"$/m.exec(runAll)[1].split(' ');
const other = /^all_groups="\$usual_groups (.*)"$/m.exec(runAll)[1].split(' ');
const commands = Object.values(test.jobs).flatMap((job) => job.steps.map((step) => step.run));
check(commands.includes('.ci/run') && usual.length > 5, 'the usual groups are not run');
check(commands.includes('sh tests/run-all.sh ${{ matrix.group }}'), 'the other groups are not run');
check(test.jobs.other.strategy.matrix.group.join() === other.join(), 'test.yml lacks a group');
check('workflow_call' in test.on && test.on.push.branches.join() === '**', 'when test.yml runs');
check(release.on.push.tags.join() === '**', 'when release.yml runs');
const upload = test.jobs.other.steps.find((step) =>
  step.uses?.startsWith('actions/upload-artifact@')
);
const download = release.jobs.attach.steps.find((step) =>
  step.uses?.includes('download-artifact@')
);
check(
  upload.with.name === download.with.name && upload.with.path === 'build/packages',
  'the artifact'
);

// What others wrote is named by its commit, and may write only where a release is made.
for (const [name, workflow] of Object.entries({ release, test })) {
  check(JSON.stringify(workflow.permissions) === '{"contents":"read"}', `${name}: permissions`);
  for (const [job, { permissions, steps = [] }] of Object.entries(workflow.jobs)) {
    check((permissions !== undefined) === (job === 'attach'), `${name}: permissions of ${job}`);
    for (const { uses = '', with: inputs = {} } of steps) {
      if (uses === '') continue;
      check(/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(uses), `${uses} is not named by its commit`);
      check(
        !uses.includes('/checkout@') || inputs['persist-credentials'] === false,
        `${job}: a token`
      );
    }
  }
}
console.log(`${checked} checks, ${failed} failed`);
process.exit(failed > 0 || checked < 60 ? 1 : 0);
