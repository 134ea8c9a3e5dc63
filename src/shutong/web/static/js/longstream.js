/* The same stream for messages too long for an address: posted, read from the response, reconnected by hand. */
import { patience, verdict } from './retry.js';

/** As `openStream`, with `handlers.receive(name, text)` that tells when the end has come. */
export function openLongStream(request, handlers) {
  const aborter = new AbortController();
  follow(request, handlers, aborter.signal).catch((error) => {
    if (!aborter.signal.aborted) throw error;
  });
  return () => aborter.abort();
}

async function follow(request, handlers, signal) {
  const wait = patience();
  while (!signal.aborted) {
    try {
      const response = await post(request, signal);
      if (!response.ok || response.status === 204) {
        const answer = await verdict(response);
        if (answer === 'gone') return handlers.gone();
        if (answer !== 'again') return handlers.refused(answer);
      } else {
        handlers.back();
        wait.reset();
        for await (const event of events(response.body)) {
          if (handlers.receive(event.name, event.text)) return undefined;
        }
      }
    } catch (error) {
      if (signal.aborted || error instanceof SyntaxError) throw error;
    }
    handlers.lost();
    await new Promise((resolve) => setTimeout(resolve, wait.next()));
  }
  return undefined;
}

/** The key makes a second post harmless: it is told the same run from its beginning. */
function post({ message, key, conversationId }, signal) {
  const body = { message, key };
  if (conversationId) body.conversation_id = conversationId;
  const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' };
  return fetch('/api/chat', { method: 'POST', headers, body: JSON.stringify(body), signal });
}

/** The events of a text/event-stream body. Characters cut by a chunk's edge are joined by the decoder. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replace(/\r\n/g, '\n').split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

function eventOf(block) {
  const event = { name: 'message', text: '' };
  const data = [];
  for (const line of block.split('\n')) {
    const [, field, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event.name = value;
    if (field === 'data') data.push(value);
  }
  event.text = data.join('\n');
  return data.length ? event : null;
}
