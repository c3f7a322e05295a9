// mcp.mjs SUPPROF FIXTURES
//
// The client of the Model Context Protocol's own SDK lists and calls every tool of `supprof --mcp`
// on every fixture, by the newest revision and by the one before it. An answer has the lines that
// the command line prints, at most 200 of them and 24,000 bytes, with hints that name tools; what
// is wrong there is an error here, with the same sentence, and the program goes on.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(path.join(process.env.CONSUMERS_NPM, 'x.js'));
const load = (name) => import(require.resolve(name).replace(/\.cjs$/, '.mjs'));
const { Client } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
const [supprof, fixtures] = process.argv.slice(2);
const LINES_MAX = 200,
  BYTES_MAX = 24000;
let checked = 0,
  failed = 0;
function check(isGood, what) {
  checked++;
  if (isGood) return;
  failed++;
  console.log(`FAILED: ${String(what).slice(0, 500)}`);
}

// What each tool is on the command line, in the words of the manual.
const tools = {
  summary: [{}, []],
  ticks: [{}, ['--ticks']],
  tick: [{ tick: 40 }, ['--tick=40']],
  function: [{ peek: 'a' }, ['--peek=a']],
  tree: [{ tree: 'a', inverted: true }, ['--tree=a', '--inverted']],
  compare: [
    { diff: path.join(fixtures, 'recursion.log') },
    [`--diff=${path.join(fixtures, 'recursion.log')}`],
  ],
  source: [
    { list: 'a', 'lua-root': path.join(fixtures, 'sources') },
    ['--list=a', `--lua-root=${path.join(fixtures, 'sources')}`],
  ],
  threads: [{}, ['--threads']],
  'what-if': [{ 'what-if': 'a*0' }, ['--what-if=a*0', '--ticks']],
  repeated: [{ logs: [] }, ['--repeated']],
  errors: [{}, ['--verbose']],
};

/** All arguments that there are. @type {Set<string>} */
const named = new Set();

async function connect(mode) {
  const client = new Client(
    { name: 'supprof-tests', version: '1' },
    { versionNegotiation: { mode } }
  );
  client.onerror = (error) => check(false, `the client says ${error}`);
  await client.connect(
    new StdioClientTransport({ command: supprof, args: ['--mcp'], env: { ...process.env } })
  );
  const { tools: listed } = await client.listTools();
  check(
    listed.map(({ name }) => name).join() === Object.keys(tools).join(),
    `tools ${JSON.stringify(listed)}`
  );
  for (const { name, description, inputSchema } of listed) {
    check(description && inputSchema.additionalProperties === false, `${name} is not documented`);
    for (const [argument, { description: text }] of Object.entries(inputSchema.properties)) {
      check(text, `${name}: ${argument} is not documented`);
      named.add(argument);
    }
    check(
      [name === 'repeated' ? 'old-logs' : 'log', ...Object.keys(tools[name][0])].every(
        (argument) => argument in inputSchema.properties
      ),
      `${name} lacks arguments`
    );
  }
  return client;
}

/** What the command line prints. @param {string[]} words */
const print = (words) =>
  new Promise((resolve, reject) => {
    const child = execFile(supprof, words, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ status: error ? error.code : 0, stdout, stderr });
    });
    child.stdin.end();
  });

/** @param {string} text hints at the ends of lines name an option; an assistant gets tools */
const withHints = (text) =>
  text.replace(/(?<=  )(?:add|use) --([a-z-]+)(?=[^\n]*$)/gm, (hint, option) => {
    const owner = Object.keys(tools).find(
      (name) => option in tools[name][0] && option !== 'lua-root' && option !== 'inverted'
    );
    if (!owner && !named.has(option) && option in tools) return `call ${option}`;
    return owner ? `call ${owner} with ${option}` : named.has(option) ? `add ${option}` : hint;
  });

const isCut = (/** @type {string} */ line) => /^\(\d+ of \d+ lines are left out; /.test(line);

async function compare(client, log, name) {
  const [more, words] = tools[name];
  const several = [log, path.join(fixtures, 'two-runs.log')];
  const isRepeated = name === 'repeated';
  /* The SDK compares structuredContent with the tool's schema. */
  const [{ status, stdout, stderr }, { content, isError, structuredContent }] = await Promise.all([
    print([...words, '--', ...(isRepeated ? several : [log])]),
    client.callTool({ name, arguments: isRepeated ? { logs: several } : { log, ...more } }),
  ]);
  check(isError === !structuredContent, `${log}, ${name}: ${JSON.stringify(structuredContent)}`);
  const lines = content[0].text.split('\n'),
    wanted = withHints(stdout).split('\n').slice(0, -1);
  const cut = lines.some(isCut) ? 1 : 0,
    shown = cut ? wanted.slice(0, lines.findIndex(isCut)) : wanted;
  check(
    shown.length <= LINES_MAX && shown.join('\n').length <= BYTES_MAX,
    `${log}, ${name}: too long`
  );
  check(
    cut === 0 ||
      shown.length === LINES_MAX ||
      wanted.slice(0, shown.length + 1).join('\n').length >= BYTES_MAX,
    `${log}, ${name}: cut too early`
  );
  check(
    isError === (status !== 0),
    `${log}, ${name}: ${isError ? 'an error' : 'no error'}, and exit status ${status}`
  );
  check(
    lines.slice(0, shown.length).join('\n') === shown.join('\n'),
    `${log}, ${name}: other lines than the command line has: ${content[0].text}`
  );
  check(
    lines.slice(shown.length + cut).join('\n') === withHints(stderr),
    `${log}, ${name}: other messages: ${lines.slice(shown.length + cut)}, not ${stderr}`
  );
}

// A server does not open an empty file: tests/cli/mcp.py.
const logs = fs
  .readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.log(\.gz)?$/.test(name) && name !== 'empty.log')
  .sort();
check(logs.length > 100, `only ${logs.length} logs`);
const clients = [await connect('legacy'), await connect({ pin: '2026-07-28' })];
check(
  clients.map((client) => client.getNegotiatedProtocolVersion()).join() === '2025-11-25,2026-07-28',
  'other revisions were agreed on'
);
await Promise.all(
  clients.map(async (client, k) => {
    for (const log of logs.filter((_, i) => i % clients.length === k))
      for (const name of Object.keys(tools)) await compare(client, path.join(fixtures, log), name);
  })
);

// Wrong calls are errors with a message, and the client can go on.
const log = path.join(fixtures, 'recursion.log');
for (const client of clients) {
  for (const [name, more, sentence] of [
    ['summary', { log: path.join(fixtures, 'nowhere.log') }, 'cannot open'],
    ['function', { log }, 'the tool function needs the argument peek'],
    ['summary', { log, output: 'x.html' }, "the tool summary has no argument 'output'"],
    ['summary', { log: 7 }, 'the argument log must be of the type "string"'],
    ['function', { log, peek: '(' }, 'missing closing parenthesis'],
    ['function', { log, peek: 'no such function' }, 'matches no function'],
    ['tick', { log, tick: 1 }, 'recording'],
  ]) {
    const { content, isError } = await client.callTool({ name, arguments: more });
    check(isError && content[0].text.includes(sentence), `${name}: ${content[0].text}`);
  }
  const refused = await client.callTool({ name: 'nothing', arguments: {} }).then(
    () => null,
    (error) => error
  );
  check(refused?.code === -32602, `a tool that there is not: ${refused}`);
  const { isError } = await client.callTool({ name: 'summary', arguments: { log } });
  check(!isError, 'the program does not go on');
  await client.close();
}
console.log(`${checked} checks of the Model Context Protocol, ${failed} failed`);
process.exit(failed > 0 || checked < 1000 ? 1 : 0);
