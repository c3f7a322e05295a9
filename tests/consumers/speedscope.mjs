// speedscope.mjs FILE[=NS]...
//
// Loads each file in speedscope, in headless Chromium, as its "profileURL" does, and
// writes what it then shows beside it: FILE.speedscope, a line a function as truth.py
// has them. The sandwich view rounds, so the times are those of the objects that view is
// drawn from; that its rows are these, rounded, is checked.
//
// NS is what one of a weight without a unit is, as those in a folded file are.
//
// Times are those of the first profile, "Time"; calls are the self weights of the profile
// "Calls", where there is one. What a function has of its own in the profiles that begin
// with "Time " are the parts of what it has in the first.
//
// Evented profiles, of the threads in a window, are added up in FILE.threads.
import fs from 'node:fs';
import path from 'node:path';
import { packages, withBrowser } from './browser.mjs';

// Runs in the page before speedscope, which is a Preact program: what it draws is a tree
// with __k (the children) and __c (the component), and the element that it is drawn into
// gets the root of that. The element itself is taken out later, so the root is kept here.
function keepRoot() {
  Object.defineProperty(Element.prototype, '__k', {
    set(root) {
      window.rootForTest = root;
    },
  });
}

// Runs in the page. One of the components has the profiles.
function readProfiles() {
  if (/Something went wrong/.test(document.body.innerText))
    return { error: 'Something went wrong' };
  const open = [window.rootForTest];
  let group = null;
  while (open.length > 0 && !group) {
    const node = open.pop();
    if (!node) continue;
    group = node.__c?.props?.profileGroup;
    open.push(...(node.__k ?? []));
  }
  // The sandwich's head and its rows are two tables.
  const tables = [...document.querySelectorAll('table')];
  const rowTable = tables[tables.findIndex((table) => /Symbol Name/.test(table.innerText)) + 1];
  const rows = [...(rowTable?.rows ?? [])].map((row) =>
    [...row.cells].map((cell) => cell.innerText)
  );
  if (!group || rows.length === 0) return null;
  const profiles = group.profiles.map(({ profile }) => {
    const frames = [];
    profile.forEachFrame((frame) =>
      frames.push({
        name: frame.name,
        key: String(frame.key),
        file: frame.file,
        line: frame.line,
        self: frame.getSelfWeight(),
        total: frame.getTotalWeight(),
        shownSelf: profile.formatValue(frame.getSelfWeight()),
        shownTotal: profile.formatValue(frame.getTotalWeight()),
      })
    );
    return { name: profile.getName(), unit: profile.getWeightUnit(), frames };
  });
  return { profiles, rows: rows.slice(0, 50), shown: group.indexToView };
}

const clean = (text) => text.replace(/\s+/g, ' ').trim();

function checkRows({ profiles, rows, shown }) {
  const known = new Set(
    profiles[shown].frames.map((frame) =>
      clean(`${frame.shownTotal} ${frame.shownSelf} ${frame.name}`)
    )
  );
  for (const row of rows) {
    const [total, self, name] = row.map((cell) => clean(cell).replace(/ \([<>]?[\d.]+%\)$/, ''));
    if (!known.has(`${total} ${self} ${name}`))
      throw new Error(`a row that no frame explains: ${row}`);
  }
}

// name: [self, total], in nanoseconds or calls
function byName(profile, noneNs) {
  const scale = { nanoseconds: 1, microseconds: 1000, none: noneNs }[profile.unit];
  const table = new Map();
  for (const { name, self, total } of profile.frames) {
    const [selfBefore, totalBefore] = table.get(name) ?? [0, 0];
    table.set(name, [selfBefore + self * scale, totalBefore + total * scale]);
  }
  return table;
}

// The profiles that are time lines: the viewer has them in the file's order, and in a trace all but
// the ticks; its names end in what a slice says of itself.
function addUpThreads({ profiles }, file) {
  const types = JSON.parse(fs.readFileSync(file, 'utf8')).profiles?.map(({ type }) => type);
  const sums = new Map();
  for (const profile of profiles.filter((_, i) => (types ? types[i] === 'evented' : i > 0))) {
    for (const [shown, [self, total]] of byName(profile, 1)) {
      const name = types ? shown : shown.replace(/ \{.*\}$/, '');
      const [selfBefore, totalBefore] = sums.get(name) ?? [0, 0];
      sums.set(name, [selfBefore + self, totalBefore + total]);
    }
  }
  return [...sums]
    .map(([name, times]) => [name, ...times.map(Math.round), '-\n'].join('\t'))
    .sort()
    .join('');
}

function tableOf({ profiles }, noneNs) {
  const times = byName(profiles[0], noneNs);
  const callsProfile = profiles.find(({ name }) => name === 'Calls');
  const calls = callsProfile && byName(callsProfile, 1);
  const parts = profiles
    .filter(({ name }) => name.startsWith('Time '))
    .map((profile) => byName(profile, noneNs));
  for (const [name, [self]] of parts.length > 0 ? times : []) {
    const sum = parts.reduce((before, part) => before + (part.get(name)?.[0] ?? 0), 0);
    if (sum !== self) throw new Error(`${name}: ${self} in all, ${sum} in the parts`);
  }
  return [...new Set([...times.keys(), ...(calls?.keys() ?? [])])]
    .sort()
    .map(
      (name) =>
        [name, ...(times.get(name) ?? [0, 0]), calls ? (calls.get(name)?.[0] ?? 0) : '-'].join(
          '\t'
        ) + '\n'
    )
    .join('');
}

// Names in a CPU profile are without the places that labels have, and shown as C++ where they look
// so. The key is name, file, line and column.
function makeLabels({ profiles }) {
  for (const frame of profiles.flatMap(({ frames }) => frames)) {
    const name = /^([^]*):[^:]*:-?\d+:-?\d+$/.exec(
      frame.file ? frame.key.replace(`:${frame.file}:`, '::') : frame.key
    )[1];
    frame.name = (frame.file ? `${name} ${frame.file}:${frame.line}` : name).replaceAll(';', ':');
  }
}

async function load(page, address) {
  const said = [];
  let refuse;
  const refused = new Promise((resolve) => {
    refuse = resolve;
  });
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('dialog', (dialog) => {
    refuse({ error: dialog.message() });
    dialog.dismiss();
  });
  await page.evaluateOnNewDocument(keepRoot);
  await page.goto(address);
  const shown = page.waitForFunction(readProfiles, { polling: 50 }).then(
    (handle) => handle.jsonValue(),
    (error) => ({ error: error.message })
  );
  const found = await Promise.race([shown, refused]);
  if (found.error) throw new Error(`${found.error}: ${said.slice(-2).join(' / ')}`);
  checkRows(found);
  return found;
}

const files = process.argv.slice(2).map((argument) => /^(.*?)(?:=(\d+))?$/.exec(argument));
const directories = { viewer: path.join(packages, 'speedscope/dist/release') };
files.forEach(([, file], i) => {
  directories[i] = path.dirname(path.resolve(file));
});
await withBrowser(directories, async (newPage, address) => {
  for (const [i, [, file, noneNs]] of files.entries()) {
    const page = await newPage();
    const url = `${address}/${i}/${encodeURIComponent(path.basename(file))}`;
    try {
      const found = await load(
        page,
        `${address}/viewer/index.html#profileURL=${encodeURIComponent(url)}&view=sandwich`
      );
      if (file.endsWith('.cpuprofile')) makeLabels(found);
      fs.writeFileSync(`${file}.speedscope`, tableOf(found, Number(noneNs ?? 1)));
      if (/[.](speedscope|trace)[.]json$/.test(file))
        fs.writeFileSync(`${file}.threads`, addUpThreads(found, file));
    } catch (error) {
      console.log(`speedscope: ${file}: ${error.message}`);
      process.exitCode = 1;
    }
    await page.close();
  }
});
