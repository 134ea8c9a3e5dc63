/* Setting a title on a small cover: breaking it into lines by estimated widths, Chinese and Latin alike. */

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]|\p{Extended_Pictographic}/u;
const JOINS_BEFORE = /^(的|之|们|\s)$/;
/** A letter that no dictionary put into a word, and that is not a word by itself: two such belong together (编程). */
const LONE = /^(?![与和的在是了之或及于对从为])\p{Script=Han}$/u;
const NEVER_FIRST = /^[,.:;!?)\]}»”’、。，：；！？）】》」』·…—-]/u;

/** The estimated width of a text in ems of its font size. */
export function width(text) {
  let sum = 0;
  for (const letter of text) sum += widthOf(letter);
  return sum;
}

function widthOf(letter) {
  if (WIDE.test(letter)) return 1;
  if (/[MWmw@&]/.test(letter)) return 0.9;
  if (/[A-Z0-9]/.test(letter)) return 0.7;
  return /[ .,:;'|iljt]/.test(letter) ? 0.32 : 0.58;
}

/** The width of the widest thing that should not be broken. */
export const widest = (text) => Math.max(0, ...words(text, Infinity).map((word) => width(word.trimEnd())));

/** What of a title goes on the cover: the part before a colon or a bracket, when that says enough. */
export function shortTitle(title) {
  const [main] = title.split(/[:：(（\[【|｜]| [-–—] |——/u, 1);
  return main.trim().length >= 2 ? main.trim() : title.trim();
}

/** At most `most` lines of at most `limit` ems; the last one ends in … when not all fits. */
export function wrap(text, limit, most) {
  const lines = [''];
  for (const word of words(text, limit)) {
    const line = lines.at(-1);
    const fits = width(line + word.trimEnd()) <= limit || (NEVER_FIRST.test(word) && width(line + word) <= limit + 1);
    if (fits || line === '') lines[lines.length - 1] += word;
    else lines.push(word.trimStart());
  }
  const kept = lines.length <= most ? lines : [...lines.slice(0, most - 1), shortened(lines.slice(most - 1).join(''), limit)];
  return kept.map((line) => line.trim()).filter(Boolean);
}

/** As `wrap`, with lines of about the same length where that needs no more of them. */
export function wrapEvenly(text, limit, most) {
  let best = wrap(text, limit, most);
  const least = Math.max(limit * 0.5, widest(text));
  for (let narrower = limit - 0.2; narrower >= least; narrower -= 0.2) {
    const lines = wrap(text, narrower, most);
    if (lines.length > best.length || lines.at(-1).endsWith('…')) break;
    best = lines;
  }
  return best;
}

/** Where a line may break: between words of any script; words wider than a line break anywhere. */
function words(text, limit) {
  const found = [];
  for (const piece of pieces(text)) {
    const joined = (found.at(-1) ?? '') + piece;
    if (found.length && clings(found.at(-1), piece) && width(joined.trimEnd()) <= limit) found[found.length - 1] = joined;
    else found.push(...(width(piece.trimEnd()) <= limit ? [piece] : piece));
  }
  return found;
}

/** Particles and spaces stay with the word before them, and so does what is written to it without a space. */
function clings(word, piece) {
  if (JOINS_BEFORE.test(piece) || (LONE.test(word) && LONE.test(piece))) return true;
  return !WIDE.test(word) && !WIDE.test(piece) && !word.endsWith(' ');
}

/** The words of a text by the browser's own dictionary, or its letters where it has none. */
function pieces(text) {
  if (!Intl.Segmenter) return [...text];
  return Array.from(new Intl.Segmenter('zh', { granularity: 'word' }).segment(text), ({ segment }) => segment);
}

function shortened(text, limit) {
  let kept = '';
  for (const letter of text) {
    if (width(kept + letter) > limit - 1) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}
