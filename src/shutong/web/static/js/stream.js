/* One run's stream of events over EventSource, which reconnects by itself. Long messages go by `longstream.js`. */
import { openLongStream } from './longstream.js';
import { patience, verdict } from './retry.js';

/** The events of a run, in the server's names. */
const EVENTS = ['started', 'understood', 'searching', 'books', 'content', 'notice', 'restarted', 'done', 'error'];

/** Proxies refuse addresses above 8 kB; a message that makes one is posted instead. */
const LONGEST_ADDRESS = 6000;

/**
 * Opens the stream of a run and returns a function that closes it.
 *
 * `request` is {message, key, conversationId, drop}. Handlers: event(name, data) for each event, from a second
 * `started` on when the run is told anew;
 * lost() and back() around a broken connection; refused(problem) when there will be no stream;
 * gone() when the server has nothing more to send although no end was seen.
 */
export function openStream(request, handlers) {
  const address = addressOf(request);
  const receive = receiver(handlers);
  if (address.length > LONGEST_ADDRESS) return openLongStream(request, { ...handlers, receive });
  return openEventSource(address, { ...handlers, receive });
}

function addressOf({ message, key, conversationId, drop }) {
  const query = new URLSearchParams({ message, key });
  if (conversationId) query.set('conversation_id', conversationId);
  if (drop) query.set('drop', drop);
  return `/api/chat/stream?${query}`;
}

/** Passes events on, and tells whether the end has come. */
function receiver(handlers) {
  return (name, text) => {
    handlers.event(name, JSON.parse(text));
    return name === 'done' || name === 'error';
  };
}

function openEventSource(address, handlers) {
  let source = null;
  let timer = null;
  const wait = patience();
  let closed = false;

  // After sleep or a change of network the old connection may be dead without anyone having been told.
  const reopen = () => {
    clearTimeout(timer);
    source.close();
    connect();
  };
  const close = () => {
    closed = true;
    clearTimeout(timer);
    removeEventListener('online', reopen);
    source?.close();
  };
  const take = (event) => {
    if (!closed && handlers.receive(event.type, event.data)) close();
  };
  const again = () => {
    handlers.lost();
    timer = setTimeout(connect, wait.next());
  };
  const broken = async () => {
    if (source.readyState !== EventSource.CLOSED) return handlers.lost();
    const answer = await whyClosed(address);
    if (closed) return undefined;
    if (answer === 'again') return again();
    close();
    return answer === 'gone' ? handlers.gone() : handlers.refused(answer);
  };

  function connect() {
    source = new EventSource(address);
    source.onopen = () => {
      wait.reset();
      handlers.back();
    };
    for (const name of EVENTS) {
      // The browser's own "error" has no data; the server's has.
      source.addEventListener(name, (event) => (event.data === undefined ? closed || broken() : take(event)));
    }
  }

  addEventListener('online', reopen);
  connect();
  return close;
}

/** EventSource hides why it gave up, so the same address is asked once more: the key makes that harmless. */
async function whyClosed(address) {
  const aborter = new AbortController();
  try {
    const response = await fetch(address, { headers: { Accept: 'text/event-stream' }, signal: aborter.signal });
    return await verdict(response);
  } catch {
    return 'again';
  } finally {
    aborter.abort();
  }
}
