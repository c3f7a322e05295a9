// validate.mjs PAGE...: looks for errors in HTML with html-validate, which is in WEB_NPM.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { HtmlValidate } = createRequire(path.join(process.env.WEB_NPM, 'package.json'))(
  'html-validate'
);
const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: { 'valid-id': ['error', { relaxed: true }] },
});
for (const file of process.argv.slice(2)) {
  const { results } = validator.validateStringSync(fs.readFileSync(file, 'utf8'));
  for (const { messages } of results) {
    for (const { line, column, ruleId, message } of messages) {
      console.log(`FAILED ${path.basename(file)}:${line}:${column}: ${ruleId}: ${message}`);
      process.exitCode = 1;
    }
  }
}
