// Collections in the order in which the sidebar shows them: each one followed by those nested in it.

/**
 * @param {import('./folders-api.js').Collection[]} collections in the order of their names
 * @returns {(import('./folders-api.js').Collection & {depth: number})[]}
 */
export function collectionTree(collections) {
  const known = new Set(collections.map(({ id }) => id));
  const parentOf = ({ parent_id }) => (known.has(parent_id) ? parent_id : null);
  const below = (parent, depth) =>
    collections.filter((each) => parentOf(each) === parent)
      .flatMap((each) => [{ ...each, depth }, ...below(each.id, depth + 1)]);
  return below(null, 0);
}
