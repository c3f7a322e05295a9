// use_ticks.mjs - figures of ticks: slow ones beside others, late ones beside early ones, chosen
// ones, and the calls of one in their order.
import path from 'node:path';
import { becomes, expect, show, until } from './checks.mjs';
import { functionAddresses, openReport, readCsv } from './reports.mjs';
import { fixtures, run, said, work } from './use_report.mjs';

// Slow ticks beside the others, against --ticks-over --diff-rest; the chart's colours against --by;
// a function over time.
export async function checkSlow(page, log) {
  const over = 4,
    ns = (us) => Math.round(Number(us) * 1000);
  await show(page, `#/functions?slow=${over}`);
  const [count, others] = await page.$eval('.chip.slow .amount', (element) =>
    element.textContent.match(/\d+/g).map(Number)
  );
  const ticks = readCsv(run('-f', 'ticks-csv', log)).map((row) =>
    Number(row.us ?? row.time_us ?? row.self_us)
  );
  expect(
    count + others === ticks.length && count > 0 && others > 0,
    `${count} and ${others} ticks are not ${ticks.length}`
  );
  const slow = new Map(
    readCsv(run('-f', 'csv', `--ticks-over=${over}`, log)).map((row) => [
      row.function,
      ns(row.self_us),
    ])
  );
  const all = new Map(
    readCsv(run('-f', 'csv', '--from=#0', log)).map((row) => [row.function, ns(row.self_us)])
  );
  const rows = await page.$$eval('#page tbody tr', (list) =>
    list.map((row) => [
      row.querySelector('.name').textContent,
      Number(row.querySelector('[data-key=slow]').dataset.value),
      Number(row.querySelector('[data-key=other]').dataset.value),
    ])
  );
  let looked = 0;
  for (const [name, now, other] of rows) {
    // Functions without a name are not told apart by it.
    if (name === '?') continue;
    const wanted = slow.get(name) ?? 0;
    looked++;
    expect(
      Math.abs(now - wanted / count) <= 1,
      `${name}: ${now} ns a slow tick, not ${wanted / count}`
    );
    // Each part of the whole is rounded once for each node.
    if (all.has(name))
      expect(
        Math.abs(other - (all.get(name) - wanted) / others) <= 20,
        `${name}: ${other} ns another tick, not ${(all.get(name) - wanted) / others}`
      );
  }
  expect(looked > 10, 'slow ticks have too few rows');
  const [opened] = await functionAddresses(page);
  for (const name of ['overview', 'files', opened.slice(2)]) {
    await show(page, `#/${name}?slow=${over}`);
    expect((await page.$('[data-key=slow]')) !== null, `${name} does not compare slow ticks`);
    expect(
      name === opened.slice(2) || (await page.$('[aria-label="Ticks of the tables"]')) !== null,
      `${name} has no way back to all ticks`
    );
  }
  for (const by of ['file', 'mod']) {
    await show(page, `#/overview?by=${by}`);
    const wanted = readCsv(run('-f', 'csv', `--by=${by}`, log))
      .map((row) => ns(row.self_us))
      .filter((time) => time > 0)
      .sort((a, b) => b - a)
      .slice(0, 8);
    const legend = await page.$$eval('.legend [data-value]', (parts) =>
      parts.slice(0, 8).map(({ dataset }) => Number(dataset.value))
    );
    expect(
      wanted.slice(0, 3).every((time, i) => time === legend[i]),
      `by ${by} the chart has ${legend}, not ${wanted}`
    );
  }
  await show(page, '#/functions?sort=total');
  const link = await page.$eval('#page tbody .name', (name) => name.getAttribute('href'));
  await show(page, link);
  const [tick, most, href] = await page.$$eval('h2 a[data-value]', ([one]) => [
    Number(one.textContent.slice(1)),
    Number(one.dataset.value),
    one.getAttribute('href'),
  ]);
  expect(href.endsWith(`/ticks?tick=${tick}`), `#${tick} opens ${href}`);
  await show(page, `${link.replace(/\?.*/, '')}?ticks=${tick}-${tick}`);
  const total = Number(
    await page.$eval('.facts [data-key=total]', (element) => element.dataset.value)
  );
  expect(Math.abs(total - most) < 100, `in tick ${tick} it has ${total} ns, over time ${most}`);
}

// Late ticks against early ones: what --from and --to say of both, and ranges that are dragged.
export async function checkGrowth(page, log) {
  await show(page, '#/overview');
  await page.$$eval('.switch a', (links) =>
    links.find(({ textContent }) => textContent === 'late v. early').click()
  );
  await becomes(
    page,
    /growth=20-60(,|%2C)180-220/,
    'not the first and the last fifth are compared'
  );
  const late = [60, 120],
    early = [20, 59];
  await show(page, `#/functions?growth=${early.join('-')},${late.join('-')}`);
  const sums = ([from, to]) =>
    new Map(
      readCsv(run('-f', 'csv', `--from=#${from}`, `--to=#${to + 1}`, log)).map((row) => [
        row.function,
        {
          self: (Number(row.self_us) * 1000) / (to - from + 1),
          calls: Number(row.calls) / (to - from + 1),
        },
      ])
    );
  const [now, before] = [late, early].map(sums),
    rows = await page.$$eval('#page tbody tr', (list) =>
      list.map((row) => [
        row.querySelector('.name').textContent,
        ...['slow', 'other', 'changeEach', 'callsEach'].map((key) =>
          Number(row.querySelector(`[data-key=${key}]`).dataset.value)
        ),
      ])
    );
  let looked = 0,
    last = Infinity;
  for (const [name, after, other, change, calls] of rows) {
    expect(
      change === after - other && change <= last,
      `${name} grows by ${change} from ${other} to ${after}`
    );
    last = change;
    if (name === '?') continue;
    looked++;
    expect(
      Math.abs(after - (now.get(name)?.self ?? 0)) <= 1 &&
        Math.abs(other - (before.get(name)?.self ?? 0)) <= 1 &&
        Math.abs(calls - (now.get(name)?.calls ?? 0)) < 1e-6,
      `${name}: late ${after}, early ${other}, ${calls} calls a tick`
    );
  }
  expect(looked > 10, 'late and early ticks have too few rows');
  await show(page, '#/overview?growth=20-59,180-220');
  const box = await (await page.$('.strip')).boundingBox();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 20);
  await page.mouse.up();
  await becomes(page, /growth=20-59(,|%2C)1[56]\d-1[78]\d$/, 'a drag chooses no late ticks');
}

// A play head over a tick says which lines run, moves by itself, and is in the address.
export async function checkPlay(browser) {
  const log = path.join(fixtures, 'recorded-spikes.log.gz'),
    sources = `--lua-root=${path.join(fixtures, 'sources')}`,
    { page } = await openReport(browser, run, log, work, said, sources);
  await show(page, '#/flame?ticks=38-38&order=time&at=500');
  const running = () =>
    page.$$eval('.running li', (rows) =>
      rows.map((row) => [
        row.querySelector('.name').textContent,
        row.querySelector(':scope > .place').textContent,
        row.querySelector('code').textContent,
        row.className,
      ])
    );
  expect(
    JSON.stringify(await running()) ===
      JSON.stringify([
        ['ThreatMapThread', 'line 90', 'BuildThreatMap()', ''],
        ['BuildThreatMap', 'after line 79', 'GetThreatAtPosition(units[i])', 'now'],
      ]),
    `in the middle of tick 38 runs ${JSON.stringify(await running())}`
  );
  const [left, button] = [
    () => page.$eval('.head', (head) => Number.parseFloat(head.style.left)),
    '.player button',
  ];
  expect(Math.abs((await left()) - 50) < 1, `the head is at ${await left()} %`);
  await page.click(button);
  await until(
    page,
    () => Number.parseFloat(document.querySelector('.head').style.left) > 51,
    'the head does not move'
  );
  await page.click(button);
  await becomes(page, /[?&]at=5\d\d/, 'where the head is is not in the address');
  await page.close();
}

// Ticks that were chosen by chance are at their times, with gaps; labels of the axis are whole.
export async function checkGaps(browser) {
  const log = path.join(fixtures, 'sampled-slow.log.gz'),
    { page } = await openReport(browser, run, log, work, said);
  const seen = await page.$eval('.strip', (strip) => {
    const { data } = strip.getContext('2d').getImageData(0, 0, strip.width, strip.height);
    const hasInk = (x, from, to) => {
      for (let y = from; y < to; y++) if (data[4 * (y * strip.width + x) + 3] > 60) return true;
      return false;
    };
    const columns = [...Array(strip.width).keys()];
    return {
      cut: columns.slice(0, 2).some((x) => hasInk(x, 0, strip.height)),
      // Above the axis, below its next line.
      bars: columns.slice(60).filter((x) => hasInk(x, 72, 88)).length,
      all: strip.width - 60,
    };
  });
  expect(
    !seen.cut && seen.bars > 29 && seen.bars < 0.2 * seen.all,
    `29 ticks of 38 s, and the labels beside them: ${JSON.stringify(seen)}`
  );
  await page.close();
}
