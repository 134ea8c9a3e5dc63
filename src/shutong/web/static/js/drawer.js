/* The drawer of one book: its facts, its other editions, its neighbours. */
import { fetchBook } from './api.js';
import { button, byId, clone, copyButton, el, part } from './dom.js';
import { drawCover } from './cover.js';
import { byLine, factRows, shortLine } from './facts.js';
import { titleOf } from './card.js';
import { closeLayer, openLayer } from './route.js';
import { t } from './strings.js';

let like = () => {};
let wanted = null;

const drawer = () => byId('book-drawer');

/** Sets the drawer up; `onLike(book)` asks for books like the one shown. */
export function startDrawer(onLike) {
  like = onLike;
  startDialog(drawer());
}

/** Opens a book by its number, as an entry of the history. */
export function openBook(id) {
  openLayer('book', `#book-${id}`);
  showBook(id);
}

/** Shows a book; the history is already right. */
export async function showBook(id) {
  wanted = id;
  const body = part(drawer(), 'body');
  body.replaceChildren(el('p', '', t('book.loading')));
  if (!drawer().open) drawer().showModal();
  let found = null;
  try {
    found = await fetchBook(id);
  } catch {
    // Said below; nothing else can be done about it here.
  }
  if (wanted !== id) return;
  body.replaceChildren(found ? bookView(found) : el('p', '', t('book.missing')));
  drawer().scrollTop = 0;
  part(body, 'title')?.focus();
}

/** Closes the drawer without touching the history. */
export function hideBook() {
  wanted = null;
  if (drawer().open) drawer().close();
}

/** A dialog that closes by its cross, by Esc, by a click beside it and by "back". */
export function startDialog(dialog) {
  const leave = () => {
    dialog.close();
    closeLayer();
  };
  part(dialog, 'close').addEventListener('click', leave);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    leave();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && leave());
}

function bookView({ book, editions = [], similar = [] }) {
  const view = clone('t-book');
  part(view, 'cover').append(drawCover(book));
  part(view, 'title').textContent = book.title;
  part(view, 'subtitle').textContent = book.title.includes(book.subtitle) ? '' : (book.subtitle ?? '');
  part(view, 'by').append(...byLine(book));
  part(view, 'intro').textContent = book.intro ?? '';
  part(view, 'facts').append(...factRows(book).flatMap(([key, value]) => row(t(key), value)), ...isbnRow(book));
  part(view, 'like').addEventListener('click', () => {
    hideBook();
    closeLayer();
    like(book);
  });
  showList(view, 'editions', editions.filter(({ id }) => id !== book.id));
  showList(view, 'similar', similar);
  return view;
}

/** A row of the table; the value is a text or an element. */
function row(label, value) {
  const cell = el('dd');
  cell.append(value);
  return [el('dt', '', label), cell];
}

function isbnRow({ isbn13 }) {
  if (!isbn13) return row(t('book.isbn'), el('span', 'unknown', t('unknown')));
  const [label, value] = row(t('book.isbn'), isbn13);
  value.append(copyButton('quiet', t('book.copy_isbn'), () => isbn13));
  return [label, value];
}

function showList(view, name, books) {
  part(view, name).hidden = books.length === 0;
  part(view, `${name}-list`).append(...books.map(bookItem));
}

function bookItem(book) {
  const item = el('li');
  const open = button('', null, () => openBook(book.id));
  const cover = el('span', 'cover-slot');
  cover.append(drawCover(book));
  const text = el('span');
  text.append(el('strong', '', titleOf(book)), el('small', '', shortLine(book)));
  open.append(cover, text);
  item.append(open);
  return item;
}
