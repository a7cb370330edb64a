// The reading view: one article with everything around it. Loaded when the first article is opened.

import { ArticleView } from './article-view.js';
import { setUpBeside } from './beside/set-up.js';
import { setUpCode } from './code/set-up.js';
import { setUpContents } from './contents/set-up.js';
import { setUpFocus } from './focus/set-up.js';
import { setUpFootnotes } from './footnotes.js';
import { setUpHighlights } from './highlights/set-up.js';
import { setUpLightbox } from './lightbox.js';
import { setUpListening } from './listening/set-up.js';
import { setUpMatches } from './matches/set-up.js';
import { setUpScrollableParts } from './scrollable-parts.js';
import { setUpSharing } from './sharing/set-up.js';
import { setUpTags } from './tags/set-up.js';
import { setUpReport } from './versions/report.js';
import { setUpVersions } from './versions/set-up.js';
import { setUpWholePage } from './versions/whole-page.js';
import { setUpWriting } from './writing/set-up.js';

/**
 * Sets up the reading view.
 * @param {HTMLElement} section
 * @param {object} options those of `ArticleView`, and
 * @param {HTMLInputElement} options.speechRate
 * @param {HTMLDialogElement} options.tagDialog "More actions", which changes the tags of a link, too
 * @param {(id: string) => void} options.onTagsChanged
 * @param {(link: import('../shared/links/link-text.js').Link) => void} options.archive moves a link to Archive, and the
 *   page stays where it is
 * @param {() => import('../shared/links/link-text.js').Link[]} options.listedLinks those of the selected list
 * @returns {ArticleView}
 */
export function setUpReader(section, { speechRate, tagDialog, onTagsChanged, archive, listedLinks, ...options }) {
  setUpWriting(section, document.querySelector('#text-settings [name=vertical]'));
  // The contents take room in the text or beside it, so they are placed before the text is put in its place.
  setUpContents(section);
  const view = new ArticleView(section, options);
  setUpBeside(section, listedLinks);
  setUpCode(section);
  setUpFootnotes(section);
  const currentIndex = () => view.currentIndex;
  setUpHighlights(section, currentIndex);
  setUpLightbox(section.querySelector('.body'), document.getElementById('lightbox'));
  setUpListening(section, { speechRate, adjacentLink: options.adjacentLink, archive, currentIndex });
  setUpMatches(section, section.querySelector('#back'));
  setUpScrollableParts(section);
  setUpSharing(section, tagDialog);
  setUpFocus(section, tagDialog);
  setUpReport(section, tagDialog);
  setUpVersions(section, (id) => view.open(id));
  setUpWholePage(section, (id) => view.open(id));
  setUpTags(section, { dialog: tagDialog, onChanged: onTagsChanged });
  return view;
}
