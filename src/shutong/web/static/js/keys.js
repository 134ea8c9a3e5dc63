/* Keyboard shortcuts, and the list of them. */
import { byId, el, part } from './dom.js';
import { t } from './strings.js';
import { startDialog } from './drawer.js';

const LIST = [
  [['/', 'Ctrl K'], 'keys.focus'],
  [['Enter'], 'keys.send'],
  [['Shift Enter'], 'keys.line'],
  [['↑'], 'keys.last'],
  [['Esc'], 'keys.escape'],
  [['?'], 'keys.help'],
];

/** Listens for shortcuts: focus() the box, escape() what is open or running. */
export function startKeys({ focus, escape }) {
  startDialog(byId('keys-dialog'));
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const writing = event.target.closest('input, textarea');
    const command = event.ctrlKey || event.metaKey;
    if ((event.key === '/' && !writing && !command) || (event.key === 'k' && command)) {
      event.preventDefault();
      focus();
    } else if (event.key === '?' && !writing) {
      showKeys();
    } else if (event.key === 'Escape') {
      escape();
    }
  });
}

function showKeys() {
  const rows = LIST.flatMap(([keys, what]) => {
    const term = el('dt');
    keys.forEach((key, index) => term.append(index ? ' ' : '', el('kbd', '', key)));
    return [term, el('dd', '', t(what))];
  });
  part(byId('keys-dialog'), 'list').replaceChildren(...rows);
  byId('keys-dialog').showModal();
}
