/** Limit of an address that people share. */
const longest = 600;

/**
 * Formats hidden objects for an address: the number of objects, and the runs of the hidden ones, such as `rs:0-b.d`
 * (base 36). An isolated object takes two runs. Undefined if none is hidden, or if there are more runs than fit.
 */
export function formatHidden(hidden: ReadonlySet<number>, count: number): string | undefined {
  const runs: [number, number][] = [];
  for (let id = 0; id < count; id++) {
    if (!hidden.has(id)) continue;
    const last = runs.at(-1);
    if (last?.[1] === id - 1) last[1] = id;
    else runs.push([id, id]);
  }
  const words = `${count.toString(36)}:${runs.map(([from, to]) => (from === to ? from.toString(36) : `${from.toString(36)}-${to.toString(36)}`)).join('.')}`;
  return runs.length === 0 || words.length > longest ? undefined : words;
}

/**
 * Returns none if the text is invalid, belongs to another model, or is longer than `formatHidden` writes, because it
 * may repeat the same objects many times.
 */
export function parseHidden(words: string | undefined, count: number): ReadonlySet<number> {
  if (words === undefined || words.length > longest) return new Set();
  const [, total, runs] = /^([0-9a-z]{1,6}):([0-9a-z.-]+)$/.exec(words) ?? [];
  const hidden = new Set<number>();
  if (total === undefined || runs === undefined || Number.parseInt(total, 36) !== count) return hidden;
  for (const run of runs.split('.')) {
    const [from = Number.NaN, to = from] = run.split('-').map((end) => Number.parseInt(end, 36));
    for (let id = from; id <= Math.min(to, count - 1); id++) hidden.add(id);
  }
  return hidden;
}
