/* What the browser keeps for us. A browser that keeps nothing (private mode, full disk) must not break the page. */

/** Keeps a text across visits; null forgets it. */
export function remember(key, text) {
  write(() => localStorage, key, text);
}

/** The text kept across visits, or null. */
export function recall(key) {
  return read(() => localStorage, key);
}

/** Keeps a value for this tab only; null forgets it. */
export function rememberHere(key, value) {
  write(() => sessionStorage, key, value === null ? null : JSON.stringify(value));
}

/** The value kept for this tab, or null. */
export function recallHere(key) {
  const text = read(() => sessionStorage, key);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function write(place, key, text) {
  try {
    if (text === null || text === '') place().removeItem(key);
    else place().setItem(key, text);
  } catch {
    // Nothing is kept then; the page works on without it.
  }
}

function read(place, key) {
  try {
    return place().getItem(key);
  } catch {
    return null;
  }
}
