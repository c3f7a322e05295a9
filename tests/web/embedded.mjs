// embedded.mjs SOURCES REPORT PICTURE [PAGE]
//
// Scripts are embedded without types, comments and most blanks (src/report/pages/join.cmake), by
// rules that know no grammar. Here TypeScript reads those of an HTML report, a picture and
// supprof.html, and their modules, which must say the same. WEB_NPM is where TypeScript is.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ts = createRequire(path.join(process.env.WEB_NPM, 'package.json'))('typescript');
const [sources, report, picture, page] = process.argv.slice(2);
const read = (...names) => fs.readFileSync(path.join(...names), 'utf8');
let compared = 0;

/** The statements of a script, without imports; those of a function that is called at once. */
function statementsOf(text) {
  const file = ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  for (const { messageText, start } of file.parseDiagnostics) {
    console.log(`FAILED: ${JSON.stringify(messageText)} at ${text.slice(start - 40, start + 40)}`);
    process.exitCode = 1;
  }
  const [called] = text.startsWith('(function') ? file.statements : [];
  return called
    ? called.expression.expression.expression.body.statements.slice(1)
    : file.statements.filter((statement) => !ts.isImportDeclaration(statement));
}

/** What declarations are in: those that follow each other become one, of let. */
const { VariableStatement, VariableDeclarationList } = ts.SyntaxKind;

/** The kinds of all that a script says, and its words. */
function saidBy(text) {
  const said = [];
  const say = (node) => {
    const kind = ts.SyntaxKind[node.kind],
      size = said.length;
    if (node.kind === ts.SyntaxKind.ExportKeyword || node.kind >= ts.SyntaxKind.FirstJSDocNode)
      return;
    if ([VariableStatement, VariableDeclarationList].includes(node.kind)) {
      ts.forEachChild(node, say);
      return;
    }
    said.push(kind);
    ts.forEachChild(node, say);
    if (said.length > size + 1) return;
    said[size] += ` ${node.getText().replace(/;$/, '')}`;
  };
  statementsOf(text).forEach(say);
  return said;
}

/** Compares an embedded script with its modules. */
function compare(name, script, modules) {
  const embedded = saidBy(script ?? ''),
    said = modules.flatMap((module) => saidBy(read(sources, 'src', module))),
    at = said.findIndex((word, i) => word !== embedded[i]);
  compared += said.length;
  if (at < 0 && said.length === embedded.length && said.length > 0) return;
  process.exitCode = 1;
  console.log(`FAILED: ${name}: '${said[at]}' of the modules is '${embedded[at]}'`);
}

const [, list] = /set\(modules ([^)]*)\)/.exec(read(sources, 'src/report/pages/join.cmake'));
const inPages = (name) => `report/pages/${name}.js`,
  inWeb = (name) => `web/${name}.js`;
const scriptOf = (file, start) => read(file).split(start)[1]?.split('</script>')[0];
compare('the report', scriptOf(report, '<script type="module">'), [
  inPages('frames'),
  ...list.split(/\s+/).map((name) => inPages(`html/report_${name}`)),
]);
compare(
  'the picture',
  scriptOf(picture, '<script><![CDATA[\n').replace(/\]\]>\s*$/, ''),
  ['frames', 'svg/flame_graph'].map(inPages)
);
if (page) {
  compare(
    'supprof.html',
    scriptOf(page, '<script type="module">'),
    ['page_request', 'page_run', 'page'].map(inWeb)
  );
  compare(
    'its worker',
    scriptOf(page, '<script type="text/plain" id="embedded-worker">'),
    ['wasi_files', 'wasi', 'page_worker'].map(inWeb)
  );
}
console.log(`embedded: ${compared} parts of scripts compared`);
