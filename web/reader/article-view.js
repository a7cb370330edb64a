// The reader: one article with its facts, state, lost highlights and merged links.

import { formatDate } from '../shared/format/dates.js';
import { renderLinkControls } from '../shared/links/link-controls.js';
import { displayText, linkFacts, linkHost, linkTitle } from '../shared/links/link-text.js';
import { setOriginal } from '../shared/links/original.js';
import { fetchArticle } from '../shared/offline/offline-articles.js';
import { failure } from '../shared/ui/messages.js';
import { showAfterReading } from './after-reading.js';
import { sanitizeArticle } from './article-sanitizer.js';
import { showLostHighlights } from './lost-highlights.js';
import { showMergedLinks } from './merged-links.js';
import { showPictures } from './pictures.js';
import { ReadingProgress } from './progress/reading-progress.js';
import { READING_MESSAGES } from './reading-messages.js';

/** Reasons for which a browser may see an article where the server did not. */
const SENDABLE_REASONS = ['no_article', 'consent_wall', 'login_wall', 'bot_challenge'];

/** Parts that are emptied while another article loads. */
const PARTS = ['.site', 'h1', '.byline', '.body', '.state'];

/** @typedef {import('../shared/links/link-text.js').Link} Link */

export class ArticleView {
  #section;
  #store;
  #onOpened;
  #onUnmerged;
  #adjacentLink;
  #progress;
  /** The id in the URL. It is not the link's own id if that link was merged into another one. */
  #requestedId = null;
  /** The numbers of the last request for an article, and of the one that is shown. */
  #requests = 0;
  #shownRequest = 0;
  /** Whether the open link is shown as it is after the server has finished with it. */
  #isFinished = false;

  /**
   * The id of the open link, or null.
   * @type {string | null}
   */
  linkId = null;

  /**
   * @param {HTMLElement} section
   * @param {object} options
   * @param {import('../shared/links/link-store.js').LinkStore} options.store
   * @param {() => void} options.onOpened called after an article was loaded
   * @param {(links: Link[]) => void} options.onUnmerged called with the two links after a merge was undone
   * @param {(link: Link, offset: 1 | -1) => Promise<Link | undefined>} options.adjacentLink the link before or
   *   after one in its list
   */
  constructor(section, { store, onOpened, onUnmerged, adjacentLink }) {
    this.#section = section;
    this.#store = store;
    this.#onOpened = onOpened;
    this.#onUnmerged = onUnmerged;
    this.#adjacentLink = adjacentLink;
    this.#progress = new ReadingProgress(section);
    store.onChange((link) => {
      if (link.id === this.linkId) this.#renderState(link);
    });
  }

  /** The index of the first character on the screen, in the text that the article shows. */
  get currentIndex() {
    return this.#progress.currentIndex;
  }

  /**
   * Opens a link, or loads the open link again.
   * @param {string} id
   * @param {boolean} [unlessFinished] leaves the link as it is, with the focus and a selection, if it was loaded after
   *   the server had finished with it
   */
  async open(id, unlessFinished = false) {
    const isOther = this.#requestedId !== id && this.linkId !== id;
    const isShown = () => unlessFinished && this.#isFinished;
    if (isShown()) return;
    if (isOther) {
      this.#isFinished = false;
      this.#progress.expect(id);
      scrollTo(0, 0);
      for (const part of PARTS) this.#part(part).replaceChildren();
      this.linkId = id;
      this.#tell('article-closed');
    }
    this.#requestedId = id;
    const request = ++this.#requests;
    try {
      const { link, article } = await fetchArticle(id);
      // Two requests for one link may be answered in the other order.
      if (this.#requestedId !== id || request < this.#shownRequest || isShown()) return;
      this.#shownRequest = request;
      if (!link) throw failure(READING_MESSAGES.linkGone);
      this.linkId = link.id;
      this.#renderArticle(link, article ?? {});
      if (!article) throw failure(READING_MESSAGES.articleNotKept);
    } catch (error) {
      if (this.#requestedId === id && request === this.#requests) this.#showFailure(error);
    }
    if (this.#requestedId === id) this.#part('h1').focus({ preventScroll: true });
  }

  #showFailure({ message }) {
    this.#isFinished = false;
    this.#part('.body').replaceChildren(message);
    this.#tell('article-failed');
  }

  /** Loads the open link again if it is shown without an article, such as one that was not kept on this device. */
  openIfEmpty() {
    if (this.#requestedId && !this.#part('.body').childElementCount) this.open(this.#requestedId);
  }

  /** Forgets the open link; responses that are still on their way are dropped. */
  close() {
    this.#progress.close();
    this.#requestedId = null;
    this.#isFinished = false;
    this.linkId = null;
    this.#tell('article-closed');
  }

  #renderArticle(link, article) {
    const { content, url, lang, dir, metadata_is_text: isText } = article;
    const title = displayText(article.title, isText) || linkTitle(link);
    const byline = displayText(article.byline, isText);
    document.title = title;
    this.#part('.site').replaceChildren(displayText(article.site_name, isText) || linkHost(link));
    this.#part('h1').replaceChildren(title);
    this.#part('.byline').replaceChildren(linkFacts(article, byline, publicationDate(article)));

    const body = this.#part('.body');
    body.replaceChildren(...(content ? sanitizeArticle(content, url) : []));
    body.lang = lang ?? '';
    body.dir = dir || 'auto';
    showPictures(body, link.id, url);

    setOriginal(this.#part('.source a'), link);
    this.#isFinished = true;
    // Renders the state, as this view subscribes to the store.
    this.#store.merge({ ...link, hasArticle: !!content });
    this.#onOpened();
    const minutes = link.reading_time ?? article.reading_time;
    this.#progress.open(link.id, minutes);
    showAfterReading(this.#part('.after-reading'), link, {
      previous: this.#adjacentLink(link, -1),
      next: this.#adjacentLink(link, 1),
    });
    showLostHighlights(this.#part('.lost-highlights'), link);
    showMergedLinks(this.#part('.merged-links'), link, this.#onUnmerged);
    this.#tell('article-shown', { link, article });
  }

  #renderState(link) {
    const isPending = link.state === 'pending';
    if (isPending) this.#isFinished = false;
    // Of a page that was too large, or that shows subscribers more, only a part is stored; the reason says
    // so.
    const isPartial = link.hasArticle && link.state === 'ready' && !!link.reason_message;
    const showStatus = !link.hasArticle || isPartial;
    renderLinkControls(this.#section, link, { showStatus, showRetry: !isPartial });
    this.#part('#send-page').hidden = !showStatus || isPending || !SENDABLE_REASONS.includes(link.reason);
  }

  // Highlights, listening and other parts of the reader listen to these events of the section.
  #tell(type, detail) {
    this.#section.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #part(selector) {
    return this.#section.querySelector(selector);
  }
}

// `published_time` is what the page says, which may not be a date.
function publicationDate({ published_at, published_time }) {
  if (!published_at) return published_time;
  return formatDate(published_at, 'long');
}
