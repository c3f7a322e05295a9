// use_copies.mjs - what leaves a report: copies, links, saved files and cards.
import path from 'node:path';
import { becomes, expect, show, until } from './checks.mjs';
import { chip, openReport, plainCell, readCsv } from './reports.mjs';
import { catchCopies, choose, fixtures, run, said, textOf, work } from './use_report.mjs';

// A copy has all rows, in the order that is shown, and says what it holds; a summary has the
// choice, and names the log once; a link leads to the view in another copy of the report.
export async function checkCopy(page, log) {
  const name = path.basename(log);
  await catchCopies(page);
  const copy = async (what) => {
    await page.evaluate(() => {
      window.copied = undefined;
    });
    await choose(page, `Copy ${what}`);
    await until(page, () => window.copied !== undefined, `${what} is not copied`);
    return page.evaluate(() => window.copied);
  };
  await show(page, '#/functions?sort=calls');
  const shown = await page.$$eval('#page tbody tr', (all) =>
    all.map((row) =>
      [row.querySelector('.name').title, row.querySelector('[data-key=self]').dataset.value].join()
    )
  );
  const rows = readCsv(`${await copy('Functions as CSV')}\n`);
  const all = await page.$eval('#page .quiet', ({ textContent }) => parseInt(textContent, 10));
  expect(
    rows.length === all &&
      rows
        .slice(0, shown.length)
        .map((row) => [plainCell(row.function), Math.round(Number(row.self_us) * 1000)].join())
        .join('\n') === shown.join('\n'),
    `a copy as CSV has ${rows.length} of ${all} rows, or others`
  );
  expect(
    (await textOf(page, '#export')) === `Copied Functions, ${all} rows`,
    `a copy is called ${await textOf(page, '#export')}`
  );
  const markdown = (await copy('Functions as Markdown')).split('\n');
  expect(
    markdown.length === all + 4 &&
      markdown[0] === `\`Functions\`, \`${name}\`` &&
      /^\| function \| self \| % of all \| total \|/.test(markdown[2]),
    `a copy as Markdown begins with ${markdown.slice(0, 3).join('\n')}`
  );
  await show(page, `#/functions?${chip('hide', 'pattern', 'e')}`);
  const summary = await copy('a summary'),
    link = await copy('the link');
  await show(page, '#/overview');
  const ofAll = await copy('a summary');
  expect(ofAll.includes('BuildThreatMap itself is 92% of'), `a summary is ${ofAll}`);
  expect(
    summary.startsWith(`\`\`\`\n${name}: `) &&
      summary.split(name).length === 2 &&
      summary.includes('--hide=e') &&
      summary.split('\n').length >= 9,
    `a summary is ${summary}`
  );
  expect(link.startsWith(`${name}#/functions?chip=hide`), `a link is ${link}`);
  await page.focus('#search');
  await page.$eval(
    '#search',
    (field, text) => {
      field.value = text;
      field.dispatchEvent(new Event('input'));
    },
    link
  );
  await page.keyboard.press('Enter');
  await becomes(page, /^#\/functions\?chip=hide/, 'the search does not take a link');
}

// The stacks of a view are saved as a file: together they have the time of the view.
export async function checkSave(page, log) {
  await page.evaluate(() => {
    URL.createObjectURL = (blob) => {
      window.savedForTest = blob;
      return '#/flame';
    };
  });
  await show(page, `#/flame?${chip('only', 'pattern', '^BuildThreatMap')}&ticks=38-60`);
  await choose(page, 'Save the call stacks as folded');
  const lines = (await page.evaluate(() => window.savedForTest.text())).trim().split('\n');
  const sum = lines.reduce((all, line) => all + Number(/ (\d+)$/.exec(line)[1]), 0),
    wanted = readCsv(
      run('-f', 'csv', '--focus=^BuildThreatMap', '--from=#38', '--to=#61', log)
    ).reduce((all, row) => all + Math.round(Number(row.self_us) * 1000), 0);
  const left = () => page.$eval('#left', ({ dataset }) => Number(dataset.value));
  await show(page, '#/functions');
  const all = await left();
  await show(page, `#/functions?${chip('without', 'pattern', '^BuildThreatMap')}`);
  const less = await textOf(page, '.chip .amount');
  expect(
    less === `−${((all - (await left())) / 1e6).toFixed(1)} ms`,
    `without it there is ${less} less`
  );
  expect(
    lines.length > 1 &&
      lines.every((line) =>
        line.startsWith('ThreatMapThread tests/spikes.lua:87;BuildThreatMap ')
      ) &&
      sum === wanted,
    `stacks of ${sum} ns are saved, not ${wanted}: ${lines.slice(0, 3).join(', ')}`
  );
}

/** Cards: the logs, old ones first, and the ticks; without, the slowest. */
const cards = [
  [['recorded-spikes']],
  [['recorded-midgame']],
  [['recorded-coroutines']],
  [['game/zoo']],
  [['recorded-coroutines', 'recorded-spikes'], ['38']],
  [
    ['recorded-spikes', 'recorded-spikes'],
    ['38', '112'],
  ],
  // Tick 41 is one of the slowest of the old log alone.
  [['recorded-midgame', 'recorded-spikes'], ['41']],
];

// A card of a tick is the program's, to the byte, and one of pixels is a picture. Of a comparison,
// both sides are there, also if the calls of one are not known in the order of time.
export async function checkCard(browser) {
  for (const [names, asked] of cards) {
    const name = names.join(' to '),
      logs = names.map((one) => path.join(fixtures, `${one}.log.gz`)),
      options = logs.length > 1 ? ['--diff', logs[0]] : [],
      log = logs.at(-1),
      { page } = await openReport(browser, run, log, work, said, ...options);
    await page.evaluate(() => {
      URL.createObjectURL = (blob) => {
        window.savedForTest = blob;
        return window.location.hash;
      };
    });
    await show(page, '#/ticks');
    const links = asked
      ? asked.map((tick) => `#/ticks?tick=${tick}`)
      : await page.$$eval('#page tbody a.name', (all) => all.slice(0, 3).map(({ hash }) => hash));
    for (const link of links) {
      await show(page, link);
      const save = async (kind) => {
        await page.evaluate(() => {
          window.savedForTest = null;
        });
        await page.$$eval(
          '#page .plain',
          (buttons, text) => buttons.find(({ textContent }) => textContent === text)?.click(),
          kind
        );
        await until(
          page,
          () => window.savedForTest !== null,
          `${name}: ${link} has no card as ${kind}`
        );
      };
      await save('svg');
      const card = await page.evaluate(() => window.savedForTest.text()),
        [, tick] = /tick=(\d+)/.exec(link),
        wanted = run('-f', 'card', '--tick', tick, ...options, log);
      // Of a side without its order the texts are those of the program, but for what they are of.
      const isJoined = card.includes('now, calls of one call stack joined'),
        partsOf = (text) =>
          isJoined
            ? text.replace(/now, .*|<g[^]*?<\/g>/g, '').match(/(?<=>)[^<>\n]+(?=<)/g)
            : text.split('\n');
      expect(
        isJoined === Boolean(asked?.includes('41')),
        `${name} #${tick}: joined calls: ${isJoined}`
      );
      const parts = partsOf(card),
        wantedParts = partsOf(wanted),
        at = parts.findIndex((part, i) => part !== wantedParts[i]);
      expect(
        at < 0 && parts.length === wantedParts.length,
        `${name} #${tick}: ${parts[at]} is not ${wantedParts[at]}`
      );
      await save('png');
      expect(
        await page.evaluate(
          async () =>
            window.savedForTest.size > 5000 &&
            (await window.savedForTest.slice(1, 4).text()) === 'PNG'
        ),
        `${name} #${tick} is no picture`
      );
    }
    await page.close();
  }
}
