// schema.mjs speedscope|SCHEMA FILE...
//
// Are these files what their schema says: that in speedscope's npm package, or SCHEMA? The latter
// is supprof's own, which lets later versions add members; here none may be that it does not name.
// CONSUMERS_NPM is where the packages are.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.env.CONSUMERS_NPM, 'any.js'));
const Ajv = require('ajv');
const [name, ...files] = process.argv.slice(2);
const isOwn = name !== 'speedscope';
const schema = JSON.parse(
  fs.readFileSync(
    isOwn
      ? name
      : path.join(
          process.env.CONSUMERS_NPM,
          'node_modules/speedscope/dist/release/file-format-schema.json'
        ),
    'utf8'
  )
);

function close(part) {
  if (typeof part !== 'object' || part === null) return;
  if (part.type === 'object' && part.properties) part.additionalProperties = false;
  for (const inner of Object.values(part)) close(inner);
}
if (isOwn) close(schema);
const validate = new Ajv({ strict: isOwn, allowUnionTypes: true }).compile(schema);

// Members must come in the order of the schema.
const definition = (part) =>
  part?.$ref
    ? schema.definitions[part.$ref.split('/').pop()]
    : part?.allOf
      ? definition(part.allOf[0])
      : part?.anyOf
        ? definition(part.anyOf[0])
        : part;
function checkOrder(value, part, where) {
  const is = definition(part);
  if (Array.isArray(value)) return value.every((inner) => checkOrder(inner, is.items, where));
  if (typeof value !== 'object' || value === null) return true;
  // Such as the numbers of a finding, whose names are those of its kind.
  if (!is.properties) return true;
  const known = Object.keys(is.properties);
  let last = -1;
  return Object.entries(value).every(([key, inner]) => {
    const at = known.indexOf(key);
    const isOrdered = at > last;
    last = at;
    if (!isOrdered) console.log(`schema: ${where}: ${key} is not where the schema has it`);
    return isOrdered && checkOrder(inner, is.properties[key], where);
  });
}

for (const file of files) {
  const value = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (!validate(value)) {
    console.log(`schema: ${file}: ${JSON.stringify(validate.errors[0])}`);
    process.exitCode = 1;
  } else if (isOwn && !checkOrder(value, schema, file)) {
    process.exitCode = 1;
  }
}
console.log(`schema: ${files.length} files of ${name}`);
