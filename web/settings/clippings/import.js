// Adding the highlights of an e-reader to the articles that they are from.

import { restRequest } from '../../shared/api/session.js';
import { findPassages } from './passages.js';

/** Characters of a list in an address. */
const MAX_LIST = 3000;
/** Articles whose texts are fetched together, and rows that are sent together. */
const ARTICLES_AT_ONCE = 10;
const ROWS_AT_ONCE = 500;

/**
 * Adds highlights.
 * @param {import('./clippings.js').ClippedBook[]} books
 * @returns {Promise<{added: number, known: number, articles: number, missing: {title: string, clips: object[],
 *   hasArticle: boolean}[]}>} `missing` are the books with highlights that no article has
 */
export async function importClippings(books) {
  const done = { added: 0, known: 0, articles: 0, missing: [] };
  const linksOf = await findLinks(books);
  for (const book of books) {
    const links = linksOf(book);
    let rest = book.clips;
    for (let start = 0; rest.length && start < links.length; start += ARTICLES_AT_ONCE) {
      rest = await addTo(links.slice(start, start + ARTICLES_AT_ONCE), rest, done);
    }
    if (rest.length) done.missing.push({ title: book.title, clips: rest, hasArticle: links.length > 0 });
  }
  return done;
}

// Returns the clips that none of the articles has.
async function addTo(links, clips, done) {
  const among = `link_id=in.(${links})`;
  const [articles, highlights] = await Promise.all([
    restRequest(`articles?select=link_id,text_content&${among}`),
    restRequest(`highlights?select=link_id,quote&${among}`),
  ]);
  const rows = [];
  let rest = clips;
  for (const { link_id, text_content } of articles) {
    const found = findPassages(text_content, rest, highlights.filter((each) => each.link_id === link_id));
    rows.push(...found.rows.map((row) => ({ link_id, ...row })));
    done.known += found.known;
    done.articles += found.rows.length > 0 ? 1 : 0;
    rest = found.rest;
  }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    await restRequest('highlights', { method: 'POST', body: some, headers: { Prefer: 'return=minimal' } });
    done.added += some.length;
  }
  return rest;
}

// Returns a function that tells the links that a book may be of: those with its id, or with its title.
async function findLinks(books) {
  const ids = [...new Set(books.map(({ id }) => id).filter(Boolean))];
  const titles = [...new Set(books.flatMap(({ heading, title }) => [heading, title]).filter(Boolean))];
  const [links, made] = [[], []];
  for (const [column, values] of Object.entries({ id: ids, title: titles })) {
    for (const list of lists(values)) {
      links.push(...await restRequest(`links?select=id,title&${column}=in.(${list})`));
      made.push(...await restRequest(`books?select=id,title,link_ids&${column}=in.(${list})`));
    }
  }
  const having = (column, value) => {
    const own = (each) => value && each[column] === value;
    return [...links.filter(own).map((link) => link.id), ...made.filter(own).flatMap((book) => book.link_ids)];
  };
  return ({ id, heading, title }) => {
    const found = [having('id', id), having('title', heading), having('title', title)];
    return [...new Set(found.find((ids) => ids.length) ?? [])];
  };
}

// Returns the values in quotes, as lists for addresses. A value that is too long for one is left out.
function lists(values) {
  const made = [];
  for (const value of values) {
    const quoted = encodeURIComponent(`"${value.replace(/["\\]/g, '\\$&')}"`);
    const longer = `${made.at(-1)},${quoted}`;
    if (made.length && longer.length <= MAX_LIST) made[made.length - 1] = longer;
    else if (quoted.length <= MAX_LIST) made.push(quoted);
  }
  return made;
}
