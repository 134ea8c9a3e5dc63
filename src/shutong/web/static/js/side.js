/* The side list as a drawer on narrow windows: a dialog while open, a plain column otherwise. */
import { byId } from './dom.js';
import { closeLayer, openLayer } from './route.js';

const narrow = matchMedia('(max-width: 900px)');

/** Sets up the ways to open and close it. */
export function startSide() {
  byId('side-open').addEventListener('click', () => {
    openLayer('side');
    showSide(true);
  });
  byId('side-close').addEventListener('click', closeSide);
  byId('veil').addEventListener('click', closeSide);
  byId('side').addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isSideOpen()) return;
    event.stopPropagation();
    closeSide();
  });
  narrow.addEventListener('change', () => showSide(false));
}

/** Whether the drawer is open. */
const isSideOpen = () => byId('side').hasAttribute('data-open');

/** Closes it by hand: the history entry goes too. */
export function closeSide() {
  if (!isSideOpen()) return;
  showSide(false);
  closeLayer();
}

/** Shows or hides the drawer; the history is already right. While it is open nothing else can be reached. */
export function showSide(open) {
  const side = byId('side');
  if (open === isSideOpen()) return;
  side.toggleAttribute('data-open', open);
  byId('veil').hidden = !open;
  byId('room').inert = open;
  byId('side-open').setAttribute('aria-expanded', String(open));
  side.setAttribute('role', open ? 'dialog' : 'complementary');
  if (open) side.setAttribute('aria-modal', 'true');
  else side.removeAttribute('aria-modal');
  byId(open ? 'side-close' : 'side-open').focus();
}
