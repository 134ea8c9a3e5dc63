/* An answer as text to take along. */
import { authorNames } from './facts.js';
import { titleOf } from './card.js';
import { t } from './strings.js';

/** The sentence, the answer and the books of a turn, as Markdown. */
export function turnAsMarkdown(turn) {
  return [`## ${turn.message}`, turn.answer.trim(), listOf(turn.books), turn.nearText, listOf(turn.near)]
    .filter(Boolean)
    .join('\n\n');
}

function listOf(items) {
  return items.map(({ book }) => `- ${lineOf(book)}`).join('\n');
}

function lineOf(book) {
  const rating = book.rating === null || book.rating === undefined ? null : t('fact.rating', book.rating.toFixed(1));
  const isbn = book.isbn13 ? `ISBN ${book.isbn13}` : null;
  const facts = [authorNames(book), book.publisher, book.year && t('fact.year', book.year), rating, isbn];
  return [`**${titleOf(book)}**`, ...facts].filter(Boolean).join(' · ');
}
