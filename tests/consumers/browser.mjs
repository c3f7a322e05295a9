// What the tests that need a browser share: a headless one, through puppeteer-core, and for those
// of consumers Chromium with the files of some directories on localhost. CONSUMERS_NPM is where the
// packages are, CHROMIUM the browser.
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

export const packages = path.join(process.env.CONSUMERS_NPM, 'node_modules');
const require = createRequire(path.join(packages, '..', 'any.js'));

// Long: a deadline is for what never comes.
const patienceMs = Number(process.env.PATIENCE ?? 120000);

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

// Serves directories by their names: {0: 'out'} makes /0/a.svg of out/a.svg.
function serve(directories) {
  const server = http.createServer((request, response) => {
    const [, directory, ...rest] = new URL(request.url, 'http://localhost').pathname.split('/');
    const file = path.join(
      directories[directory] ?? '/nothing',
      decodeURIComponent(rest.join('/'))
    );
    fs.readFile(file, (error, bytes) => {
      response.writeHead(error ? 404 : 200, {
        'content-type': types[path.extname(file)] ?? 'application/octet-stream',
      });
      response.end(bytes);
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const quietArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Starts a browser (chrome or firefox) with a profile of its own, calls use(browser), and takes all
// of it down again, whatever happens.
export async function launch(browserName, executablePath, use, moreArguments = []) {
  const userDataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'browser-'));
  let browser;
  try {
    browser = await require('puppeteer-core').launch({
      browser: browserName,
      executablePath,
      userDataDir,
      headless: true,
      timeout: patienceMs,
      protocolTimeout: 3 * patienceMs,
      args: browserName === 'firefox' ? [] : [...quietArguments, ...moreArguments],
    });
    return await use(browser);
  } finally {
    await browser?.close();
    fs.rmSync(userDataDir, { recursive: true, force: true });
  }
}

export async function newPageOf(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}

// Calls use(newPage, address) with Chromium and the directories on localhost.
export async function withBrowser(directories, use) {
  const server = await serve(directories);
  // speedscope wants WebGL: without a graphics card, by software.
  const webGl = [
    '--disable-quic',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ];
  try {
    return await launch(
      'chrome',
      process.env.CHROMIUM ?? '/usr/bin/chromium',
      (browser) => use(() => newPageOf(browser), `http://127.0.0.1:${server.address().port}`),
      webGl
    );
  } finally {
    server.close();
  }
}
