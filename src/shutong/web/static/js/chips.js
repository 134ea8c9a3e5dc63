/* What was understood, as chips: hard ones solid, soft ones dashed, each with a way to drop it. */
import { button, clone, el, part } from './dom.js';
import { t } from './strings.js';

/** The list items for a turn's chips. Only the newest turn's can be dropped (`open`), and not while an answer comes (`busy`). */
export function makeChips(chips, { open, busy, drop, add }) {
  const items = chips.map((chip) => makeChip(chip, { open, busy, drop }));
  if (open && chips.length) items.push(addChip(busy, add));
  return items;
}

/** The `drop` parameter that names a chip's condition to the server. */
export const dropOf = ({ field, value }) => `${field}:${JSON.stringify(value)}`;

function makeChip(chip, { open, busy, drop }) {
  const item = clone('t-chip');
  item.classList.toggle('soft', Boolean(chip.soft));
  part(item, 'text').textContent = chip.text;
  if (chip.soft) item.title = t('chip.soft');
  const cross = part(item, 'drop');
  cross.hidden = !open || chip.field === undefined;
  cross.disabled = busy;
  cross.setAttribute('aria-label', t('chip.drop', chip.text));
  cross.title = t('chip.drop', chip.text);
  cross.addEventListener('click', () => drop(chip));
  return item;
}

function addChip(busy, add) {
  const item = el('li', 'chip soft add');
  const more = button('', t('chip.add'), add);
  more.disabled = busy;
  item.append(more);
  return item;
}
