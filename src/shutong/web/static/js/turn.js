/* One turn on the page. Parts are touched only when their values changed, so that nothing moves that was read. */
import { button, clone, el, part, serverHtml } from './dom.js';
import { makeCard } from './card.js';
import { saysDemoRatings } from './facts.js';
import { makeChips } from './chips.js';
import { isBroken, isOver } from './turnstate.js';
import { date, inLanguage, languageOf, t } from './strings.js';

const LONG_MESSAGE = 240;
const JUST_NOW_MS = 120_000;
const MOST_WAYS = 4;

/**
 * A view of a turn: `element`, and `update(turn, around)` with around = {newest, busy, lost}: whether its chips and
 * suggestions are live, whether any answer is coming, whether the connection is lost.
 * `actions`: open(id), like(book), drop(chip), add(), ask(text), again(turn), edit(turn), copy(turn), trace(turn).
 */
export function makeTurnView(turn, actions) {
  const element = clone('t-turn');
  element.dataset.key = turn.key;
  const ask = part(element, 'ask');
  ask.id = `ask-${turn.key}`;
  ask.textContent = turn.message;
  ask.toggleAttribute('data-long', turn.message.length > LONG_MESSAGE);
  element.setAttribute('aria-labelledby', ask.id);
  part(element, 'when').append(timeOf(turn.createdAt));

  let shown = null;
  let present = turn;
  for (const act of ['again', 'edit', 'copy', 'trace']) {
    element.querySelector(`[data-act="${act}"]`).addEventListener('click', () => actions[act](present));
  }

  function update(next, around) {
    const before = shown ?? { turn: {}, around: {} };
    const differs = (...names) => names.some((name) => next[name] !== before.turn[name]);
    const moved = (...names) => names.some((name) => around[name] !== before.around[name]);
    present = next;
    if (differs('chips') || moved('newest', 'busy')) showChips(element, next, around, actions);
    if (differs('steps', 'blocks', 'state')) showSteps(element, next);
    if (differs('books')) showCards(part(element, 'books'), next.books, next.query, actions);
    if (differs('blocks', 'partial')) showText(element, next);
    if (differs('near', 'nearText', 'state')) showNear(element, next, actions);
    if (differs('notices', 'state')) showNotices(element, next);
    if (differs('suggestions', 'loosen') || moved('newest', 'busy')) showSuggestions(element, next, around, actions);
    showNow(element, next, around);
    if (differs('state', 'error')) showEnd(element, next);
    shown = { turn: next, around };
  }

  return { element, update };
}

function timeOf(iso) {
  const when = new Date(iso);
  const node = el('time');
  node.dateTime = iso;
  const age = Date.now() - when;
  const today = when.toDateString() === new Date().toDateString();
  const clock = { hour: '2-digit', minute: '2-digit' };
  if (age < JUST_NOW_MS) node.textContent = t('time.just');
  else node.textContent = date(when, today ? clock : { month: 'short', day: 'numeric', ...clock });
  return node;
}

function showChips(element, turn, { newest, busy }, actions) {
  const list = part(element, 'chips');
  list.hidden = turn.chips.length === 0;
  list.replaceChildren(...makeChips(turn.chips, { open: newest, busy, drop: actions.drop, add: actions.add }));
}

function showSteps(element, turn) {
  const list = part(element, 'steps');
  list.hidden = turn.steps.length === 0;
  turn.steps.forEach((step, place) => {
    const item = list.children[place] ?? list.appendChild(el('li'));
    const now = place === turn.steps.length - 1 && isWaiting(turn);
    item.className = `step${now ? ' now' : ''}${step.total === 0 ? ' none' : ''}`;
    item.textContent = stepText(step);
  });
  while (list.children.length > turn.steps.length) list.lastChild.remove();
}

/** Whether the last step has yet to bring something. */
function isWaiting(turn) {
  return !isOver(turn) && turn.blocks.length === 0 && turn.steps.at(-1)?.total === null;
}

/** What was searched and what came of it, in the language of the step. */
function stepText({ text, total, floor }) {
  if (total === null) return text;
  const lang = languageOf(text);
  const found = total === 0 ? inLanguage(lang, 'step.none') : inLanguage(lang, 'step.found', total, floor);
  return text.replace(/[\s.。…]+$/, '') + inLanguage(lang, 'step.colon') + found;
}

/** Cards that stay keep their element; a card is made anew only when what it says changed. */
function showCards(place, items, query, actions) {
  const kept = new Map([...place.children].map((card) => [card.dataset.said, card]));
  const cards = items.map((item) => {
    const said = JSON.stringify(item);
    const card = kept.get(said) ?? makeCard(item, query, actions);
    card.dataset.said = said;
    return card;
  });
  if (cards.some((card, index) => place.children[index] !== card) || place.children.length !== cards.length) {
    place.replaceChildren(...cards);
  }
}

function showText(element, turn) {
  const say = part(element, 'say');
  turn.blocks.forEach((html, place) => {
    const block = say.children[place] ?? say.appendChild(el('div', 'block'));
    if (block.html === html) return;
    block.html = html;
    serverHtml(block, html);
  });
  while (say.children.length > turn.blocks.length) say.lastChild.remove();
  if (turn.partial) say.append(el('p', 'partial', turn.partial));
}

/** Near misses stand under the answer, so they wait for its end: text that grows above would push them down. */
function showNear(element, turn, actions) {
  const near = part(element, 'near');
  near.hidden = !isOver(turn) || turn.near.length === 0;
  part(element, 'near-text').textContent = turn.nearText;
  part(element, 'near-text').hidden = !turn.nearText;
  showCards(part(element, 'near-books'), turn.near, {}, actions);
}

function showNotices(element, turn) {
  const notices = turn.notices.map(({ text }) => el('p', 'notice', text));
  if (isOver(turn) && saysDemoRatings(turn)) notices.push(el('p', 'notice demo-note', t('demo.note')));
  part(element, 'notices').replaceChildren(...notices);
}

function showSuggestions(element, turn, { newest, busy }, actions) {
  const list = part(element, 'next');
  const ways = turn.suggestions.slice(0, MOST_WAYS).map((text) => way(text, text));
  const looser = turn.loosen.map(({ text, total }) => way(text, t('next.loosen', text, total)));
  list.hidden = !newest || ways.length === 0;
  list.replaceChildren(...ways);
  part(element, 'loosen').hidden = !newest || looser.length === 0;
  part(element, 'loosen').replaceChildren(...looser);

  function way(text, label) {
    const item = el('li');
    const go = button('', label, () => actions.ask(text));
    go.disabled = busy;
    item.append(go);
    return item;
  }
}

function showNow(element, turn, { lost }) {
  const now = part(element, 'now');
  const text = isOver(turn) ? null : lost ? t('now.lost') : doing(turn);
  now.hidden = text === null;
  now.classList.toggle('lost', lost);
  if (now.textContent !== text) now.textContent = text ?? '';
  element.setAttribute('aria-busy', String(!isOver(turn)));
}

/** What is being done now; null while a step says so itself. */
function doing(turn) {
  if (isWaiting(turn)) return null;
  if (turn.steps.length || turn.blocks.length) return t('now.writing');
  return turn.act ? t('now.searching') : t('now.reading');
}

function showEnd(element, turn) {
  const broken = isBroken(turn);
  const fault = part(element, 'fault');
  fault.hidden = !broken;
  fault.toggleAttribute('data-calm', turn.state === 'cancelled');
  part(element, 'fault-text').textContent = broken ? faultText(turn) : '';
  part(element, 'turn-acts').hidden = !isOver(turn) || !turn.runId;
  element.querySelector('[data-act=copy]').hidden = !turn.answer && turn.books.length === 0;
}

/** One sentence a reader can act on, with the code for the operator. */
export function faultText({ state, error }) {
  if (state === 'cancelled') return t('fault.cancelled');
  const code = error?.code ?? state;
  if (code === 'network') return t('fault.network');
  const sentence = t(`fault.${code}`) ?? t(`fault.${state}`) ?? (error?.sentence || t('fault.failed'));
  return sentence + t('fault.code', code);
}
