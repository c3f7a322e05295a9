// walk.mjs SUPPROF FIXTURES WORK BROWSER [EXECUTABLE]
//
// One account of each thing: walks all tabs of each kind of report, and compares each row and each
// sentence with the same thing on every other tab, and with json. What a number is of, its heading
// says: so two numbers of one thing below one heading must be the same number. In the end, five
// differences are planted in pages, and each must be seen. A page has a size that it may have, too.
import fs from 'node:fs';
import path from 'node:path';
import { expect, fail, failedCount, newPage, show, step, withBrowser } from './checks.mjs';
import { readCsv, runner } from './reports.mjs';

const [supprof, fixtures, work, kind, executable] = process.argv.slice(2);
const run = runner(supprof),
  inFixtures = (name) => path.join(fixtures, name);
const logs = (side) => [1, 2, 3, 4, 5].map((i) => inFixtures(`repeated/${side}-${i}.log`)),
  spikes = inFixtures('recorded-spikes.log.gz');

/** Each kind of report: the options and logs of its command line. */
const reports = {
  recording: [spikes],
  sources: [`--lua-root=${inFixtures('sources')}`, spikes],
  chosen: [inFixtures('sampled-slow.log.gz')],
  watched: [inFixtures('watched-causes.log.gz')],
  'watched alone': [inFixtures('watched-alone/grows.log.gz')],
  'watched and compared': [
    '--diff',
    inFixtures('watched-alone/old-1.log.gz'),
    inFixtures('watched-alone/new-1.log.gz'),
  ],
  'watched besides and compared': [
    '--diff',
    inFixtures('watched.log.gz'),
    inFixtures('watched-slower.log.gz'),
  ],
  one: [inFixtures('one-record.log')],
  'one tick': ['--tick=38', spikes],
  'no times': [inFixtures('coarse-clock.log')],
  window: ['--from=#30', '--to=#90', spikes],
  compared: ['--diff', inFixtures('recorded-midgame.log.gz'), spikes],
  repeated: ['--repeated', ...logs('new')],
  'repeated and compared': [
    '--repeated',
    ...logs('old').flatMap((log) => ['--diff', log]),
    ...logs('new'),
  ],
  'watched and repeated': [
    '--repeated',
    '--diff',
    inFixtures('watched-alone/old-*.log.gz'),
    ...[1, 2, 3, 4].map((i) => inFixtures(`watched-alone/new-${i}.log.gz`)),
  ],
  plain: [inFixtures('game-logs/loud-sim.log')],
  'plain compared': [
    '--diff',
    inFixtures('game-logs/plain-old.log'),
    inFixtures('game-logs/plain-new.log'),
  ],
  records: [inFixtures('compared-new.log')],
};

/* What a page shows ------------------------------------------------------------------------- */

/**
 * Of what is shown: the rows of all tables, facts, and texts.
 * @param {import('puppeteer-core').Page} page
 */
const harvest = (page) =>
  page.evaluate(() => {
    // A share, or an error, is of the column at its left.
    const headingAt = (titles, i) =>
      /^[%±+]/.test(titles[i]) && i > 0
        ? `${headingAt(titles, i - 1)} ${titles[i]}`
        : titles[i] || (i > 0 ? headingAt(titles, i - 1) : '');
    const textOf = (element) => element.innerText.replace(/\s+/g, ' ').trim();
    const tables = [...document.querySelectorAll('#page [role=region] table')].map((table) => {
      const titles = [...table.querySelectorAll('thead th')].map((th) => th.textContent);
      return {
        caption: table.querySelector('caption')?.textContent ?? 'Calls',
        titles,
        rows: [...table.querySelectorAll('tbody tr')].map((tr) => {
          const name = tr.querySelector('th .name');
          return {
            name: name?.title || (name ?? tr.querySelector('th') ?? tr).textContent,
            cells: [...tr.children].flatMap((td, i) =>
              td.dataset.key
                ? [
                    {
                      title: headingAt(titles, i),
                      shown: td.textContent,
                      value: Number(td.dataset.value),
                    },
                  ]
                : []
            ),
          };
        }),
      };
    });
    const facts = [...document.querySelectorAll('.facts > div')].flatMap((div) => {
      const value = div.querySelector('dd').dataset.value;
      return value === undefined
        ? []
        : [
            {
              title: div.querySelector('dt').textContent,
              shown: div.querySelector('dd').firstChild.textContent,
              value: Number(value),
            },
          ];
    });
    const blocks = 'p, li, h2, figcaption, dd, dt, pre, .chip, .key, .filler',
      texts = [...document.querySelectorAll(`#header :is(${blocks}), #page :is(${blocks})`)];
    return {
      tables,
      facts,
      of: document.querySelector('.path li:last-child .name')?.title ?? '',
      texts: texts.map(textOf).filter((text) => text !== ''),
      left: Number(document.getElementById('left')?.dataset.value ?? -1),
      canvases: document.querySelectorAll('#page canvas, #page figure').length,
    };
  });

/** All tabs of a report, and what each shows. */
async function walk(browser, file) {
  const page = await newPage(browser);
  // A planted script is not the one that the page's policy names.
  await page.setBypassCSP(true);
  await page.goto(`file://${file}`);
  await page.waitForSelector('html[data-ready]');
  const tabs = await page.$$eval('nav a', (links) =>
    links.map((link) => link.getAttribute('href'))
  );
  const shown = [];
  const look = async (hash) => {
    await show(page, hash);
    if ((await page.$('.unmatched')) !== null) return;
    shown.push({ tab: hash, ...(await harvest(page)) });
  };
  for (const tab of tabs) await look(tab);
  const more = await page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('nav a[href^="#/functions"]')].length > 0
        ? ['#/ticks', '#/budget']
        : []
    ),
  ]);
  for (const tab of more) await look(tab);
  const addresses = [];
  if (tabs.includes('#/functions')) {
    await show(page, '#/functions');
    addresses.push(
      ...(await page.$$eval('#page tbody a.name', (links) =>
        links.slice(0, 4).map((link) => link.getAttribute('href'))
      ))
    );
  }
  for (const address of addresses) await look(address);
  await page.close();
  return { tabs, shown };
}

/* Things, and what is said of them ----------------------------------------------------------- */

/** What a heading says in other words: a median is the value of repeated logs. */
const headings = {
  median: 'self',
  'new median': 'new self',
  'old median': 'old self',
  change: 'change of self',
};

/** Tables of the function, or the tick, that a tab is of. */
const ofTab = /^(Functions of the tick|Source|Ticks as they are, and then|How long a call took)$/;

/** Everything that is said: `of` a thing, under a heading. */
function statementsOf({ shown }, isRepeated) {
  const said = [];
  const add = (tab, of, { title, shown: text, value }) =>
    said.push({
      tab,
      of,
      title: (isRepeated && headings[title]) || title,
      text,
      value,
    });
  for (const { tab, tables, facts, of } of shown) {
    for (const { caption, rows } of tables)
      for (const [i, { name, cells }] of rows.entries()) {
        // Edges, and lines, are things of their own: both ends have the same.
        const edge =
          caption === 'Callers'
            ? `${name} calls ${of}`
            : caption === 'Callees'
              ? `${of} calls ${name}`
              : [
                    'Functions',
                    'Functions by change',
                    'Self time in each log',
                    'Its self time in each log',
                  ].includes(caption)
                ? name
                : ofTab.test(caption)
                  ? `${caption} ${tab} ${i} ${name}`
                  : `${caption}: ${name}`;
        for (const cell of cells) add(tab, edge, cell);
      }
    for (const fact of facts) add(tab, of, fact);
  }
  return said;
}

/** ns, or the number, that a text says, and by how much it can be off; null: no number. */
function amountOf(text) {
  const found = /^([+−-]?)([\d,]+(?:\.(\d+))?) ?(ns|µs|ms|s|KB|%)?$/.exec(text);
  if (!found) return null;
  const [, sign, digits, decimals = '', unit = ''] = found,
    scale = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit] ?? 1;
  return {
    unit,
    value: Number(digits.replaceAll(',', '')) * scale * (sign === '' || sign === '+' ? 1 : -1),
    half: 0.500001 * scale * 10 ** -decimals.length,
  };
}

/** The same heading over the same thing has the same number, and shows it. */
function compareStatements(name, said, differences) {
  const first = new Map();
  for (const { tab, of, title, text, value } of said) {
    const key = `${of}, ${title}`,
      known = first.get(key);
    if (!known) first.set(key, { tab, text, value });
    else if (known.text !== text)
      differences.push(`${name}: ${key}: '${known.text}' in ${known.tab}, '${text}' in ${tab}`);
    const amount = amountOf(text);
    if (amount && /s$/.test(amount.unit) && Math.abs(amount.value - value) > amount.half)
      differences.push(`${name}: ${tab}: ${key} is ${value}, and shows '${text}'`);
    if (/^-?0(\.0+)? m?s$/.test(text))
      differences.push(
        `${name}: ${tab}: ${key} shows '${text}': a time that is too short is < 1 µs`
      );
  }
  return first.size;
}

/* What json says ------------------------------------------------------------------------------ */

/** What json has of functions, by headings. */
function valuesOfFunction(row, json, isCompared, repeated) {
  const now = isCompared ? 'new ' : '',
    of = repeated?.self;
  const sides = repeated
    ? {
        [`${now}self`]: of.new.median,
        ...(of.old && {
          'old self': of.old.median,
          'change of self': of.change.estimate,
          from: of.change.low,
          to: of.change.high,
        }),
      }
    : {
        [`${now}self`]: row.self_ns,
        [`${now}total`]: row.total_ns,
        ...(row.old && {
          'old self': row.old.self_ns,
          'old total': row.old.total_ns,
          'change of self': row.self_ns - row.old.self_ns,
          'change of total': row.total_ns - row.old.total_ns,
        }),
        ...(!row.old && { calls: row.calls }),
      };
  return sides;
}

/** @returns how many numbers were compared */
function compareWithJson(name, said, json, differences) {
  const isCompared = json.comparison !== null;
  const rows = new Map(
    json.functions.map((row, i) => [
      row.label,
      valuesOfFunction(
        row,
        json,
        isCompared,
        json.repeated?.rows.find((one) => one.function === i)
      ),
    ])
  );
  for (const { function: i, tick } of json.repeated?.watch?.threads ?? [])
    rows.set(json.functions[i].label, {
      'old median': tick.old?.median,
      [tick.old ? 'new median' : 'median']: tick.new.median,
      change: tick.change?.estimate,
      from: tick.change?.low,
      to: tick.change?.high,
    });
  let looked = 0;
  for (const { tab, of, title, text, value } of said) {
    const wanted = rows.get(of)?.[title];
    if (wanted === undefined || wanted === null) continue;
    looked++;
    // A repeated report that says a mean says so.
    if (Math.abs(value - wanted) > 1)
      differences.push(`${name}: ${tab}: ${of}, ${title} is ${text} (${value}), json ${wanted}`);
  }
  return looked;
}

/** Files and mods: the rule of --by. */
function compareGroups(name, args, shown, differences) {
  let looked = 0;
  for (const [caption, by] of [
    ['Mods', 'mod'],
    ['Files', 'file'],
  ])
    for (const { tab, tables } of shown)
      for (const { caption: found, rows } of tables) {
        if (found !== caption && found !== `Budget by ${by}`) continue;
        const wanted = new Map(
          readCsv(run('-f', 'csv', `--by=${by}`, ...args)).map((row) => [row[by], row])
        );
        for (const row of rows) {
          const of = wanted.get(row.name);
          looked++;
          if (!of)
            differences.push(`${name}: ${tab}: ${caption} has '${row.name}', --by ${by} not`);
          const self = row.cells.find(({ title }) => title === 'self');
          if (of && self && Math.abs(self.value / 1000 - Number(of.self_us)) > 0.001)
            differences.push(`${name}: ${tab}: ${row.name} has ${self.shown}, csv ${of.self_us}`);
        }
      }
  return looked;
}

/* Sentences ----------------------------------------------------------------------------------- */

/** How many ticks are slow, in all the ways in which sentences say it. */
const slowWays = [
  /\b([\d,]+) of [\d,]+ (?:tick|frame)s? (?:was|were) slow/g,
  /\b([\d,]+) of [\d,]+ (?:tick|frame)s? took (?:over|more than) 100 ms/g,
  /\b([\d,]+) slow ticks?\b/g,
  /slow: over 100 ms ([\d,]+) v\./g,
];

function compareSentences(name, { shown }, json, differences) {
  const program = (text) => text.replace(/(\d) us\b/g, '$1 µs'),
    over = json.ticks?.statistics.over_count;
  let looked = 0;
  for (const { tab, texts } of shown) {
    const all = texts.join('\n');
    for (const way of json.profile.runs === 1 && json.ticks ? slowWays : [])
      for (const [text, count] of all.matchAll(way)) {
        looked++;
        if (Number(count.replaceAll(',', '')) !== over)
          differences.push(`${name}: ${tab}: '${text}', json has ${over}`);
      }
    for (const [text, number, time] of all.matchAll(
      /#(\d+) \([\d:.]+\)(?:,? took|:) ([\d.,]+ m?s)/g
    )) {
      const tick = json.ticks?.ticks?.find((one) => one.tick === Number(number));
      if (!tick || json.profile.runs !== 1) continue;
      looked++;
      const { value, half } = amountOf(time);
      if (Math.abs(value - tick.time_ns) > half)
        differences.push(`${name}: ${tab}: '${text}', json ${tick.time_ns}`);
    }
    if (/\[object |undefined|NaN/.test(all))
      differences.push(`${name}: ${tab}: says ${all.slice(0, 99)}`);
    if (name.startsWith('watched') && /[Nn]ot(hing was)? recorded/.test(all))
      differences.push(`${name}: ${tab}: a watched game is not nothing`);
    const [longest] = /.*\b(median|longest) tick\b(,| long|$).*/m.exec(all) ?? [];
    if (name.startsWith('watched') && longest)
      differences.push(`${name}: ${tab}: '${longest}' is watched or recorded?`);
    const [several] =
      /(?<![\d.,] ?|of )\b1 (calls|functions|threads|ticks|rows)\b.*/.exec(all) ?? [];
    if (several) differences.push(`${name}: ${tab}: says '${several}'`);
    const [time] =
      (name === 'no times' && /^.*\b(ticks? over|longest tick|all of).*$/m.exec(all)) || [];
    if (time) differences.push(`${name}: ${tab}: '${time}' is about times`);
    if (name === 'one tick' && /cannot be chosen/.test(all))
      differences.push(`${name}: ${tab}: there is nothing to choose`);
    if (/can differ a little/.test(all))
      differences.push(
        `${name}: ${tab}: ticks are sums of one count, and it says that they differ`
      );
    if (/\bsupprof(-\w+)?\(\d\)/.test(all))
      differences.push(`${name}: ${tab}: a page has no manual beside it`);
  }
  // What json says of the whole is on the page, in the same words, and once on a tab.
  const sentences = [
    ...(json.findings ?? []).map(({ text }) => text),
    ...(json.judged_findings ?? []).map(({ text }) => text),
    ...(json.notes ?? []),
    ...(json.game_log?.sentences ?? []).filter((text) => !text.startsWith('What fills')),
    ...(json.game_log?.fillers ?? []).map(({ text }) => text),
  ];
  for (const sentence of sentences) {
    const counts = shown.map(
      ({ texts }) => texts.filter((text) => text.includes(program(sentence))).length
    );
    looked++;
    if (Math.max(...counts) === 0) differences.push(`${name}: no tab says '${sentence}'`);
  }
  return looked;
}

/* Headings, and tabs -------------------------------------------------------------------------- */

function checkHeadings(name, { tabs, shown }, differences) {
  for (const { tab, tables, texts, canvases } of shown) {
    for (const { caption, titles } of tables)
      for (const title of titles) {
        if (title === '%')
          differences.push(`${name}: ${tab}: ${caption}: '%' does not say of what`);
        if (['per call', 'longest', 'time'].includes(title) && /^(Functions|Calle)/.test(caption))
          differences.push(`${name}: ${tab}: ${caption}: '${title}' says neither self nor total`);
      }
    const [, most, by] = /^(.+) changed most: ([+−][\d.]+ \S+?)[,;]/m.exec(texts.join('\n')) ?? [],
      changes = tables.find(({ caption }) => caption === 'Functions by change');
    if (most && !(changes?.rows[0].name.startsWith(most) && changes.rows[0].cells[0].shown === by))
      differences.push(`${name}: ${tab}: '${most}' did not change most`);
    const twice = tables.filter(
      ({ caption }, i) => tables.findIndex((table) => table.caption === caption) !== i
    );
    for (const { caption } of twice) differences.push(`${name}: ${tab} has '${caption}' twice`);
    const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
    if (tabs.includes(tab) && !/about|overview/.test(tab) && rows + canvases === 0)
      differences.push(`${name}: ${tab} has nothing`);
    if (tables.some((table) => table.rows.length === 0))
      differences.push(`${name}: ${tab} has an empty table`);
    if (texts.some((text) => /^0 functions /.test(text)))
      differences.push(`${name}: ${tab} says that there are no functions`);
  }
}

/* Size ---------------------------------------------------------------------------------------- */

/** A page without its data, compressed and as a table for readers without scripts, in bytes. */
const mostBytes = 200_000;
function checkSize(name, file) {
  const page = fs.readFileSync(file, 'latin1'),
    bare = page.replace(/(id="data">)[^<]+/, '$1').replace(/<tbody>[^]*?<\/tbody>/, '');
  expect(
    bare.length < mostBytes && bare.length < page.length,
    `${name}: a page without data has ${bare.length} bytes of ${mostBytes}`
  );
}

/* All of it ----------------------------------------------------------------------------------- */

const known = new Map();
function jsonOf(name) {
  if (!known.has(name)) known.set(name, JSON.parse(run('-f', 'json', ...reports[name])));
  return known.get(name);
}

/** What differs in a report; `looked` is how much was compared. */
async function differencesOf(browser, name, file) {
  const args = reports[name],
    differences = [],
    json = jsonOf(name),
    walked = await walk(browser, file),
    said = statementsOf(walked, json.repeated !== null);
  const looked =
    compareStatements(name, said, differences) +
    compareWithJson(name, said, json, differences) +
    compareSentences(name, walked, json, differences) +
    (json.repeated || json.comparison ? 0 : compareGroups(name, args, walked.shown, differences));
  checkHeadings(name, walked, differences);
  return { differences, looked };
}

/** Differences that a page must not have, and the report that gets it. */
const planted = [
  [
    'recording',
    'a count of slow ticks',
    /formatThings\(all, *'slow tick'\)/,
    "formatThings(all+1,'slow tick')",
  ],
  [
    'recording',
    'another rule for mods',
    /groups *= *ownersOf\(view\.tree, *functions\.kind\)/,
    'groups=Array.from(view.tree.func)',
  ],
  [
    'repeated and compared',
    'a mean for a median',
    /oldMedian: *of\('old_'\)/,
    "oldMedian: name!=='self'?of('old_'):1+Math.round(cell('old_values').reduce((a,b)=>a+b,0)/5)",
  ],
  ['recording', 'a share without its whole', /title: *`% of \$\{[^`]*`/, "title: '%'"],
  [
    'compared',
    'a time of another call stack',
    /total: *sums\.total\[i\]/,
    'total: sums.total[i]+sums.columns.calls[i]',
  ],
];

await withBrowser(kind, executable, async (browser) => {
  const fileOf = (name) => path.join(work, `${name.replaceAll(' ', '-')}.html`);
  // Side by side: a browser waits half of the time.
  const checkReport = ([name, args]) =>
    step(name, async () => {
      run('-o', fileOf(name), ...args);
      checkSize(name, fileOf(name));
      const { differences, looked } = await differencesOf(browser, name, fileOf(name));
      for (const what of differences.slice(0, 12)) fail(what);
      expect(differences.length <= 12, `${name}: and ${differences.length - 12} more`);
      expect(looked > 0, `${name}: nothing was compared`);
    });
  const checkPlanted = ([name, what, from, to], i) =>
    step(`planted: ${what}`, async () => {
      const file = path.join(work, `planted-${i}.html`),
        text = fs.readFileSync(fileOf(name), 'utf8');
      expect(from.test(text), `${what} cannot be planted`);
      fs.writeFileSync(file, text.replace(from, to));
      const { differences } = await differencesOf(browser, name, file);
      expect(differences.length > 0, `${what} is not seen`);
      if (process.env.TIMES) console.log(`  ${differences.length}: ${differences[0]}`);
    });
  await Promise.all(Object.entries(reports).map(checkReport));
  await Promise.all(planted.map(checkPlanted));
});
console.log(`${kind}: all tabs of ${Object.keys(reports).length} reports, ${failedCount} failed`);
process.exitCode = failedCount > 0 ? 1 : 0;
