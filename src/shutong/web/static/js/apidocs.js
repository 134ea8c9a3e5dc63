/* The page at /docs: the server's own description, set out by tag, with a form to try what can be tried. */
import { describe, fields, resolved, typeName } from './apischema.js';
import { bodySchema, canTry, tryForm } from './apitry.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const TAGS = { chat: 'Asking', conversations: 'Talks', books: 'Books', state: 'State' };

const byId = (id) => document.getElementById(id);

/** An element with a class and a text. Text is only ever set as text. */
function make(tag, className = '', text = null) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  return node;
}

/** A sentence of the description; what stands between backticks is code. */
function sentence(tag, className, text) {
  const node = make(tag, className);
  text.split('`').forEach((piece, place) => node.append(place % 2 ? make('code', '', piece) : piece));
  return node;
}

start();

async function start() {
  try {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`status ${response.status}`);
    draw(await response.json());
    byId('state').remove();
    openTarget();
    addEventListener('hashchange', openTarget);
  } catch (error) {
    byId('state').textContent = `The description cannot be read: ${error.message}.`;
  }
}

function draw(whole) {
  byId('version').textContent = `version ${whole.info?.version ?? ''}`;
  for (const [tag, operations] of byTag(whole)) {
    const name = TAGS[tag] ?? tag;
    const list = make('ul');
    const section = make('section');
    section.append(make('h2', '', name));
    for (const one of operations) {
      section.append(operationBox(one, whole));
      list.append(contentsLine(one));
    }
    byId('contents').append(make('p', 'tag', name), list);
    byId('operations').append(section);
  }
}

/** Operations by tag, both in the order of the description. */
function byTag(whole) {
  const tags = new Map();
  for (const [path, item] of Object.entries(whole.paths ?? {})) {
    for (const method of METHODS.filter((known) => item[known])) {
      const operation = item[method];
      const tag = operation.tags?.[0] ?? 'other';
      const anchor = `${method}${path.replace(/[^a-z0-9]+/gi, '-')}`.replace(/-$/, '');
      if (!tags.has(tag)) tags.set(tag, []);
      tags.get(tag).push({ method, path, operation, anchor });
    }
  }
  return tags;
}

function contentsLine({ method, path, anchor }) {
  const line = make('li');
  const link = make('a');
  link.href = `#${anchor}`;
  link.append(make('span', `method ${method}`, method.toUpperCase()), make('span', 'path', path));
  line.append(link);
  return line;
}

function operationBox({ method, path, operation, anchor }, whole) {
  const box = make('details', 'operation');
  box.id = anchor;
  const head = make('summary');
  const about = operation.description ?? operation.summary ?? '';
  head.append(make('span', `method ${method}`, method.toUpperCase()), make('code', 'path', path), sentence('span', 'about', about));
  box.append(head);
  box.addEventListener('toggle', () => box.open && box.childElementCount === 1 && fillBox(box, method, path, operation, whole));
  return box;
}

/** The inside of a box is made when it is opened for the first time. */
function fillBox(box, method, path, operation, whole) {
  const inside = make('div', 'inside');
  const parameters = (operation.parameters ?? []).map((one) => ({
    ...describe(one.name, one.schema, one.required === true, whole),
    place: one.in,
  }));
  if (parameters.length) inside.append(make('h3', '', 'Parameters'), fieldTable(parameters));
  const body = bodySchema(operation);
  if (body) inside.append(...bodyPart(body, whole));
  inside.append(make('h3', '', 'Responses'), responseList(operation, whole));
  if (canTry(method, operation)) inside.append(make('h3', '', 'Try it'), tryForm(method, path, operation, whole, make));
  box.append(inside);
}

function bodyPart(schema, whole) {
  const about = resolved(schema, whole).description;
  return [make('h3', '', 'Body (JSON)'), ...(about ? [sentence('p', 'note', about)] : []), fieldTable(fields(schema, whole))];
}

function fieldTable(rows) {
  const table = make('table');
  const head = make('tr');
  const columns = ['Name', 'Value', 'Bounds'];
  for (const title of columns) {
    const cell = make('th', '', title);
    cell.scope = 'col';
    head.append(cell);
  }
  table.createTHead().append(head);
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    const name = line.insertCell();
    name.append(make('code', '', row.name));
    if (row.required) name.append(make('span', 'required', 'required'));
    if (row.place && row.place !== 'query') name.append(make('span', 'place', `in the ${row.place}`));
    line.insertCell().textContent = row.type;
    line.insertCell().textContent = [row.text, ...row.about].filter(Boolean).join('; ');
  }
  return table;
}

function responseList(operation, whole) {
  const list = make('ul', 'responses');
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const line = make('li');
    const content = Object.entries(response.content ?? {}).map(([type, { schema }]) => {
      const name = typeName(schema, whole);
      return name === 'any value' ? type : `${type}: ${name}`;
    });
    line.append(make('code', '', status), make('span', '', [response.description, ...content].filter(Boolean).join(' · ')));
    list.append(line);
  }
  return list;
}

/** Opens the box that the address names. */
function openTarget() {
  const box = byId(decodeURIComponent(location.hash.slice(1)));
  if (!(box instanceof HTMLDetailsElement)) return;
  box.open = true;
  box.scrollIntoView({ block: 'start' });
}
