/* The empty page: what this is, how many books, what one could ask; and a shelf, drawn. */
import { button, byId, el, part, svg } from './dom.js';
import { CLOTH_COLOURS, chanceFrom } from './cover.js';
import { date, language, t } from './strings.js';

const SHELF_HEIGHT = 128;
const SHELF_WIDTH = 760;
const SHELF_SEED = 20240229;

/** Shows the welcome for these stats (null: not known yet); `ask(text)` sends an example. */
export function showWelcome(stats, ask) {
  const welcome = byId('welcome');
  const about = stats ? t('welcome.about', stats.books) : t('welcome.about.unknown');
  part(welcome, 'about').textContent = about;
  part(welcome, 'fresh').textContent = stats ? freshness(stats) : '';
  const examples = stats?.examples?.[language()] ?? [];
  part(welcome, 'examples').replaceChildren(...examples.slice(0, 4).map((text) => example(text, ask)));
  const shelf = part(welcome, 'shelf');
  if (!shelf.firstChild) shelf.append(drawShelf());
}

/** The line at the foot of the side list. */
export function showFoot(stats) {
  const lines = stats ? [t('stats.books', stats.books), ...(stats.sample ? [t('stats.demo')] : [])] : [];
  byId('foot-stats').replaceChildren(...lines.flatMap((line, index) => (index ? [el('br'), line] : [line])));
}

function freshness({ updated_at: updated, sample }) {
  const when = updated && new Date(updated);
  const day = when && t('welcome.updated', date(when, { year: 'numeric', month: 'long', day: 'numeric' }));
  return [day, sample && t('welcome.sample')].filter(Boolean).join(language() === 'zh' ? '' : ' ');
}

function example(text, ask) {
  const item = el('li');
  item.append(button('', text, () => ask(text)));
  return item;
}

/** A row of spines, one of them cinnabar, one leaning. */
function drawShelf() {
  const chance = chanceFrom(SHELF_SEED);
  const spines = [];
  let x = 2;
  for (let n = 0; x < SHELF_WIDTH - 60; n += 1) {
    const wide = 13 + chance(17);
    const tall = 70 + chance(48);
    const leans = n === 11;
    const cloth = n === 6 ? '#ab3427' : CLOTH_COLOURS[Math.floor(chance(CLOTH_COLOURS.length))];
    spines.push(spine(x, wide, tall, cloth, leans, chance));
    x += leans ? wide + 22 : wide + (chance(1) < 0.08 ? 16 : 1.5);
  }
  return svg('svg', { viewBox: `0 0 ${SHELF_WIDTH} ${SHELF_HEIGHT}`, preserveAspectRatio: 'xMinYMax slice', focusable: 'false' }, spines);
}

function spine(x, wide, tall, cloth, leans, chance) {
  const top = SHELF_HEIGHT - tall;
  const body = svg('rect', { x, y: top, width: wide, height: tall, rx: 1.5, fill: cloth });
  const shade = svg('rect', { x, y: top, width: 2, height: tall, fill: '#000', 'fill-opacity': 0.14 });
  const label = svg('rect', { x: x + wide * 0.24, y: top + 10 + chance(6), width: wide * 0.52, height: tall * 0.34, fill: '#f6f1e4', 'fill-opacity': chance(1) < 0.5 ? 0.82 : 0.28 });
  const bands = svg('path', { d: `M${x} ${SHELF_HEIGHT - 14}h${wide}M${x} ${SHELF_HEIGHT - 10}h${wide}`, stroke: '#f6f1e4', 'stroke-opacity': 0.4 });
  const group = svg('g', {}, [body, shade, label, bands]);
  if (leans) group.setAttribute('transform', `rotate(-9 ${x} ${SHELF_HEIGHT}) translate(18 1)`);
  return group;
}
