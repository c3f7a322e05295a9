// schema.mjs FILE...
//
// Are these speedscope files, by the schema in speedscope's npm package? CONSUMERS_NPM is
// where the packages are.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.env.CONSUMERS_NPM, 'any.js'));
const Ajv = require('ajv');
const schema = path.join(process.env.CONSUMERS_NPM, 'node_modules/speedscope/dist/release/file-format-schema.json');
const validate = new Ajv({ strict: false }).compile(JSON.parse(fs.readFileSync(schema, 'utf8')));

for (const file of process.argv.slice(2)) {
  if (!validate(JSON.parse(fs.readFileSync(file, 'utf8')))) {
    console.log(`schema: ${file}: ${JSON.stringify(validate.errors[0])}`);
    process.exitCode = 1;
  }
}
