/* A book's facts in words: the by-line, the misses, the table of the drawer. What is unknown is only said when asked. */
import { el } from './dom.js';
import { t, language } from './strings.js';

const MOST_AUTHORS = 3;

/** The by-line: authors with countries, year, pages, rating. `query` tells which unknown facts deserve a word. */
export function byLine(book, query = {}) {
  const asked = askedOf(query);
  const pieces = [
    authors(book, asked),
    fact(book.year, 'fact.year', asked('year_from', 'year_to') && 'unknown.year'),
    fact(book.pages, 'fact.pages', asked('min_pages', 'max_pages') && 'unknown.pages'),
    series(book),
    rating(book, asked),
  ];
  return pieces.filter(Boolean);
}

/** One line for a list: first author, year, publisher. */
export function shortLine(book) {
  return [authorNames(book), book.year && t('fact.year', book.year), book.publisher].filter(Boolean).join(' · ');
}

/** The authors in one line, with their countries, the long lists cut and counted. */
export function authorNames(book) {
  const people = book.authors ?? [];
  const shown = people.slice(0, MOST_AUTHORS).map(({ name, country }) => t('fact.author', name, country));
  const more = people.length > MOST_AUTHORS ? t('fact.more', people.length) : '';
  return shown.join(t('fact.join')) + more;
}

/** The rows of the drawer's table: [label, value]. What every book has is said to be unknown when it is. */
export function factRows(book) {
  const list = (values) => (values ?? []).join(t('fact.join'));
  return [
    ['book.original', book.original_title],
    ['book.authors', list((book.authors ?? []).map(({ name, country }) => t('fact.author', name, country)))],
    ['book.translators', list(book.translators)],
    ['book.publisher', book.publisher ?? unknown()],
    ['book.year', book.year === null ? unknown() : t('fact.year', book.year)],
    ['book.first_year', book.first_year === null || book.first_year === book.year ? null : t('fact.year', book.first_year)],
    ['book.pages', book.pages ? t('fact.pages', book.pages) : unknown()],
    ['book.rating', book.rating === null ? unknown() : ratingWords(book)],
    ['book.language', book.language && languageName(book.language)],
    ['book.series', book.series && t('fact.series', book.series, book.series_index)],
    ['book.category', book.category],
    ['book.tags', list(book.tags)],
    ['book.level', book.level && t(`level.${book.level}`)],
    ['book.audience', book.audience],
    ['book.price', money(book.price)],
  ].filter(([, value]) => value);
}

/** Whether an answer tells a rating that was made up for the sample without saying so. */
export function saysDemoRatings({ answer, books, near }) {
  if (/示例评分|demo rating/i.test(answer)) return false;
  const figures = new Set(answer.match(/\d+(?:\.\d+)?/g));
  return [...books, ...near].some(({ book }) => book.rating_source === 'demo' && book.rating && figures.has(points(book.rating)));
}

/** The rating as parts: a star, the figure, the count, and the mark of figures made up for the sample. */
function ratingParts(book) {
  const line = el('span', 'fact');
  line.append(el('span', 'unseen', t('fact.rating', points(book.rating))));
  const seen = el('span', 'star', `★ ${points(book.rating)}`);
  seen.setAttribute('aria-hidden', 'true');
  line.append(seen);
  if (book.rating_count) line.append(t('fact.count', book.rating_count));
  if (book.rating_source === 'demo') line.append(demoMark());
  return line;
}

/** One condition that a near miss does not meet, in words: "7.8 分，你要 8.0 分". */
export function missText({ field, asked, has }) {
  const [value, wish] = MISSES[field] ?? [plain, plain];
  if (has === null || has === undefined) return unknownOf(field) ?? t('miss.without', wish(asked));
  if (!(field in MISSES)) return t('miss.not', plain(asked));
  return t('miss.ask', value(has), wish(asked));
}

const points = (value) => Number(value).toFixed(1);
const plain = (value) => (Array.isArray(value) ? value.join(t('fact.join')) : String(value));
const said = (key) => (value) => t(key, value);

const MISSES = {
  year_from: [said('miss.year'), said('miss.from')],
  year_to: [said('miss.year'), said('miss.to')],
  first_year_from: [said('miss.year'), said('miss.from')],
  first_year_to: [said('miss.year'), said('miss.to')],
  min_pages: [said('miss.pages'), said('miss.pages.min')],
  max_pages: [said('miss.pages'), said('miss.pages.max')],
  min_rating: [(value) => t('miss.points', points(value)), points],
  min_rating_count: [said('miss.people'), plain],
  max_price: [plain, said('miss.money')],
  author_country: [plain, plain],
  language: [languageOfValue, languageOfValue],
  level: [(value) => t(`level.${value}`), (value) => t(`level.${value}`)],
};

const UNKNOWN = {
  year_from: 'unknown.year',
  year_to: 'unknown.year',
  first_year_from: 'unknown.year',
  first_year_to: 'unknown.year',
  min_pages: 'unknown.pages',
  max_pages: 'unknown.pages',
  min_rating: 'unknown.rating',
  min_rating_count: 'unknown.rating',
  max_price: 'unknown.price',
  author_country: 'unknown.country',
  language: 'unknown.language',
};

function unknownOf(field) {
  return field in UNKNOWN ? t(UNKNOWN[field]) : null;
}

function askedOf(query) {
  const isAsked = (value) => value !== undefined && value !== null && value.length !== 0;
  return (...fields) => fields.some((field) => isAsked(query[field]) || isAsked(query.prefer?.[field]));
}

function fact(value, key, unknownKey) {
  if (value !== null && value !== undefined) return el('span', 'fact', t(key, value));
  return unknownKey ? el('span', 'fact unknown', t(unknownKey)) : null;
}

function authors(book, asked) {
  const names = authorNames(book);
  if (!names) return null;
  const line = el('span');
  const name = el('bdi', '', names);
  line.append(name);
  const noCountry = book.authors.every(({ country }) => !country);
  if (noCountry && asked('author_country', 'exclude_countries')) line.append(' ', el('span', 'unknown', t('unknown.country')));
  return line;
}

function series(book) {
  return book.series ? el('span', '', t('fact.series', book.series, book.series_index)) : null;
}

function rating(book, asked) {
  if (book.rating !== null && book.rating !== undefined) return ratingParts(book);
  return asked('min_rating', 'min_rating_count') ? el('span', 'fact unknown', t('unknown.rating')) : null;
}

function demoMark() {
  const mark = el('em', 'demo', t('card.demo'));
  mark.title = t('stats.demo');
  return mark;
}

const unknown = () => el('span', 'unknown', t('unknown'));

function ratingWords(book) {
  const count = book.rating_count ? t('fact.count', book.rating_count) : '';
  const demo = book.rating_source === 'demo' ? t('fact.demo') : '';
  return points(book.rating) + count + demo;
}

function money(price) {
  if (!price) return null;
  if (!price.currency) return String(price.amount);
  try {
    return new Intl.NumberFormat(language(), { style: 'currency', currency: price.currency }).format(price.amount);
  } catch {
    return `${price.amount} ${price.currency}`;
  }
}

function languageName(code) {
  try {
    return new Intl.DisplayNames([language() === 'zh' ? 'zh-CN' : 'en'], { type: 'language' }).of(code);
  } catch {
    return code;
  }
}

function languageOfValue(value) {
  return [value].flat().map(languageName).join(t('fact.join'));
}
