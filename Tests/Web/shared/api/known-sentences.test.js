import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { knownText } from '../../../../web/shared/api/error-texts.js';
import { reasonNames } from '../../../../web/shared/locale/reasons.js';

const SOURCES = new URL('../../../../Sources/', import.meta.url);
const read = (path) => readFileSync(new URL(path, SOURCES), 'utf8');
const swiftFiles = readdirSync(SOURCES, { recursive: true }).filter((path) => path.endsWith('.swift'));

// A literal of Swift that begins like a sentence. Its values become the number 7, except where it has a choice of words.
const SENTENCE = /"([A-Z](?:[^"\\\n]|\\\((?:[^()\n]|\([^()\n]*\))*\))*)"/g;
const sentences = (source) => [...source.matchAll(SENTENCE)].map(([, text]) => text)
  .filter((text) => text.includes(' ') && text.endsWith('.')).map((text) => text.replace(/\\\((?:[^()]|\([^()]*\))*\)/g, '7'));
const unknown = (texts) => texts.filter((text) => !knownText(text));

/** What users do not see: the server tells them that the site could not be reached. */
const FOR_ADMINS = [/^The proxy/, /^There is no site/];

test('every reason for which a fetch fails has a text in the language of the page', () => {
  const files = ['FetchError+curl.swift', 'Response/NextStep.swift', 'Transfer/Exchange.swift', 'Transfer/RedirectChain.swift',
    'FetchedPage.swift'].map((path) => `HTTPFetch/${path}`);
  const texts = files.flatMap((path) => sentences(read(path)));
  assert.ok(texts.length > 20);
  assert.deepEqual(unknown(texts).filter((text) => !FOR_ADMINS.some((pattern) => pattern.test(text))), []);
  const answers = [...read('HTTPFetch/FetchError.swift').matchAll(/(\d{3}): "([^"]+)"/g)];
  assert.ok(answers.length > 10);
  assert.deepEqual(unknown(answers.map(([, status, what]) => `The site ${what} (status ${status}).`)), []);
});

test('every reason for which a feed cannot be read has a text in the language of the page', () => {
  const texts = ['FeedFetcher', 'FeedOutcome'].flatMap((name) => sentences(read(`Saving/Feeds/${name}.swift`)));
  assert.ok(texts.length >= 5);
  assert.deepEqual(unknown(texts), []);
});

test('every reason for which a file or an entry of an import is refused has a text in the language of the page', () => {
  const files = swiftFiles.filter((path) => path.startsWith('Import/'));
  const refusals = files.flatMap((path) => [...read(path).matchAll(
    /(?:UnreadableFile\(|problem = |(?:fail|reject)\(job, queue, |(?:fail|reject)\(job, |self\.init\()\s*"[^\n]*/g)])
    .flatMap(([line]) => sentences(line));
  const entries = sentences(read('Import/Reading/ImportedEntry.swift'));
  assert.ok(refusals.length > 20 && entries.length >= 8);
  const words = ['note', 'file', 'tag', 'text'].map((word) => [`This is a ${word} of karakeep, not a link.`,
    `A ${word} of this file has more than 16 MB; the file is damaged.`]).flat();
  const chosen = [words[0], words[2], words[5], words[7]];
  assert.deepEqual(unknown([...refusals, ...entries].filter((text) => !/^(?:This is a|A) 7/.test(text))), []);
  assert.deepEqual(unknown([...chosen, 'The address is not valid.']), []);
});

test('every reason for which a book is not made or sent has a text in the language of the page', () => {
  const texts = ['Books/MadeBookQueue.swift', 'Books/MadeBookWorker.swift', 'Jobs/Mails/MailQueue.swift',
    'Jobs/Mails/MailWorker.swift'].flatMap((path) => sentences(read(path)));
  const schema = readFileSync(new URL('../sql/schema/ereader_mails.sql', SOURCES), 'utf8');
  const [, told] = schema.match(/function private\.tell_ereader_mail(.*?)\$\$;/s);
  const said = [...told.matchAll(/'([A-Z][^']*\.)'/g)].map(([, text]) => text);
  assert.ok(texts.length >= 6 && said.length >= 3);
  assert.deepEqual(unknown([...texts, ...said]), []);
});

test('every code for which a link or a picture failed has a name', () => {
  const names = reasonNames((text) => text);
  const codes = [
    ...[...read('HTTPFetch/FetchError.swift').matchAll(/case \w+ = "(\w+)"/g)].map(([, code]) => code),
    ...[...read('Readability/Interstitials/Interstitial.swift').matchAll(/case [.\w, ]+: "(\w+)"/g)].map(([, code]) => code),
    ...[...read('Saving/Page/MissingArticle.swift').matchAll(/case [.\w, ]+: "(\w+)"/g)].map(([, code]) => code),
    ...swiftFiles.filter((path) => path.startsWith('Saving/') && !path.includes('ResolvePage'))
      .flatMap((path) => [...read(path).matchAll(/JobFailure\(\s*reason: "(\w+)"/g)].map(([, code]) => code)),
    'storage_quota', 'fetch_quota', 'quota', 'worse_page',
  ];
  assert.ok(codes.length > 20);
  // Outages: the job is repeated, and the link does not tell.
  const outages = ['database', 'reader', 'fetcher'];
  assert.deepEqual(codes.filter((code) => !names[code] && !outages.includes(code)), []);
});
