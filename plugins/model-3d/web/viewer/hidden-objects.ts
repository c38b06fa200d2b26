/** More does not go into an address that people send each other. */
const longest = 600;

/**
 * Hidden objects as an address holds them: how many objects there are, and the runs of the hidden ones among them, such
 * as `rs:0-b.d` (base 36). Of one object that is shown alone it is two runs. Undefined where none is hidden, or more
 * runs than an address holds.
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
 * None where the words are of another model, no such words, or more than `formatHidden` writes: they may name the same
 * objects many times.
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
