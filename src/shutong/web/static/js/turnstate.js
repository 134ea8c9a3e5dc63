/* What one turn is, and how each event of its run changes it. Pure: values in, new values out. */

/** The states in which nothing more will come. */
const OVER = new Set(['completed', 'step_limit', 'failed', 'timeout', 'cancelled', 'interrupted']);

/** The tools that end in a list of books. */
const FINDERS = new Set(['search_books', 'similar_books']);

/** A turn that has just been sent; `conversationId` is the one its request named, or null. */
export function newTurn({ key, message, drop = null, conversationId = null, runId = null, createdAt = new Date().toISOString() }) {
  return {
    key,
    message,
    drop,
    conversationId,
    createdAt,
    runId,
    state: 'running',
    error: null,
    ...nothingShown(),
  };
}

/** A turn as the server keeps it. */
export function storedTurn(record) {
  return {
    ...newTurn({ key: record.run_id, message: record.message, createdAt: record.created_at }),
    runId: record.run_id,
    state: record.state,
    error: record.error ?? null,
    answer: record.answer ?? '',
    partial: record.html ? '' : (record.partial ?? ''),
    blocks: record.html ? [record.html] : [],
    ...shownBooks(record),
    chips: record.chips ?? [],
    notices: record.notices ?? [],
    query: record.query ?? {},
    suggestions: record.suggestions ?? [],
    loosen: record.loosen ?? [],
  };
}

/** Whether nothing more will come. */
export const isOver = (turn) => OVER.has(turn.state);

/** Whether the turn ended without an answer. */
export const isBroken = (turn) => isOver(turn) && turn.state !== 'completed' && turn.state !== 'step_limit';

/**
 * The turn after an event. A stopped turn only takes its end.
 *
 * A stream that had to be opened anew tells the run from its beginning: a second `started`. That telling is
 * followed aside (`retold`) and takes the place of what is shown once it has come as far, so that nothing jumps.
 */
export function after(turn, name, data) {
  if (turn.state === 'cancelled' && name !== 'done' && name !== 'started') return turn;
  if (name === 'started' && turn.runId && !isOver(turn)) return { ...turn, retold: { ...turn, ...nothingShown() } };
  if (name === 'restarted' || !turn.retold) return CHANGES[name]?.(turn, data) ?? turn;
  const retold = after(turn.retold, name, data);
  return hasComeAsFar(retold, turn) ? retold : { ...turn, retold };
}

/** The turn ended here, without a word of the server: by Stop, or because no stream could be had. */
export function ended(turn, state, code, sentence = '') {
  return { ...turn, state, error: { code, sentence } };
}

function hasComeAsFar(retold, shown) {
  return isOver(retold) || ['steps', 'books', 'blocks'].every((name) => retold[name].length >= shown[name].length);
}

function nothingShown() {
  return {
    retold: null,
    act: null,
    query: {},
    chips: [],
    steps: [],
    books: [],
    total: null,
    near: [],
    nearText: '',
    blocks: [],
    partial: '',
    answer: '',
    notices: [],
    suggestions: [],
    loosen: [],
  };
}

function shownBooks(data) {
  return { books: data.books ?? [], near: data.near_misses ?? [], nearText: data.near_text ?? '' };
}

const CHANGES = {
  started: (turn, data) => ({ ...turn, runId: data.run_id }),

  restarted: (turn) => ({ ...turn, ...nothingShown() }),

  understood: (turn, data) => ({ ...turn, act: data.act, query: data.query ?? {}, chips: data.chips ?? [] }),

  searching: (turn, { text, tool }) => ({
    ...turn,
    steps: [...turn.steps, { text, finds: FINDERS.has(tool ?? 'search_books'), total: null, floor: false }],
  }),

  books: (turn, data) => ({
    ...turn,
    ...shownBooks(data),
    total: data.total,
    steps: counted(turn.steps, data),
  }),

  content: (turn, data) => ({
    ...turn,
    blocks: data.reset ? [] : replaced(turn.blocks, data.block, data.html),
    answer: data.reset ? '' : turn.answer + (data.delta ?? ''),
  }),

  notice: (turn, data) => ({ ...turn, notices: [...turn.notices, data] }),

  done: (turn, data) => ({
    ...turn,
    state: data.state ?? 'completed',
    runId: data.run_id ?? turn.runId,
    answer: data.answer ?? turn.answer,
    suggestions: data.suggestions ?? [],
    loosen: data.loosen ?? [],
    error: null,
  }),

  error: (turn, data) => ({
    ...turn,
    state: OVER.has(data.code) ? data.code : 'failed',
    error: { code: data.code, sentence: data.sentence },
    partial: turn.blocks.length ? '' : (data.partial ?? ''),
  }),
};

/** The first search that has no count yet gets the one that came back. */
function counted(steps, { total, total_is_floor: floor }) {
  const at = steps.findIndex((step) => step.finds && step.total === null);
  return at < 0 ? steps : replaced(steps, at, { ...steps[at], total, floor: Boolean(floor) });
}

/** The list with another value at a place, also when the place lies after its end. */
function replaced(list, place, value) {
  const copy = [...list, ...Array(Math.max(0, place - list.length)).fill('')];
  copy[place] = value;
  return copy;
}
