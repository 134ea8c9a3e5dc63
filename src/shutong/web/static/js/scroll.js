/* Following: the page goes along with an answer while the reader is at its end, but never so far that the
   sentence asked leaves the top, unless the reader went to the end by hand. */
import { byId } from './dom.js';

/** How near to the end, in pixels, still counts as being there. */
const NEAR_END = 96;

let following = true;
/** The turn whose beginning must stay in sight, or null. */
let held = null;

const page = () => document.scrollingElement;
const gap = () => page().scrollHeight - page().clientHeight - page().scrollTop;
const barHeight = () => document.querySelector('.bar').offsetHeight;
const topOf = (element) => page().scrollTop + element.getBoundingClientRect().top - barHeight();

/** Watches where the reader is, and the talk's growth. */
export function startFollowing() {
  addEventListener('scroll', look, { passive: true });
  new ResizeObserver(() => {
    if (following) goAlong();
    look();
  }).observe(byId('talk'));
  byId('to-end').addEventListener('click', () => toEnd('smooth'));
}

/** Goes to a turn that has just been asked, and along with its answer. */
export function toNewTurn(element) {
  following = true;
  held = element;
  goAlong();
}

/** Goes to the end and follows from there. */
export function toEnd(behavior = 'instant') {
  following = true;
  held = null;
  page().scrollTo({ top: page().scrollHeight, behavior });
}

/** Goes to where a turn begins, to be read from there. */
export function toTurn(element) {
  following = false;
  held = null;
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
}

/** Goes to the top (of an empty talk). */
export function toTop() {
  following = true;
  held = null;
  page().scrollTo({ top: 0, behavior: 'instant' });
}

function goAlong() {
  const end = page().scrollHeight - page().clientHeight;
  page().scrollTop = held ? Math.min(end, topOf(held)) : end;
}

function look() {
  following = gap() < NEAR_END;
  const wentOn = held !== null && page().scrollTop - topOf(held) > NEAR_END;
  if (following && wentOn) held = null;
  byId('to-end').hidden = following || byId('talk').children.length === 0;
}
