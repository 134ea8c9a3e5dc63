/* Requests to our own server that have one answer. Every failure is a `Problem`. */

/** What went wrong: `code` is stable, `message` is a sentence for the reader (or empty), `status` 0 without an answer. */
export class Problem extends Error {
  constructor(code, sentence, status) {
    super(sentence);
    this.code = code;
    this.status = status;
  }
}

/** Reads a refused response into a `Problem`. */
export async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  const detail = typeof body.detail === 'string' ? body.detail : '';
  return new Problem(body.code ?? `http_${response.status}`, detail, response.status);
}

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Problem('network', '', 0);
  }
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? null : response.json();
}

const json = { 'Content-Type': 'application/json' };

export const fetchStats = () => request('/api/stats');
export const fetchTalks = (limit, offset) => request(`/api/conversations?limit=${limit}&offset=${offset}`);
export const fetchTalk = (id) => request(`/api/conversations/${encodeURIComponent(id)}`);
export const fetchBook = (id) => request(`/api/books/${encodeURIComponent(id)}`);
export const fetchRun = (id) => request(`/api/runs/${encodeURIComponent(id)}`);

/** Deletes a conversation; with `leaving` the request outlives the page. */
export function deleteTalk(id, leaving = false) {
  return request(`/api/conversations/${encodeURIComponent(id)}`, { method: 'DELETE', headers: json, keepalive: leaving });
}

/** Stops a run at the server. */
export function cancelRun(id) {
  return request(`/api/runs/${encodeURIComponent(id)}/cancel`, { method: 'POST', headers: json, body: '{}' });
}
