/* When a stream is worth another try, and how long to wait before it. */
import { problemOf } from './api.js';

const FIRST_MS = 1000;
const MOST_MS = 15000;

/** The waits between tries, in milliseconds: doubled each time up to a limit, from the start again after `reset`. */
export function patience() {
  let wait = FIRST_MS;
  return {
    next() {
      const now = wait;
      wait = Math.min(wait * 2, MOST_MS);
      return now;
    },
    reset() {
      wait = FIRST_MS;
    },
  };
}

/** What a response says about a stream: 'gone' (nothing more to send), 'again' (try once more), or the `Problem`. */
export async function verdict(response) {
  if (response.status === 204) return 'gone';
  if (response.ok) return 'again';
  const problem = await problemOf(response);
  const fromProxy = [502, 503, 504].includes(response.status) && problem.code.startsWith('http_');
  return fromProxy ? 'again' : problem;
}
