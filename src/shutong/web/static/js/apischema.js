/* A JSON schema in words: what type a value has, what its bounds are, and what an example looks like. */

const DEEPEST = 6;
const BOUNDS = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' entries'],
];
const EXAMPLES = { message: '有没有短篇科幻' };

/** The schema that a `$ref` names; any other schema as it is. */
export function resolved(schema, whole) {
  let found = schema ?? {};
  for (let depth = 0; found.$ref && depth < DEEPEST; depth += 1) {
    found = found.$ref.slice(2).split('/').reduce((node, name) => node?.[name], whole) ?? {};
  }
  return found;
}

/** The schema without its null alternative, and whether null is one. */
export function withoutNull(schema, whole) {
  const found = resolved(schema, whole);
  const choices = found.anyOf ?? found.oneOf;
  if (!choices) return { schema: found, nullable: false };
  const rest = choices.filter((choice) => choice.type !== 'null');
  const only = rest.length === 1 ? resolved(rest[0], whole) : { anyOf: rest };
  return { schema: only, nullable: rest.length < choices.length };
}

/** "text", "list of text", "one of: year, hot". */
export function typeName(schema, whole, depth = 0) {
  if (depth > DEEPEST) return 'any value';
  const { schema: found, nullable } = withoutNull(schema, whole);
  const name = bareName(found, whole, depth);
  return nullable ? `${name}, or null` : name;
}

function bareName(schema, whole, depth) {
  if (schema.enum) return `one of: ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map((choice) => typeName(choice, whole, depth + 1)).join(' or ');
  if (schema.type === 'array') return `list of ${typeName(schema.items, whole, depth + 1)}`;
  if (schema.type === 'object') return schema.title ? `object ${schema.title}` : 'object';
  return { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false' }[schema.type] ?? 'any value';
}

/** The bounds of a value in words: "0 to 10", "at most 400 characters". */
export function bounds(schema, whole) {
  const { schema: found } = withoutNull(schema, whole);
  return BOUNDS.map(([low, high, unit]) => range(found[low], found[high], unit)).filter(Boolean);
}

function range(low, high, unit) {
  if (low === undefined && high === undefined) return '';
  if (low === undefined) return `at most ${high}${unit}`;
  return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`;
}

/** The fields of an object schema as plain records; those of objects inside it follow as `outer.inner`. */
export function fields(schema, whole, prefix = '', depth = 0) {
  const { schema: found } = withoutNull(schema, whole);
  const required = new Set(found.required ?? []);
  return Object.entries(found.properties ?? {}).flatMap(([name, field]) => {
    const one = describe(`${prefix}${name}`, field, required.has(name), whole);
    return depth < DEEPEST ? [one, ...innerFields(one.name, field, whole, depth + 1)] : [one];
  });
}

function innerFields(name, field, whole, depth) {
  const { schema } = withoutNull(field, whole);
  if (schema.type === 'array') return fields(schema.items, whole, `${name}[].`, depth);
  return schema.type === 'object' ? fields(schema, whole, `${name}.`, depth) : [];
}

/** One field or parameter as a plain record. */
export function describe(name, schema, required, whole) {
  const { schema: found } = withoutNull(schema, whole);
  const fallback = resolved(schema, whole).default;
  return {
    name,
    required,
    type: typeName(schema, whole),
    about: [...bounds(schema, whole), ...(fallback === undefined || fallback === null || fallback === '' ? [] : [`default ${fallback}`])],
    text: found.description && found.type !== 'object' ? found.description : '',
  };
}

/** A body that has the required fields, ready to be edited. */
export function example(schema, whole) {
  const found = resolved(schema, whole);
  const required = found.required ?? [];
  const entries = required.map((name) => [name, EXAMPLES[name] ?? emptyValue(found.properties?.[name], whole)]);
  return Object.fromEntries(entries);
}

function emptyValue(schema, whole) {
  const { schema: found } = withoutNull(schema, whole);
  return { string: '', integer: 0, number: 0, boolean: false, array: [], object: {} }[found.type] ?? null;
}
