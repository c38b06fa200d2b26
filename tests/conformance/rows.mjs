/**
 * Ids of the requirement rows, in the order of docs/requirements.md. Throws where there is none: a conformance of
 * nothing is none.
 */
export function rowIds(markdown) {
  const ids = [...markdown.matchAll(/^\|\s*([A-Z]{3,4}-\d{2})\s*\|/gm)].map((match) => match[1]);
  if (ids.length === 0) throw new Error('docs/requirements.md names no requirement.');
  return ids;
}

/**
 * The state of each row: `failed` where a test that carries its id failed, else `passed` where one passed, else
 * `skipped` where one was skipped, else `missing`.
 *
 * @param {readonly string[]} ids
 * @param {readonly { title: string; state: string }[]} results
 */
export function rowStates(ids, results) {
  const known = new Set(ids);
  const states = new Map(ids.map((id) => [id, new Set()]));
  const unknown = new Set();
  for (const { title, state } of results) {
    for (const [, id] of title.matchAll(/\[([A-Z]{3,4}-\d{2})\]/g)) {
      if (known.has(id)) states.get(id).add(state);
      else unknown.add(id);
    }
  }
  const rows = ids.map((id) => ({
    id,
    state: ['failed', 'passed', 'skipped'].find((state) => states.get(id).has(state)) ?? 'missing',
  }));
  return { rows, unknown: [...unknown].sort() };
}
