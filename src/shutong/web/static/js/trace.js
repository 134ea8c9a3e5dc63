/* How an answer was found: every step of the run, as the server kept it. */
import { fetchRun } from './api.js';
import { byId, copyButton, el, part } from './dom.js';
import { startDialog } from './drawer.js';
import { openLayer } from './route.js';
import { t } from './strings.js';

const drawer = () => byId('trace-drawer');

/** Sets the drawer up. */
export function startTrace() {
  startDialog(drawer());
}

/** Shows a run's trace, as an entry of the history. */
export async function openTrace(runId) {
  openLayer('trace');
  const body = part(drawer(), 'body');
  body.replaceChildren(el('p', '', t('trace.loading')));
  drawer().showModal();
  try {
    body.replaceChildren(traceView(await fetchRun(runId)));
  } catch {
    body.replaceChildren(el('p', '', t('trace.missing')));
  }
}

/** Closes it without touching the history. */
export function hideTrace() {
  if (drawer().open) drawer().close();
}

function traceView(run) {
  const view = el('div', 'trace');
  const copy = copyButton('plain', t('trace.copy'), () => JSON.stringify(run, null, 2));
  view.append(table([['trace.state', run.state]]), ...(run.steps ?? []).map(stepView));
  if (run.held_back?.length) view.append(folded(t('trace.held'), run.held_back));
  view.append(copy);
  return view;
}

function stepView(step, index) {
  const view = el('section', 'trace-step');
  view.append(el('h3', '', t('trace.step', index + 1)));
  view.append(table([['trace.model', step.model], ['trace.time', time(step.milliseconds)], ['trace.tokens', tokens(step.usage)]]));
  for (const call of step.calls ?? []) {
    const mark = call.ok ? '✓' : '✗';
    view.append(folded(`${mark} ${call.tool} · ${time(call.milliseconds)}`, call.arguments, call.result));
  }
  if (step.reply) view.append(folded(t('trace.reply'), step.reply));
  return view;
}

function table(rows) {
  const list = el('dl', 'facts');
  for (const [key, value] of rows) if (value) list.append(el('dt', '', t(key)), el('dd', '', value));
  return list;
}

function folded(title, ...values) {
  const box = el('details');
  box.append(el('summary', '', title), el('pre', '', values.map(asText).join('\n\n')));
  return box;
}

const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const time = (ms) => (ms === null || ms === undefined ? '' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

function tokens(usage) {
  if (!usage) return '';
  return Object.entries(usage).filter(([, value]) => value).map(([name, value]) => `${name} ${value}`).join(', ');
}
