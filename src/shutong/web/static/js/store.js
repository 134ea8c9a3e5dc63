/* The page's one store: plain values that are replaced, never changed in place. */

/**
 * What the page knows. `turns` are those of the open conversation, oldest first; `runningKey` is the key of
 * the turn that is being answered, or null; `link` is lost while the stream reconnects.
 */
const state = {
  stats: null,
  conversationId: null,
  turns: [],
  runningKey: null,
  link: 'ok',
  talks: [],
  talksEnd: false,
  language: null,
};

const readers = new Set();
let now = Object.freeze(state);

/** The present state. */
export const get = () => now;

/** Replaces some values and tells every reader, which gets the state after and before. */
export function set(patch) {
  const before = now;
  now = Object.freeze({ ...before, ...patch });
  for (const read of readers) read(now, before);
}

/** Calls `read(after, before)` at every change of one of the named values. */
export function watch(names, read) {
  readers.add((after, before) => {
    if (names.some((name) => after[name] !== before[name])) read(after, before);
  });
}

/** Replaces the turn that has this key. */
export function setTurn(key, change) {
  set({ turns: now.turns.map((turn) => (turn.key === key ? change(turn) : turn)) });
}

/** The turn with this key, or undefined. */
export const turnOf = (key) => now.turns.find((turn) => turn.key === key);
