// Shows highlights in an article. Elements `mark` go around parts of its text nodes, so the text stays the same.
// A button without text after each highlight makes it reachable by keyboard and known to screen readers.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { colorWord } from './colors.js';
import { splitIntoSegments } from './highlight-places.js';

const MARK = 'mark[data-highlights]';
const HANDLE = 'button[data-highlight]';

/** White space in these is between blocks, where a mark is not allowed or would be seen. */
const CONTAINERS = 'table,thead,tbody,tfoot,tr,colgroup,ul,ol,dl,figure,section,article,div,blockquote,details';

/**
 * Removes the marks of an article and shows these.
 * @param {HTMLElement} body
 * @param {() => import('../article-text.js').ArticleText} readText reads the text of `body` without marks
 * @param {(text: import('../article-text.js').ArticleText) => {id: string, color: string, note: string | null,
 *   start: number, end: number}[]} findPlaces
 * @returns {{id: string}[]} the places that were found
 */
export function showMarks(body, readText, findPlaces) {
  const focused = document.activeElement?.matches(HANDLE) && document.activeElement.dataset.highlight;
  const selected = selectedOffsets(body, readText);
  removeMarks(body);
  const text = readText();
  const places = findPlaces(text);
  const placeById = new Map(places.map((place) => [place.id, place]));
  const lastMarks = new Map();
  // From the end, because splitting a node keeps what is before it.
  for (const segment of splitIntoSegments(places).reverse()) {
    const { color } = placeById.get(segment.ids[0]);
    for (const slice of text.slices(segment).reverse()) {
      const mark = wrap(slice, { color, ids: segment.ids.join(' ') });
      if (!mark) continue;
      for (const id of segment.ids) if (!lastMarks.has(id)) lastMarks.set(id, mark);
    }
  }
  for (const place of places) {
    const mark = lastMarks.get(place.id);
    if (mark) (mark.closest('a') ?? mark).after(createHandle(place));
  }
  if (focused) handleOf(body, focused)?.focus({ preventScroll: true });
  if (selected) select(readText().rangeOf(selected), selected);
  return places;
}

// Splitting and joining nodes would clear the selection that the user is making.
function selectedOffsets(body, readText) {
  const selection = getSelection();
  const { anchorNode, focusNode, isCollapsed, direction } = selection;
  if (isCollapsed || !body.contains(anchorNode) || !body.contains(focusNode)) return null;
  const offsets = readText().offsetsOf(selection.getRangeAt(0));
  return offsets.end > offsets.start ? { ...offsets, direction } : null;
}

function select({ startContainer, startOffset, endContainer, endOffset }, { direction }) {
  const bounds = [startContainer, startOffset, endContainer, endOffset];
  if (direction === 'backward') bounds.push(...bounds.splice(0, 2));
  getSelection().setBaseAndExtent(...bounds);
}

function removeMarks(body) {
  for (const handle of body.querySelectorAll(HANDLE)) handle.remove();
  for (const mark of body.querySelectorAll(MARK)) mark.replaceWith(...mark.childNodes);
  body.normalize();
}

function wrap({ node, start, end }, { color, ids }) {
  if (!node.data.slice(start, end).trim() && node.parentElement.matches(CONTAINERS)) return null;
  const mark = createElement('mark');
  Object.assign(mark.dataset, { color, highlights: ids });
  // A formula is marked as a whole.
  const formula = node.parentElement.closest('math');
  if (formula?.closest(MARK)) return formula.closest(MARK);
  if (!formula && end < node.length) node.splitText(end);
  const target = formula ?? (start ? node.splitText(start) : node);
  target.replaceWith(mark);
  mark.append(target);
  return mark;
}

function createHandle({ id, color, note }) {
  const word = { color: colorWord(color) };
  const ariaLabel = note ? t('Edit highlight: {color}, with a note', word) : t('Edit highlight: {color}', word);
  const handle = createElement('button', { type: 'button', ariaLabel, title: note || t('Edit highlight') });
  handle.dataset.highlight = id;
  handle.dataset.color = color;
  handle.classList.toggle('has-note', !!note);
  return handle;
}

/**
 * Returns the button after a highlight, or null if the article does not show it.
 * @param {HTMLElement} body
 * @param {string} id
 * @returns {HTMLButtonElement | null}
 */
export function handleOf(body, id) {
  return body.querySelector(`button[data-highlight="${CSS.escape(id)}"]`);
}

/**
 * Returns the first mark of a highlight, or null.
 * @param {HTMLElement} body
 * @param {string} id
 * @returns {HTMLElement | null}
 */
export function firstMarkOf(body, id) {
  return body.querySelector(`mark[data-highlights~="${CSS.escape(id)}"]`);
}

/**
 * Returns the id of the highlight that was clicked, or null. A click on a highlighted link follows the link.
 * @param {Element} target
 * @returns {string | null}
 */
export function clickedHighlight(target) {
  const handle = target.closest(HANDLE);
  if (handle) return handle.dataset.highlight;
  const mark = target.closest('a, summary') ? null : target.closest(MARK);
  return mark && mark.dataset.highlights.split(' ')[0];
}
