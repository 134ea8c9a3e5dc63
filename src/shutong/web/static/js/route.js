/* The address: ?c=ID names the talk, #book-ID an open book. The back button closes what is open, then goes back. */

/** What the address asks for: {talk, book, drawer}. */
export function here() {
  const talk = new URLSearchParams(location.search).get('c') ?? /^#c=(.+)$/.exec(location.hash)?.[1] ?? null;
  const book = /^#book-(\d+)$/.exec(location.hash)?.[1] ?? null;
  return { talk, book: book && Number(book), drawer: history.state?.drawer ?? null };
}

/** The address of a talk. */
export const talkAddress = (id) => (id === null ? '/' : `/?c=${encodeURIComponent(id)}`);

/** Goes to a talk as a new entry of the history; from an open drawer, in the place of the drawer's entry. */
export function goToTalk(id) {
  if (history.state?.drawer) history.replaceState(null, '', talkAddress(id));
  else history.pushState(null, '', talkAddress(id));
}

/** The talk on the page has got its name; no new entry. */
export function nameTalk(id) {
  history.replaceState(history.state, '', talkAddress(id) + location.hash);
}

/** A drawer opens on top of what is there, so that "back" closes it. One drawer takes another's place. */
export function openLayer(drawer, hash = '') {
  const address = location.pathname + location.search + hash;
  if (history.state?.drawer) history.replaceState({ drawer }, '', address);
  else history.pushState({ drawer }, '', address);
}

/** A drawer was closed by hand: its entry is taken back. */
export function closeLayer() {
  if (history.state?.drawer) history.back();
  else if (location.hash) history.replaceState(null, '', location.pathname + location.search);
}

/** The page was loaded with a book in its address: an entry under it is made, so that closing stays here. */
export function underlay() {
  const { hash } = location;
  history.replaceState(null, '', location.pathname + location.search);
  return hash;
}

/** Calls `read(here())` whenever the reader goes back or forth. */
export function onMove(read) {
  addEventListener('popstate', () => read(here()));
}
