// The links that jobs are about, as their user calls them.
import { ask } from './asking.js';

const COLUMNS = 'select=id,raw_url,resolved_url,title,title_is_text,state,reason_message';
// So many ids make an address that every proxy takes.
const AT_ONCE = 100;
const known = new Map();  // id of a job → { state, link }: what its link was when the job was in that state

/** The jobs, each with its `link`: the one that is there, or what the job itself knows. */
export async function withLinks(jobs) {
  const unknown = jobs.filter(({ id, state }) => known.get(id)?.state !== state);
  for (let from = 0; from < unknown.length; from += AT_ONCE) await learn(unknown.slice(from, from + AT_ONCE));
  return jobs.map((job) => ({ ...job, link: known.get(job.id)?.link ?? { raw_url: job.raw_url ?? 'A link that is gone' } }));
}

async function learn(jobs) {
  const found = new Map((await ask(`links?id=in.(${jobs.map((job) => job.link_id)})&${COLUMNS}`)).map((link) => [link.id, link]));
  for (const { id, state, link_id } of jobs) known.set(id, { state, link: found.get(link_id) });
}
