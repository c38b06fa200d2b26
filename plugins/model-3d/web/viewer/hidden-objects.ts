/** Maximum length of the text, so that people can share the URL. */
const maxLength = 600;

/**
 * Formats hidden objects for the URL, such as `rs:0-b.d`: the number of all objects and the runs of hidden ids, in base
 * 36. Returns undefined if no object is hidden, or if the text would be too long.
 */
export function formatHidden(hiddenIds: ReadonlySet<number>, count: number): string | undefined {
  const runs: [number, number][] = [];
  for (let id = 0; id < count; id++) {
    if (!hiddenIds.has(id)) continue;
    const previous = runs.at(-1);
    if (previous?.[1] === id - 1) previous[1] = id;
    else runs.push([id, id]);
  }
  const formatRun = ([first, last]: readonly [number, number]): string =>
    first === last ? first.toString(36) : `${first.toString(36)}-${last.toString(36)}`;
  const text = `${count.toString(36)}:${runs.map(formatRun).join('.')}`;
  return runs.length === 0 || text.length > maxLength ? undefined : text;
}

/**
 * Returns an empty set if the text is invalid, belongs to another model, or is longer than `formatHidden` writes. Such
 * a text may repeat the same objects many times.
 */
export function parseHidden(text: string | undefined, count: number): ReadonlySet<number> {
  if (text === undefined || text.length > maxLength) return new Set();
  const [, total, runs] = /^([0-9a-z]{1,6}):([0-9a-z.-]+)$/.exec(text) ?? [];
  const hiddenIds = new Set<number>();
  if (total === undefined || runs === undefined || Number.parseInt(total, 36) !== count) return hiddenIds;
  for (const run of runs.split('.')) {
    const [first = Number.NaN, last = first] = run.split('-').map((end) => Number.parseInt(end, 36));
    for (let id = first; id <= Math.min(last, count - 1); id++) hiddenIds.add(id);
  }
  return hiddenIds;
}
