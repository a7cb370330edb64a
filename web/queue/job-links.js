// The links that jobs belong to.

import { restRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';

const SELECT = 'select=id,raw_url,resolved_url,title,title_is_text,site_name,state,reason,reason_message';

/** Ids in one request, whose URL must pass through any proxy. */
const MAX_IDS = 100;

/**
 * Job id → the job's state and its link when the job was in that state. A link is fetched again when the
 * state changes.
 */
const cache = new Map();

/**
 * Adds the property `link` to jobs: the link, or an object with the URL that the job knows if the link does
 * not exist.
 * @param {object[]} jobs rows of the relation `jobs`
 * @returns {Promise<object[]>}
 */
export async function withLinks(jobs) {
  const unknown = jobs.filter(({ id, state }) => cache.get(id)?.state !== state);
  for (let start = 0; start < unknown.length; start += MAX_IDS) {
    await fetchLinks(unknown.slice(start, start + MAX_IDS));
  }
  return jobs.map((job) => ({ ...job, link: cache.get(job.id)?.link ?? missingLink(job) }));
}

function missingLink({ raw_url }) {
  return { raw_url: raw_url ?? t('A deleted link') };
}

async function fetchLinks(jobs) {
  const links = await restRequest(`links?id=in.(${jobs.map((job) => job.link_id)})&${SELECT}`);
  const linkById = new Map(links.map((link) => [link.id, link]));
  for (const { id, state, link_id } of jobs) cache.set(id, { state, link: linkById.get(link_id) });
}
