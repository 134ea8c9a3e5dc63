/* The box: grows, keeps its draft, knows what Enter means, and is kind about limits. */
import { byId } from './dom.js';
import { recall, remember } from './keep.js';
import { get, watch } from './store.js';
import { status } from './live.js';
import { t } from './strings.js';

const DRAFT = 'shutong.draft';
/** The server's bound for one message, in characters. */
const LIMIT = 8000;
const COUNT_FROM = 7000;
const IME_KEY = 229;

const input = () => byId('message');

/** Whether a keyboard stands before the reader, so that focus does not raise one over the page. */
const hasKeyboard = () => matchMedia('(pointer: fine)').matches && innerWidth > 720;

/** Sets the box up. `send(text)` tells whether the sentence was taken; `stop()` stops the answer. */
export function startBox({ send, stop }) {
  input().value = recall(DRAFT) ?? '';
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault();
    submit(send);
  });
  byId('stop').addEventListener('click', () => {
    stop();
    focusBox();
  });
  input().addEventListener('keydown', (event) => onKey(event, send));
  input().addEventListener('input', changed);
  watch(['runningKey', 'turns', 'language'], show);
  watchKeyboard();
  changed();
  focusBox();
}

/** Puts the cursor into the box where that raises no keyboard; `always` also where it does. */
export function focusBox(always = false) {
  if (always || hasKeyboard()) input().focus({ preventScroll: true });
}

/** Puts a text into the box to go on from. */
export function writeInBox(text) {
  input().value = text;
  changed();
  focusBox(true);
  input().setSelectionRange(text.length, text.length);
}

/** Whether the box is empty. */
export const isBoxEmpty = () => input().value.trim() === '';

function submit(send) {
  const text = input().value.trim();
  if (!text) return focusBox();
  const used = length(text);
  if (used > LIMIT) return warn(t('box.long', used, LIMIT));
  if (!send(text)) return warn(t('box.busy'));
  input().value = '';
  return changed();
}

/** Enter sends, but never the Enter that ends a composition (Safari tells that only by its key code). */
function onKey(event, send) {
  if (event.isComposing || event.keyCode === IME_KEY) return;
  if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    submit(send);
  }
  if (event.key === 'ArrowUp' && input().value === '') {
    const last = get().turns.at(-1);
    if (!last) return;
    event.preventDefault();
    writeInBox(last.message);
  }
}

function changed() {
  remember(DRAFT, input().value);
  grow();
  show();
}

function grow() {
  const area = input();
  area.style.height = '';
  const least = area.offsetHeight;
  area.style.height = '0';
  const wanted = Math.max(least, area.scrollHeight);
  area.style.height = wanted > least ? `${wanted}px` : '';
  area.style.overflowY = wanted > area.offsetHeight + 1 ? 'auto' : '';
}

function show() {
  const { runningKey, turns } = get();
  const running = runningKey !== null;
  const used = length(input().value.trim());
  byId('send').hidden = running;
  byId('stop').hidden = !running;
  byId('send').disabled = used === 0;
  input().placeholder = t(turns.length ? 'box.next' : 'box.first');
  byId('box-note').toggleAttribute('data-live', running);
  if (used > LIMIT) note(t('box.long', used, LIMIT), true);
  else if (used > COUNT_FROM) note(t('box.count', used, LIMIT), true);
  else note(t(running ? 'now.stop' : 'box.promise'), false);
}

function warn(text) {
  note(text, true);
  status(text);
}

function note(text, isWarning) {
  const line = byId('box-note');
  line.textContent = text;
  line.toggleAttribute('data-warn', isWarning);
}

/** Characters as people count them for the limit: code points. */
const length = (text) => [...text].length;

/** iOS lays its keyboard over the page; the box is lifted by what it hides. */
function watchKeyboard() {
  const view = window.visualViewport;
  view?.addEventListener('resize', () => {
    const hidden = Math.max(0, innerHeight - view.height - view.offsetTop);
    document.documentElement.style.setProperty('--keyboard', hidden > 80 ? `${Math.round(hidden)}px` : '0px');
  });
}
