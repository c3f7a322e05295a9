// format.mjs DIRECTORY [--write] FILE...
//
// Names the JavaScript and Lua files that are not formatted; with --write formats them, by prettier
// and StyLua. The packages of packages.txt are in DIRECTORY/node_modules.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [directory, ...words] = process.argv.slice(2);
const load = createRequire(path.resolve(directory, 'package.json'));
const isWriting = words[0] === '--write';
const files = isWriting ? words.slice(1) : words;

function formatScript(text, file) {
  // Every browser must be able to read page_support.js: no commas behind arguments.
  const options = { filepath: file, printWidth: 100, singleQuote: true, trailingComma: 'es5' };
  return load('prettier').format(text, options);
}

function formatLua(text, isRecorder = false) {
  // The recorder is in a function that closes the chunk that the game appends it to. What is in it
  // is formatted as a file, so that it need not be indented, and what is short stays on its line.
  const [, head, body, tail] =
    /^([^]*?\ndo local function install\(\)\n)([^]*)(\nend install\(\) end\n)$/.exec(text) ?? [];
  if (body !== undefined) return `${head}\n${formatLua(body, true)}${tail}`;
  const stylua = load('@johnnymorganz/stylua'),
    config = stylua.Config.new();
  config.syntax = stylua.LuaVersion.Lua51;
  config.column_width = 100;
  config.indent_type = stylua.IndentType.Spaces;
  config.quote_style = stylua.QuoteStyle.AutoPreferSingle;
  config.call_parentheses = stylua.CallParenType.Input;
  if (isRecorder) config.collapse_simple_statement = stylua.CollapseSimpleStatement.Always;
  return stylua.formatCode(text, config, undefined, stylua.OutputVerification.Full);
}

const format = async (text, file) =>
  file.endsWith('.lua') ? formatLua(text) : await formatScript(text, file);

for (const file of files) {
  const text = fs.readFileSync(file, 'utf8');
  try {
    const formatted = await format(text, file);
    if (formatted === text) continue;
    if (!isWriting) throw new Error('is not formatted');
    // What a tool has joined or broken, it may write in another way the next time.
    let settled = formatted;
    for (let pass = 0; pass < 4; pass++) settled = await format(settled, file);
    fs.writeFileSync(file, settled);
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exitCode = 1;
  }
}
