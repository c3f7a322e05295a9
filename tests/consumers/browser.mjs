// What the readers that need a browser share: headless Chromium, through puppeteer-core,
// with the files of some directories on localhost. CONSUMERS_NPM is where the packages
// are, CHROMIUM the browser.
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

export const packages = path.join(process.env.CONSUMERS_NPM, 'node_modules');
const require = createRequire(path.join(packages, '..', 'any.js'));

// Long: a deadline is for what never comes.
const patienceMs = 120000;

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
  '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

// Serves directories by their names: {0: 'out'} makes /0/a.svg of out/a.svg.
function serve(directories) {
  const server = http.createServer((request, response) => {
    const [, directory, ...rest] = new URL(request.url, 'http://localhost').pathname.split('/');
    const file = path.join(directories[directory] ?? '/nothing', decodeURIComponent(rest.join('/')));
    fs.readFile(file, (error, bytes) => {
      response.writeHead(error ? 404 : 200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
      response.end(bytes);
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

// Calls use(newPage, address) and takes everything down again, whatever happens.
export async function withBrowser(directories, use) {
  const puppeteer = require('puppeteer-core');
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'consumers-browser-'));
  const server = await serve(directories);
  let browser;
  try {
    browser = await puppeteer.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      userDataDir: profile,
      timeout: patienceMs,
      protocolTimeout: 3 * patienceMs,
      args: ['--headless', '--no-sandbox', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync',
        // speedscope wants WebGL: without a graphics card, by software.
        '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
    const newPage = async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(patienceMs);
      return page;
    };
    return await use(newPage, `http://127.0.0.1:${server.address().port}`);
  } finally {
    await browser?.close();
    server.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}
