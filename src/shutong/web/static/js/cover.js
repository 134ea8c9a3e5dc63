/* A cover drawn from the book's own data: the same book always looks the same, shelves look varied. */
import { svg } from './dom.js';
import { HEIGHT, PATTERNS, WIDTH } from './patterns.js';
import { shortTitle, widest, width, wrap, wrapEvenly } from './covertext.js';

const LIGHT = '#f6f1e4';

/** Cloth and ink; every pair reaches 5:1. Neighbours go well together. */
const CLOTHS = [
  ['#2f5d50', LIGHT],
  ['#c9a35b', '#2a2110'],
  ['#3d506e', LIGHT],
  ['#8a4638', LIGHT],
  ['#a9bfae', '#1c2a22'],
  ['#6d4459', LIGHT],
  ['#5f673c', LIGHT],
  ['#d8c7a0', '#2b2415'],
  ['#2c626c', LIGHT],
  ['#c49a86', '#2a1c15'],
  ['#474876', LIGHT],
  ['#53616b', LIGHT],
  ['#3c3a37', LIGHT],
];

/** The colours alone, for things that should look like our books. */
export const CLOTH_COLOURS = CLOTHS.map(([cloth]) => cloth);

/** How many of the cloths one category wears; the title picks among them. */
const CLOTHS_A_CATEGORY = 8;
const SLIP_TITLE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,8}$/u;
const ONE_IN_SLIPS = 4;

/** A 32-bit number from a text: FNV-1a, its bits mixed so that titles that are alike look different. */
function hash(text) {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Numbers from 0 up to a bound, the same series for the same seed (xorshift). */
export function chanceFrom(seed) {
  let state = seed || 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) / 2 ** 32) * bound;
  };
}

/** The drawn cover of a book, without meaning of its own: the title always stands beside it as text. */
export function drawCover(book) {
  const title = shortTitle(book.title ?? '');
  const seed = hash(`${book.title}|${book.authors?.[0]?.name ?? ''}`);
  const first = hash(book.category ?? book.tags?.[0] ?? book.title ?? '');
  const chance = chanceFrom(seed);
  const [cloth, ink] = CLOTHS[(first + Math.floor(chance(CLOTHS_A_CATEGORY))) % CLOTHS.length];
  const slip = SLIP_TITLE.test(title) && chance(ONE_IN_SLIPS) < 1;
  const pattern = PATTERNS[Math.floor(chance(PATTERNS.length))];
  const cover = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true', focusable: 'false', color: ink });
  cover.append(svg('rect', { width: WIDTH, height: HEIGHT, fill: cloth }));
  if (slip) cover.append(...threadBound(title, book, ink));
  else cover.append(...pattern(chance), ...titleBlock(title, book, ink));
  cover.append(svg('path', { d: `M0 0h4v${HEIGHT}H0z`, fill: '#000', 'fill-opacity': 0.14 }));
  return cover;
}

const SIZES = [
  { size: 19, most: 2 },
  { size: 16.5, most: 3 },
  { size: 14, most: 4 },
  { size: 12.5, most: 4 },
];
const TEXT_WIDTH = 94;
const AUTHOR_SIZE = 10.5;
/** Under this line the patterns begin. */
const TEXT_END = 90;

/** Title at the top, as large as it fits, and the author under it. */
function titleBlock(title, book, ink) {
  const { lines, size } = fitting(title);
  const baseline = (n) => 16 + size * (0.8 + n * 1.28);
  const texts = lines.map((text, n) => letters(text, 15, baseline(n), size, ink, 600));
  const author = authorOf(book, TEXT_WIDTH);
  const under = baseline(lines.length - 1) + 18;
  if (author && under <= TEXT_END) texts.push(letters(author, 15, under, AUTHOR_SIZE, ink, 400));
  return texts;
}

/** The largest size at which no word is broken and no letter stands alone in the last line. */
function fitting(title) {
  const unbroken = widest(title);
  for (const { size, most } of SIZES) {
    if (unbroken > TEXT_WIDTH / size) continue;
    const lines = wrapEvenly(title, TEXT_WIDTH / size, most + 1);
    const alone = lines.length > 1 && width(lines.at(-1)) <= 1;
    if (lines.length <= most && !alone) return { lines, size };
  }
  const { size, most } = SIZES.at(-1);
  return { lines: wrap(title, TEXT_WIDTH / size, most), size };
}

/** The old way of binding: thread along the spine, the title down a paper slip. */
function threadBound(title, book, ink) {
  const step = Math.min(19, 104 / title.length);
  const size = Math.min(16.5, step * 0.94);
  const tall = title.length * step + 14;
  const holes = [18, 62, 108, 152];
  const thread = `M12 0V${HEIGHT}${holes.map((y) => `M0 ${y}H12`).join('')}`;
  const stitches = svg('path', { d: thread, fill: 'none', stroke: ink, 'stroke-width': 1, 'stroke-opacity': 0.55 });
  const paper = svg('rect', { x: 84, y: 12, width: 25, height: tall, fill: LIGHT });
  const frame = svg('rect', { x: 86, y: 14, width: 21, height: tall - 4, fill: 'none', stroke: '#2a2519', 'stroke-opacity': 0.5, 'stroke-width': 0.7 });
  const down = [...title].map((letter, n) => {
    const text = letters(letter, 96.5, 19 + step * (n + 0.5) + size * 0.36, size, '#2a2519', 600);
    text.setAttribute('text-anchor', 'middle');
    return text;
  });
  const author = authorOf(book, 60);
  return [stitches, paper, frame, ...down, ...(author ? [letters(author, 22, 154, AUTHOR_SIZE, ink, 400)] : [])];
}

function authorOf(book, room) {
  const name = book.authors?.[0]?.name;
  return name ? wrap(name, room / AUTHOR_SIZE, 1)[0] : null;
}

function letters(text, x, y, size, ink, weight) {
  const node = svg('text', { x, y, fill: ink, 'font-size': size, 'font-weight': weight });
  if (weight === 400) node.setAttribute('fill-opacity', 0.85);
  const room = WIDTH - x - 6;
  if (width(text) * size > room) {
    node.setAttribute('textLength', room);
    node.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
  node.textContent = text;
  return node;
}
