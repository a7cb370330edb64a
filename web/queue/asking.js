// What the page asks the service for.
import { signed } from '/session.js';

export const ask = (path, options) => signed('/rest/v1/' + path, options);

/** Rows, and how many there are in all. */
export const counted = (path) => ask(path, {
  headers: { Prefer: 'count=exact' },
  take: (things, answer) => ({ things, total: Number(answer.headers.get('Content-Range').split('/')[1]) }),
});

/** Takes saves back that wait to be fetched; answers how many. */
export const cancel = (which) => ask('rpc/cancel_jobs', { method: 'POST', body: which });

/** Has links fetched once more. Those of many wait behind what is saved meanwhile, as an import does. */
export const retry = (ids) => ask(`links?id=in.(${ids})`, {
  method: 'PATCH', body: { state: 'pending' },
  headers: { Prefer: 'return=minimal', ...ids.length > 1 && { 'X-Lectern-Intent': 'import' } },
});
