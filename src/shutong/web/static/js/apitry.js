/* Trying an operation from the page: a small form, the request it makes, and what came back. */
import { example, withoutNull } from './apischema.js';

const MOST_SHOWN = 200_000;

/** Whether an operation can be tried here: reading, and sending JSON. Nothing is deleted from this page. */
export function canTry(method, operation) {
  return method === 'get' || (method === 'post' && bodySchema(operation) !== undefined);
}

/** The schema of a JSON body, if the operation takes one. */
export function bodySchema(operation) {
  return operation.requestBody?.content?.['application/json']?.schema;
}

/** The form of one operation. `make` makes an element from a tag, a class and a text. */
export function tryForm(method, path, operation, whole, make) {
  const form = make('form', 'try');
  const inputs = (operation.parameters ?? []).map((parameter) => ({ parameter, input: parameterInput(parameter, whole, make) }));
  for (const { parameter, input } of inputs) form.append(labelled(parameter.name, input, make));
  const schema = bodySchema(operation);
  const body = schema ? make('textarea', 'body') : null;
  if (body) {
    body.value = JSON.stringify(example(schema, whole), null, 2);
    body.rows = Math.min(10, body.value.split('\n').length + 1);
    body.spellcheck = false;
    form.append(labelled('body', body, make));
  }
  const send = make('button', 'send', 'Send');
  const stop = make('button', 'stop', 'Stop');
  stop.type = 'button';
  stop.hidden = true;
  const status = make('p', 'status');
  status.setAttribute('role', 'status');
  const shown = make('pre', 'shown');
  shown.hidden = true;
  shown.tabIndex = 0;
  const row = make('div', 'row');
  row.append(send, stop, status);
  form.append(row, shown);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const request = requestOf(method, path, inputs, body);
    exchange(request, { send, stop, status, shown });
  });
  return form;
}

function labelled(name, input, make) {
  const label = make('label', '', '');
  label.append(make('span', 'name', name), input);
  return label;
}

function parameterInput(parameter, whole, make) {
  const { schema } = withoutNull(parameter.schema, whole);
  const input = make('input');
  input.required = parameter.required === true;
  input.autocomplete = 'off';
  input.dataset.list = schema.type === 'array' ? 'yes' : '';
  if (schema.type === 'array') input.placeholder = 'several: with commas';
  else if (schema.enum) input.placeholder = schema.enum.join(', ');
  else if (parameter.schema.default !== undefined) input.placeholder = String(parameter.schema.default);
  if (parameter.name === 'message' || parameter.name === 'q') input.value = '有没有短篇科幻';
  return input;
}

function requestOf(method, path, inputs, body) {
  const query = new URLSearchParams();
  const headers = {};
  let address = path;
  for (const { parameter, input } of inputs) {
    const value = input.value.trim();
    if (value === '') continue;
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === 'header') headers[parameter.name] = value;
    else for (const one of input.dataset.list ? value.split(',') : [value]) query.append(parameter.name, one.trim());
  }
  if (body) headers['content-type'] = 'application/json';
  const search = query.toString();
  return { address: search ? `${address}?${search}` : address, options: { method: method.toUpperCase(), headers, body: body?.value } };
}

async function exchange(request, { send, stop, status, shown }) {
  const stopper = new AbortController();
  const started = performance.now();
  stop.onclick = () => stopper.abort();
  send.disabled = true;
  stop.hidden = false;
  shown.hidden = false;
  shown.textContent = '';
  status.textContent = `${request.options.method} ${request.address}`;
  try {
    const response = await fetch(request.address, { ...request.options, signal: stopper.signal });
    status.textContent = `${response.status} ${response.statusText}`.trim();
    await show(response, shown);
    status.textContent += ` · ${Math.round(performance.now() - started)} ms`;
  } catch (error) {
    status.textContent = error.name === 'AbortError' ? 'Stopped.' : `No answer: ${error.message}`;
  } finally {
    send.disabled = false;
    stop.hidden = true;
  }
}

/** The body as it arrives, so that a stream of events can be watched; JSON is set out when it is whole. */
async function show(response, shown) {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  while (reader) {
    const { done, value } = await reader.read();
    text += done ? decoder.decode() : decoder.decode(value, { stream: true });
    if (done) break;
    shown.textContent = text.slice(0, MOST_SHOWN);
  }
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  shown.textContent = (isJson ? pretty(text) : text).slice(0, MOST_SHOWN) || '(empty)';
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
