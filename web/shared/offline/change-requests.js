// The requests that carry out changes. A request may be sent late and twice: the server compares the times of
// what the user did; see docs/clients.md, "Offline writes".

import { restRequest } from '../api/session.js';
import { SELECT } from '../links/link-requests.js';
import * as server from '../links/links-api.js';
import { addTag, removeTag, setMembership } from '../links/tags-api.js';

/**
 * A change that the user has made.
 * @typedef {object} Change
 * @property {number} [id] its place in the order of waiting changes
 * @property {'update' | 'delete' | 'save' | 'file' | 'progress' | 'tag' | 'collection' | 'request'} kind
 * @property {string} linkId
 * @property {string} [actedAt] ISO 8601
 * @property {object} [changes] of an update: the new values of columns
 * @property {string} [url] of a save
 * @property {File} [file] that is saved, with the `tags` and the `list` of its link
 * @property {object} [row] of reading progress
 * @property {string} [name] of a tag that is added
 * @property {string} [tagId] of a tag that is removed
 * @property {string} [collectionId]
 * @property {boolean} [isMember] whether the link is put into the collection or taken out
 * @property {{path: string, method: string, body?: object, prefer?: string}} [request] of any other request to the
 *   REST API
 * @property {string} [label] of any other request: what it does
 * @property {string} [key] a later change of the link with the same key replaces this one
 * @property {string} [failure] why the server has refused the change
 * @property {object} [before] the link before the change
 */

/**
 * Sends a change.
 * @param {Change} change
 * @returns {Promise<{result: any, isSuperseded?: boolean}>} the link, if the change yields one; superseded if a newer
 *   change from another device was kept instead
 * @throws {import('../api/client.js').RequestError}
 */
export function sendChange(change) {
  return senders[change.kind](change);
}

const senders = {
  async update({ linkId, changes, actedAt }) {
    const { data: [link], isSuperseded } = await timed(`links?id=eq.${linkId}&${SELECT}`, {
      method: 'PATCH',
      body: changes,
    }, actedAt);
    return { result: link ?? await server.fetchLink(linkId), isSuperseded };
  },

  async delete({ linkId, actedAt }) {
    const { isSuperseded } = await timed(`links?id=eq.${linkId}`, { method: 'DELETE' }, actedAt);
    return { result: null, isSuperseded };
  },

  async save({ url }) {
    return { result: await server.saveLink(url) };
  },

  async file(saved) {
    const { saveFile } = await import('../links/files-api.js');
    const { link } = await saveFile(saved);
    return { result: link };
  },

  async progress({ row, actedAt }) {
    await restRequest('reading_progress?on_conflict=user_id,content_hash', {
      method: 'POST',
      body: { ...row, last_updated: actedAt },
      headers: { Prefer: 'resolution=merge-duplicates,return=minimal' },
    });
    return { result: null };
  },

  async tag({ linkId, name, tagId }) {
    if (tagId) await removeTag(linkId, tagId);
    else await addTag(linkId, name);
    return { result: null };
  },

  async collection({ linkId, collectionId, isMember }) {
    await setMembership(linkId, collectionId, isMember);
    return { result: null };
  },

  async request({ request: { path, method, body, prefer }, actedAt }) {
    const headers = prefer && { Prefer: prefer };
    const { data, isSuperseded } = await timed(path, { method, body, headers }, actedAt);
    return { result: data, isSuperseded };
  },
};

async function timed(path, { headers, ...options }, actedAt) {
  return restRequest(path, {
    ...options,
    headers: { ...headers, 'X-Lectern-Acted-At': actedAt, 'X-Lectern-Sent-At': new Date().toISOString() },
    transform: (data, response) => ({
      data: data ?? [],
      isSuperseded: Number(response.headers.get('X-Lectern-Superseded')) > 0,
    }),
  });
}
