// drop_connections.mjs - nothing is loaded by supprof.html, and what tries to connect is stopped.
import fs from 'node:fs';
import http from 'node:http';
import { expect } from './checks.mjs';
import {
  address,
  choose,
  compareSaved,
  fixture,
  formats,
  openPage,
  pageFile,
  waitForReport,
} from './drop_saved.mjs';

export async function checkConnections(browser) {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(request.url === '/supprof.html' ? fs.readFileSync(pageFile) : 'got it');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = `http://127.0.0.1:${server.address().port}`;
  for (const url of [address, `${root}/supprof.html`]) {
    let isTrying = false; // the browser says that it stops what is tried
    const page = await openPage(browser, { url, isQuiet: () => isTrying });
    await choose(page, fixture('recursion.log'));
    expect((await waitForReport(page, 'recursion.log')) === '', `${url}: the log is not read`);
    await compareSaved(page, formats[0], ['recursion.log'], url);
    isTrying = true;
    const tried = await page.evaluate(async (to) => {
      const results = [];
      const run = async (name, attempt) =>
        results.push(
          `${name} ${await Promise.race([
            attempt().then(
              () => 'went through',
              () => 'stopped'
            ),
            new Promise((resolve) => setTimeout(() => resolve('stopped'), 1000)),
          ])}`
        );
      await run('fetch', () => fetch(`${to}/fetch`));
      await run(
        'image',
        () =>
          new Promise((resolve, reject) =>
            Object.assign(new Image(), { onload: resolve, onerror: reject, src: `${to}/image` })
          )
      );
      await run(
        'script',
        () =>
          new Promise((resolve, reject) =>
            document.head.append(
              Object.assign(document.createElement('script'), {
                onload: resolve,
                onerror: reject,
                src: `${to}/script`,
              })
            )
          )
      );
      await run(
        'frame',
        () =>
          new Promise((resolve, reject) =>
            document.body.append(
              Object.assign(document.createElement('iframe'), {
                onerror: reject,
                src: `${to}/frame`,
              })
            )
          )
      );
      await run(
        'socket',
        () =>
          new Promise((resolve, reject) => {
            Object.assign(new WebSocket(to.replace('http', 'ws')), {
              onopen: resolve,
              onerror: reject,
            });
          })
      );
      await run(
        'inline script',
        () =>
          new Promise((resolve) => {
            window.ranForTest = resolve;
            document.head.append(
              Object.assign(document.createElement('script'), {
                textContent: 'window.ranForTest()',
              })
            );
          })
      );
      const source =
        `onmessage = async () => postMessage(await fetch('${to}/worker')` +
        ".then(() => 'went through', () => 'stopped'))";
      const worker = new Worker(
        URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
      );
      worker.postMessage(0);
      results.push(
        `worker ${await new Promise((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
        })}`
      );
      navigator.sendBeacon?.(`${to}/beacon`);
      return results;
    }, root);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(
      tried.length === 7 && tried.every((result) => result.endsWith('stopped')),
      `${url}: ${tried.join(', ')}`
    );
    await page.close();
  }
  const others = asked.filter((url) => !['/supprof.html', '/favicon.ico'].includes(url));
  expect(others.length === 0, `the server was asked for ${others.join(', ')}`);
  expect(asked.includes('/supprof.html'), 'the page was not served');
  server.close();
}
