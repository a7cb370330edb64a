// What a user changes about a saved page, as requests to the server. Each can be sent twice.

import { t } from '../shared/words.js';
import { failure, rest } from './server.js';

const ONCE = { Prefer: 'return=minimal,resolution=ignore-duplicates' };
const REPLACE = { Prefer: 'return=minimal,resolution=merge-duplicates' };

/**
 * Sends one change of a link.
 * @param {string} linkId
 * @param {import('./queue-store.js').Change} change
 */
export async function sendChange(linkId, change) {
  await SENDERS[change.kind](linkId, change);
}

const SENDERS = {
  'first-title': (linkId, { title }) => rest(`links?id=eq.${linkId}&title=is.null`, {
    method: 'PATCH', body: { title, device_saved: 'browser extension' }, headers: { Prefer: 'return=minimal' },
  }).catch((error) => {
    // A token that may only save changes nothing.
    if (error.kind !== 'refused') throw error;
  }),

  link: (linkId, { values }) => rest(`links?id=eq.${linkId}`, {
    method: 'PATCH', body: values, headers: { Prefer: 'return=minimal' },
  }),

  async tag(linkId, { name }) {
    const tag_id = await tagId(name) ?? await createTag(name);
    await rest('link_tags', { method: 'POST', body: { link_id: linkId, tag_id }, headers: ONCE });
  },

  async untag(linkId, { name }) {
    const id = await tagId(name);
    if (id) await rest(`link_tags?link_id=eq.${linkId}&tag_id=eq.${id}`, { method: 'DELETE' });
  },

  // A copy is large, so it is a Blob, which the queue does not read when it is listed.
  async copy(linkId, { page }) {
    const html = await page.text();
    await rest('rpc/save_copy?select=id', { method: 'POST', body: { link: linkId, html }, isPage: true })
      .catch((error) => {
        if (error.kind !== 'missing') throw error;
        throw failure('refused', t('The server is too old to keep copies of pages. Ask its admin to update it.'));
      });
  },

  async collection(linkId, { name }) {
    const id = await collectionId(name);
    if (!id) throw failure('refused', t('There is no collection “{name}”.', { name }));
    const body = { link_id: linkId, collection_id: id };
    await rest('collection_links', { method: 'POST', body, headers: ONCE });
  },

  async uncollect(linkId, { name }) {
    const id = await collectionId(name);
    if (id) await rest(`collection_links?link_id=eq.${linkId}&collection_id=eq.${id}`, { method: 'DELETE' });
  },

  note: (linkId, { body }) => rest('notes?on_conflict=user_id,link_id', {
    method: 'POST', body: { link_id: linkId, body }, headers: REPLACE,
  }),

  // The server finds the place of the passage by its words once there is an article.
  highlight: (linkId, { id, quote, prefix, suffix }) => rest('highlights', {
    method: 'POST',
    body: { id, link_id: linkId, quote, prefix, suffix, start_offset: 0, end_offset: quote.length },
    headers: ONCE,
  }),
};

// `ilike` without its wildcards: names of tags are unique whatever the case.
async function tagId(name) {
  const pattern = encodeURIComponent(name.replace(/[\\%_*]/g, (sign) => `\\${sign}`));
  const tags = await rest(`tags?select=id,name&name=ilike.${pattern}`);
  return tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase())?.id;
}

async function createTag(name) {
  const [tag] = await rest('tags?select=id', { method: 'POST', body: { name } });
  return tag.id;
}

async function collectionId(name) {
  const rows = await rest(`collections?select=id&name=eq.${encodeURIComponent(name)}&limit=1`);
  return rows[0]?.id;
}
