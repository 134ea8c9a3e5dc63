/* Puts the page together: what happens at the start, and which part answers to which change. */
import { fetchStats } from './api.js';
import { byId, copyText, part } from './dom.js';
import { recall, remember } from './keep.js';
import { announce, status, toast } from './live.js';
import { get, set, watch } from './store.js';
import { fill, inLanguage, language, languageOf, setLanguage, t } from './strings.js';
import { focusBox, isBoxEmpty, startBox, writeInBox } from './box.js';
import { dropOf } from './chips.js';
import { hideBook, openBook, showBook, startDrawer } from './drawer.js';
import { refreshTalks, startHistory } from './history.js';
import { goToTalk, here, nameTalk, onMove, underlay } from './route.js';
import { startFollowing, toEnd, toNewTurn, toTop, toTurn } from './scroll.js';
import { closeSide, showSide, startSide } from './side.js';
import { startKeys } from './keys.js';
import { hideTrace, openTrace, startTrace } from './trace.js';
import { ask, hooks, isOpen, openTalk, stop } from './talk.js';
import { faultText, makeTurnView } from './turn.js';
import { isBroken } from './turnstate.js';
import { turnAsMarkdown } from './markdown.js';
import { showFoot, showWelcome } from './welcome.js';

const THEME = 'shutong.theme';
const TITLE_LENGTH = 40;

/** The views of the turns on the page, by key. */
let views = new Map();

const turnActions = {
  open: openBook,
  like: (book) => say(inLanguage(languageOf(book.title), 'card.like.ask', book.title)),
  drop: (chip) => say(inLanguage(languageOf(get().turns.at(-1).message), 'chip.dropped', chip.text), dropOf(chip)),
  add: () => writeInBox(isBoxEmpty() ? t('chip.add.draft') : byId('message').value),
  ask: (text) => say(text),
  again: (turn) => say(turn.message, turn.drop),
  edit: (turn) => writeInBox(turn.message),
  copy: async (turn) => toast(t((await copyText(turnAsMarkdown(turn))) ? 'copied' : 'copy_failed')),
  trace: (turn) => openTrace(turn.runId),
};

/** Sends a sentence and goes where its answer will stand. */
function say(text, drop = null) {
  if (!ask(text, drop)) {
    status(t('box.busy'));
    return false;
  }
  toNewTurn(byId('talk').lastElementChild);
  focusBox();
  return true;
}

function renderTalk() {
  const { turns, runningKey, link } = get();
  const next = new Map();
  turns.forEach((turn, index) => {
    const view = views.get(turn.key) ?? makeTurnView(turn, turnActions);
    view.update(turn, {
      newest: index === turns.length - 1,
      busy: runningKey !== null,
      lost: link === 'lost' && turn.key === runningKey,
    });
    next.set(turn.key, view);
  });
  views = next;
  const elements = [...next.values()].map((view) => view.element);
  const talk = byId('talk');
  if (elements.length !== talk.children.length || elements.some((node, index) => node !== talk.children[index])) {
    talk.replaceChildren(...elements);
  }
  document.title = turns.length ? `${turns[0].message.slice(0, TITLE_LENGTH)} · ${t('name')}` : t('title');
  if (turns.length) byId('lost').hidden = true;
  byId('welcome').hidden = turns.length > 0 || here().talk !== null;
}

function renderAll() {
  document.documentElement.lang = language() === 'zh' ? 'zh-CN' : 'en';
  fill(document.body);
  views = new Map();
  renderTalk();
  renderStats();
  renderSwitches();
}

function renderSwitches() {
  for (const node of document.querySelectorAll('[data-lang]')) node.setAttribute('aria-pressed', node.dataset.lang === language());
  for (const node of document.querySelectorAll('[data-theme-choice]')) {
    node.setAttribute('aria-pressed', node.dataset.themeChoice === (recall(THEME) ?? 'auto'));
  }
}

function renderStats() {
  showWelcome(get().stats, (text) => say(text));
  showFoot(get().stats);
}

function finished(turn) {
  if (turn.state === 'cancelled') announce(t('end.stopped'));
  else if (isBroken(turn)) announce(t('end.failed', faultText(turn)));
  else announce(t('end.done', turn.books.length));
  refreshTalks();
}

/** Opens a talk that the address names already. */
async function show(id) {
  byId('lost').hidden = true;
  try {
    await openTalk(id);
    const last = byId('talk').lastElementChild;
    if (id === null) toTop();
    else if (get().runningKey || !last) toEnd();
    else toTurn(last);
  } catch (problem) {
    if (problem.status !== 404) return showLost(id, problem);
    toast(t('load.failed'));
    nameTalk(null);
    await openTalk(null);
  }
  return renderTalk();
}

/** A talk could not be had: says why in its place, with a way to try again. */
function showLost(id, problem) {
  set({ conversationId: id, turns: [] });
  const lost = byId('lost');
  part(lost, 'text').textContent = faultText({ state: 'failed', error: { code: problem.code, sentence: problem.message } });
  part(lost, 'again').onclick = () => show(id);
  lost.hidden = false;
  status(part(lost, 'text').textContent);
}

/** Goes to a talk (null: a new one) as a step of the history. */
function goTo(id) {
  if (isOpen(id)) {
    closeSide();
  } else {
    goToTalk(id);
    showSide(false);
    show(id);
  }
  focusBox();
}

/** Back or forth: layers follow the address, then the talk does. */
function moved({ talk, book, drawer }) {
  if (book) showBook(book);
  else hideBook();
  if (drawer !== 'trace') hideTrace();
  showSide(drawer === 'side');
  if (talk !== get().conversationId) show(talk);
}

/** A title in an answer leads to its card, or to its drawer when no card is on the page. */
function followCitation(event) {
  const link = event.target.closest('a.cite');
  if (!link) return;
  event.preventDefault();
  const id = link.dataset.book ?? link.hash.replace('#book-', '');
  const near = link.closest('.turn').querySelector(`.card[data-book="${CSS.escape(id)}"]`);
  const card = near ?? [...document.querySelectorAll(`.card[data-book="${CSS.escape(id)}"]`)].at(-1);
  if (!card?.offsetParent) return openBook(Number(id));
  card.scrollIntoView({ block: 'center', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth' });
  card.querySelector('.open').focus({ preventScroll: true });
  card.removeAttribute('data-found');
  requestAnimationFrame(() => card.setAttribute('data-found', ''));
  return undefined;
}

function startSwitches() {
  for (const node of document.querySelectorAll('[data-lang]')) {
    node.addEventListener('click', () => {
      setLanguage(node.dataset.lang);
      renderAll();
      set({ language: language() });
    });
  }
  for (const node of document.querySelectorAll('[data-theme-choice]')) {
    node.addEventListener('click', () => {
      remember(THEME, node.dataset.themeChoice);
      document.dispatchEvent(new Event('shutong:theme'));
      renderSwitches();
    });
  }
}

/** What an open talk lacks is said in its place; on the first page a note does. */
function sayTrouble(problem) {
  if (here().talk !== null) return;
  toast(faultText({ state: 'failed', error: { code: problem.code, sentence: problem.message } }));
}

function escape() {
  if (get().runningKey) stop();
}

async function start() {
  hooks.named = (id) => {
    nameTalk(id);
    refreshTalks();
  };
  hooks.finished = finished;
  renderAll();
  watch(['turns', 'runningKey', 'link', 'conversationId'], renderTalk);
  watch(['stats'], renderStats);
  watch(['link'], ({ link }, before) => status(link === 'lost' ? t('now.lost') : before.link === 'lost' ? t('now.back') : ''));
  startSwitches();
  startSide();
  startDrawer(turnActions.like);
  startTrace();
  startHistory({ open: goTo, deleted: (id) => id === get().conversationId && goTo(null) });
  startBox({ send: (text) => say(text), stop });
  startKeys({ focus: () => focusBox(true), escape });
  startFollowing();
  byId('new').addEventListener('click', () => goTo(null));
  byId('bar-new').addEventListener('click', () => goTo(null));
  byId('talk').addEventListener('click', followCitation);
  onMove(moved);
  const { talk, book } = here();
  if (book) underlay();
  fetchStats().then((stats) => set({ stats }), sayTrouble);
  refreshTalks();
  await show(talk);
  if (book) openBook(book);
}

start();
