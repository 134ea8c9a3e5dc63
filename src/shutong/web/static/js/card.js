/* One book as a card. */
import { button, clone, el, part } from './dom.js';
import { drawCover } from './cover.js';
import { byLine, missText } from './facts.js';
import { t } from './strings.js';

/**
 * A card for a found book or a near miss ({n, book, reason, meets, misses, editions}).
 * `actions` has open(id) and like(book).
 */
export function makeCard(item, query, actions) {
  const { book } = item;
  const card = clone('t-card');
  card.dataset.book = book.id;
  part(card, 'cover').append(drawCover(book));
  part(card, 'number').append(el('span', 'unseen', t('card.number', item.n)), hidden(String(item.n)));
  const title = part(card, 'title');
  title.textContent = titleOf(book);
  title.href = `#book-${book.id}`;
  part(card, 'by').append(...byLine(book, query));
  part(card, 'why').textContent = item.reason ?? '';
  part(card, 'meets').append(...meetsOf(item).map(meet));
  part(card, 'isbn').textContent = book.isbn13 ? `ISBN ${book.isbn13}` : '';
  part(card, 'acts').append(...actsOf(item, actions));
  card.addEventListener('click', (event) => {
    if (!opensBy(event)) return;
    event.preventDefault();
    actions.open(book.id);
  });
  return card;
}

/** The whole title as one line. */
export function titleOf(book) {
  if (!book.subtitle || book.title.includes(book.subtitle)) return book.title;
  return /\p{Script=Han}/u.test(book.title) ? `${book.title}：${book.subtitle}` : `${book.title}: ${book.subtitle}`;
}

/** A click on the card opens it, unless it was meant for a button, for a new tab, or ended a selection of text. */
function opensBy(event) {
  if (event.target.closest('button') || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  return event.target.closest('.open') !== null || getSelection().isCollapsed;
}

/** The server's ticks; for a near miss whose misses are not among them, ours in words. */
function meetsOf({ meets = [], misses = [] }) {
  const told = meets.some(({ ok }) => !ok);
  return told ? meets : [...misses.map((miss) => ({ text: missText(miss), ok: false })), ...meets];
}

function meet({ text, ok }) {
  return el('li', ok ? 'ok' : 'off', text);
}

function actsOf({ book, editions = 1 }, actions) {
  const acts = [button('quiet', t('card.like'), () => actions.like(book))];
  if (editions > 1) acts.push(button('quiet', t('card.editions', editions), () => actions.open(book.id)));
  return acts;
}

function hidden(text) {
  const node = el('span', '', text);
  node.setAttribute('aria-hidden', 'true');
  return node;
}
