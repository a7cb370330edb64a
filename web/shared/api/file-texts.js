// What the server says about a file that it cannot read, and about entries of an imported file that became no links.

import { t } from '../locale/translate.js';

/** As in error-texts.js. */
export const FILE_MESSAGES = [
  // Files
  [/^The file is empty/, () => t('The file is empty.')],
  [/^This is not a PDF, EPUB/, () => t('This is not a PDF, EPUB, HTML, Markdown or text file.')],
  [/^This file is protected by a password/, () => t('This file is protected by a password.')],
  [/^This file is damaged, or/, () => t('This file is damaged, or not of the type it claims to be.')],
  [/^This file has no text/, () => t('This file has no text.')],
  [/^This book is too large/, () => t('This book is too large or too complex to be read.')],
  [/^This file could not be read/, () => t('This file could not be read.')],
  [/^The uploaded file is missing/, () => t('The file did not arrive. Send it again.')],
  [/^The server could not read or store the file/, () =>
    t('The server could not read or store the file. Try again later.')],
  // Files of other services
  [/^This ZIP file is damaged/, () => t('This ZIP file is damaged or incomplete.')],
  [/^This ZIP file is protected/, () => t('This ZIP file is protected by a password.')],
  [/^This ZIP file holds another/, () => t('This ZIP file holds another ZIP file. Unpack it, and import that one.')],
  [/^This ZIP file holds no file of the format (?<name>\S+)\./, (values) =>
    t('This ZIP file holds no file of the format {name}.', values)],
  [/^This ZIP file unpacks to more/, () =>
    t('This ZIP file unpacks to more than 3 GiB, or has too many files. Import its parts one by one.')],
  [/^This ZIP file has names/, () =>
    t('This ZIP file has names that lead out of its folder, and is not safe to unpack. Pack it again.')],
  [/^Lectern does not recognise the format/, () => t('Lectern does not recognise the format of this file.')],
  [/^This is not a file of the format (?<name>\S+)\./, (values) =>
    t('This is not a file of the format {name}.', values)],
  [/^This is a compressed file of Firefox/, () =>
    t('This is a compressed Firefox backup. Export the bookmarks as JSON or HTML instead.')],
  [/^This is not a file of bookmarks of Chrome/, () => t('This is not a Chrome bookmarks file.')],
  [/^The first line of this file names no column/, () =>
    t('The first line of this file has no column for addresses. Name that column “url”.')],
  [/^The JSON of this file|^The file ends within quotation marks/, () =>
    t('This file is damaged or incomplete. Export it again.')],
  [/^(?:A|An) (?:tag|text|field|entry) of this file has more than 16 MB|^A line of this file/, () =>
    t('This file is damaged: a part of it is too large.')],
  [/^This file has more than 1,000,000 entries|^A table of this export has more than/, () =>
    t('This file has too many entries. Import it in parts.')],
  [/^This file is too large for its format: at most (?<limit>\d+) MB/, (values) =>
    t('This file is too large for its format: at most {limit} MB are read.', values)],
  // Entries
  [/^The entry has no address/, () => t('The entry has no address.')],
  [/^The address is longer than/, () => t('The address is too long.')],
  [/^This is not a web address/, () => t('This is not a web address.')],
  [/^Addresses that begin with '(?<scheme>.+)' cannot/, (values) =>
    t('Addresses that begin with {scheme} cannot be saved, only http and https.', values)],
  [/^The address has no host/, () => t('The address has no host.')],
  [/^The address contains a NUL/, () => t('The address contains a character that is not allowed.')],
  [/^The address is not valid/, () => t('The address is not valid.')],
  [/^The file of this document is not in/, () => t('The file of this document is not in the export.')],
  [/^The file of this document is damaged/, () => t('The file of this document is damaged.')],
  [/^The file of this document is missing/, () => t('The file of this document is missing. Send it again.')],
  [/^This is a note of karakeep/, () => t('This is a note of karakeep, not a link.')],
  [/^This is a file of karakeep/, () => t('This is a file of karakeep, not a link.')],
  [/^The file has no frontmatter|^The frontmatter has no address/, () =>
    t('The file does not give the address of its page. Add a line “url:” to its frontmatter.')],
];
