/* What is said without being looked at: announcements for screen readers, and the short note at the foot. */
import { byId, part } from './dom.js';

const TOAST_MS = 6000;
const AGAIN_MS = 60;

let timer = null;
let forget = null;

/** Says a thing once, at the end of an answer. */
export function announce(text) {
  const region = byId('announce');
  region.textContent = '';
  // The same words again would be no change, and not be read.
  setTimeout(() => (region.textContent = text), AGAIN_MS);
}

/** Says how things stand (connection, refusals), apart from answers. */
export function status(text) {
  byId('status').textContent = text;
}

/** Shows a note for some seconds, with one thing to do about it ({text, act}); `gone` is called when it goes unused. */
export function toast(text, action = null, gone = null) {
  dismiss();
  const note = byId('toast');
  part(note, 'text').textContent = text;
  const act = part(note, 'act');
  act.hidden = action === null;
  act.textContent = action?.text ?? '';
  act.onclick = () => {
    forget = null;
    dismiss();
    action.act();
  };
  note.hidden = false;
  forget = gone;
  status(text);
  timer = setTimeout(dismiss, TOAST_MS);
}

/** Takes the note away now. */
export function dismiss() {
  clearTimeout(timer);
  byId('toast').hidden = true;
  const unused = forget;
  forget = null;
  unused?.();
}
