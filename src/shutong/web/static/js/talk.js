/* What can be done with a talk: ask, stop, open another. Everything that changes turns goes through here. */
import { cancelRun, fetchTalk } from './api.js';
import { rememberHere, recallHere } from './keep.js';
import { openStream } from './stream.js';
import { get, set, setTurn, turnOf } from './store.js';
import { after, ended, isOver, newTurn, storedTurn } from './turnstate.js';

/** The request that is being answered, as it was sent, and what is known of its run: it lets a reload attach to it. */
const PENDING = 'shutong.pending';
const STOP_WAIT_MS = 2000;

let closeStream = null;
let opening = 0;

/** Called with the address a talk has got, and with each finished turn. Set once by `main.js`. */
export const hooks = { named: () => {}, finished: () => {} };

/** Sends a sentence; false when an answer is still coming. `drop` names a condition to leave out. */
export function ask(message, drop = null) {
  if (get().runningKey) return false;
  const { conversationId } = get();
  const turn = newTurn({ key: freshKey(), message, drop, conversationId });
  rememberHere(PENDING, { key: turn.key, message, drop, conversationId, talk: conversationId });
  set({ turns: [...get().turns, turn] });
  follow(turn);
  return true;
}

/** Stops the answer that is coming: at once on the page, then at the server. */
export function stop() {
  const key = get().runningKey;
  if (!key) return;
  setTurn(key, (turn) => ended(turn, 'cancelled', 'cancelled'));
  set({ runningKey: null, link: 'ok' });
  rememberHere(PENDING, null);
  const { runId } = turnOf(key);
  if (runId) cancelRun(runId).catch(() => {});
  const close = closeStream;
  // The stream stays open a moment: it may still bring the run's number, or an answer that was already whole.
  setTimeout(() => close?.(), STOP_WAIT_MS);
  hooks.finished(turnOf(key));
}

/** Opens a conversation by its id, or an empty talk for null. Throws a `Problem` when it cannot be had. */
export async function openTalk(id) {
  const mine = ++opening;
  const pending = takePending(mine === 1, id);
  leave();
  if (id === null) {
    set({ conversationId: null, turns: [] });
    if (pending) resume(newTurn(pending));
    return;
  }
  const talk = await fetchTalk(id);
  if (mine !== opening) return;
  const { running } = talk;
  const turns = talk.turns.filter((turn) => turn.run_id !== running?.run_id).map(storedTurn);
  set({ conversationId: talk.conversation_id, turns });
  const request = running ? requestOf(running, pending, turns.length ? id : null) : pending;
  if (request && !turns.some((turn) => turn.runId === request.runId)) resume(newTurn(request));
}

/** Whether the talk on the page is this one already. */
export const isOpen = (id) => get().conversationId === id && (id !== null || get().turns.length === 0);

/** What this tab was waiting for in this talk before the page was loaded anew, or null. */
function takePending(isReload, id) {
  const pending = recallHere(PENDING);
  if (!isReload) rememberHere(PENDING, null);
  return isReload && pending?.talk === id ? pending : null;
}

/** A key only fits the request it was first sent with; another tab's is guessed: a talk's first one named no talk. */
function requestOf({ key, message, drop, run_id: runId }, pending, conversationId) {
  return pending?.key === key ? { ...pending, runId } : { key, message, drop, conversationId, runId };
}

function resume(turn) {
  set({ turns: [...get().turns, turn] });
  follow(turn);
}

function leave() {
  closeStream?.();
  closeStream = null;
  set({ runningKey: null, link: 'ok' });
}

function follow(turn) {
  const { key } = turn;
  set({ runningKey: key, link: 'ok' });
  closeStream = openStream(turn, {
    event: (name, data) => take(key, name, data),
    lost: () => mark(key, 'lost'),
    back: () => mark(key, 'ok'),
    refused: (problem) => refuse(key, problem),
    gone: () => reread(key),
  });
}

function take(key, name, data) {
  const before = turnOf(key);
  if (!before) return;
  setTurn(key, (turn) => after(turn, name, data));
  if (name === 'started') begun(before, data);
  const now = turnOf(key);
  if (name === 'done' || (isOver(now) && !isOver(before))) finish(key);
}

function begun(before, { run_id: runId, conversation_id: id }) {
  const pending = recallHere(PENDING);
  if (pending?.key === before.key) rememberHere(PENDING, { ...pending, runId, talk: id });
  // A turn that was resumed may have been stored meanwhile; it stands on the page once.
  set({ turns: get().turns.filter((turn) => turn.key === before.key || turn.runId !== runId) });
  if (get().conversationId !== id) {
    set({ conversationId: id });
    hooks.named(id);
  }
  // Stop was pressed before the run had a number.
  if (before.state === 'cancelled') cancelRun(runId).catch(() => {});
}

function finish(key) {
  rememberHere(PENDING, null);
  if (get().runningKey === key) set({ runningKey: null, link: 'ok' });
  hooks.finished(turnOf(key));
}

function mark(key, link) {
  if (get().runningKey === key && get().link !== link) set({ link });
}

function refuse(key, problem) {
  if (!turnOf(key) || isOver(turnOf(key))) return;
  setTurn(key, (turn) => ended(turn, 'failed', problem.code, problem.message));
  finish(key);
}

/** The run is over and its stream gone: the conversation tells what became of it. */
async function reread(key) {
  const id = get().conversationId;
  try {
    const talk = id && (await fetchTalk(id));
    const record = talk && talk.turns.find((turn) => turn.run_id === turnOf(key)?.runId);
    if (record) setTurn(key, (turn) => ({ ...storedTurn(record), key: turn.key }));
    else setTurn(key, (turn) => ended(turn, 'interrupted', 'interrupted'));
  } catch (problem) {
    setTurn(key, (turn) => ended(turn, 'failed', problem.code, problem.message));
  }
  if (turnOf(key)) finish(key);
}

/** A key nobody else has; `randomUUID` is not there on plain HTTP. */
function freshKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
