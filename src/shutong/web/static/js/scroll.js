/* Following the end: the page goes along only while the reader is there. */
import { byId } from './dom.js';

/** How near to the end, in pixels, still counts as being there. */
const NEAR_END = 96;

let following = true;

const page = () => document.scrollingElement;
const gap = () => page().scrollHeight - page().clientHeight - page().scrollTop;

/** Watches where the reader is, and the talk's growth. */
export function startFollowing() {
  const button = byId('to-end');
  const look = () => {
    following = gap() < NEAR_END;
    button.hidden = following || byId('talk').children.length === 0;
  };
  addEventListener('scroll', look, { passive: true });
  new ResizeObserver(() => {
    if (following) page().scrollTop = page().scrollHeight;
    look();
  }).observe(byId('talk'));
  button.addEventListener('click', () => toEnd('smooth'));
}

/** Goes to the end and follows from there. */
export function toEnd(behavior = 'instant') {
  following = true;
  page().scrollTo({ top: page().scrollHeight, behavior });
}

/** Goes to where a turn begins, to be read from there. */
export function toTurn(element) {
  following = false;
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
}

/** Goes to the top (of an empty talk). */
export function toTop() {
  following = true;
  page().scrollTo({ top: 0, behavior: 'instant' });
}
