/* The list of earlier talks, by day; deleting is asked once and can be undone. */
import { deleteTalk, fetchTalks } from './api.js';
import { button, byId, clone, el, part } from './dom.js';
import { dismiss, toast } from './live.js';
import { get, set, watch } from './store.js';
import { talkAddress } from './route.js';
import { t } from './strings.js';

const PAGE = 50;
const SURE_MS = 4000;
const DAY_MS = 86_400_000;

/** Talks taken off the list whose deletion can still be undone. */
const leaving = new Set();
let actions = {};

/** Sets the list up. `open(id)` opens a talk; `deleted(id)` is told when one has left the list. */
export function startHistory(given) {
  actions = given;
  watch(['talks', 'talksEnd', 'conversationId', 'language'], show);
  addEventListener('pagehide', () => leaving.forEach((id) => deleteTalk(id, true).catch(() => {})));
}

/** Fetches the newest talks. */
export async function refreshTalks() {
  try {
    const { items } = await fetchTalks(Math.max(PAGE, Math.min(get().talks.length, 4 * PAGE)), 0);
    set({ talks: items, talksEnd: items.length < PAGE });
  } catch {
    byId('days').replaceChildren(el('p', 'none', t('history.failed')));
  }
}

async function fetchMore() {
  const { talks } = get();
  const { items } = await fetchTalks(PAGE, talks.length).catch(() => ({ items: [] }));
  const known = new Set(talks.map((talk) => talk.conversation_id));
  set({ talks: [...talks, ...items.filter((talk) => !known.has(talk.conversation_id))], talksEnd: items.length < PAGE });
}

function show() {
  const { talks, talksEnd } = get();
  const days = new Map();
  for (const talk of withPresent(talks)) {
    if (leaving.has(talk.conversation_id)) continue;
    const day = dayOf(talk.updated_at);
    days.set(day, [...(days.get(day) ?? []), talk]);
  }
  const parts = [...days].flatMap(([day, list]) => [el('h2', '', t(day)), listOf(list)]);
  if (!parts.length) parts.push(el('p', 'none', t('history.empty')));
  if (!talksEnd && talks.length) parts.push(button('quiet', t('history.more'), fetchMore));
  byId('days').replaceChildren(...parts);
}

/** The server lists a talk when its first answer has ended; the one on the page stands in the list from its first sentence. */
function withPresent(talks) {
  const { conversationId: id, turns } = get();
  if (id === null || !turns.length || talks.some((talk) => talk.conversation_id === id)) return talks;
  return [{ conversation_id: id, title: turns[0].message, updated_at: turns[0].createdAt }, ...talks];
}

function dayOf(iso) {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const age = midnight - new Date(iso);
  if (age <= 0) return 'day.today';
  if (age <= DAY_MS) return 'day.yesterday';
  return age <= 7 * DAY_MS ? 'day.week' : 'day.older';
}

function listOf(talks) {
  const list = el('ul');
  list.append(...talks.map(itemOf));
  return list;
}

function itemOf({ conversation_id: id, title }) {
  const item = clone('t-talk-item');
  const name = title || t('history.untitled');
  const link = part(item, 'link');
  link.textContent = name;
  link.title = name;
  link.href = talkAddress(id);
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    actions.open(id);
  });
  if (id === get().conversationId) {
    item.dataset.current = '';
    link.setAttribute('aria-current', 'page');
  }
  armBin(part(item, 'bin'), name, () => takeAway(id));
  return item;
}

/** The first press asks, the second one deletes; a moment later it is as before. */
function armBin(bin, name, act) {
  const sure = part(bin, 'sure');
  const icon = bin.querySelector('.icon');
  const ask = (asking) => {
    bin.toggleAttribute('data-sure', asking);
    sure.hidden = !asking;
    icon.toggleAttribute('hidden', asking);
    sure.textContent = t('history.sure');
    bin.setAttribute('aria-label', asking ? t('history.sure') : t('history.delete', name));
  };
  ask(false);
  bin.addEventListener('blur', () => ask(false));
  bin.addEventListener('click', () => {
    if (bin.hasAttribute('data-sure')) return act();
    ask(true);
    return setTimeout(() => ask(false), SURE_MS);
  });
}

function takeAway(id) {
  dismiss();
  leaving.add(id);
  show();
  actions.deleted(id);
  toast(t('history.deleted'), { text: t('undo'), act: () => bringBack(id) }, () => reallyDelete(id));
}

function bringBack(id) {
  leaving.delete(id);
  show();
}

async function reallyDelete(id) {
  try {
    await deleteTalk(id);
    set({ talks: get().talks.filter((talk) => talk.conversation_id !== id) });
  } catch {
    toast(t('fault.failed'));
  }
  leaving.delete(id);
  show();
}
