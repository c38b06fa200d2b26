/**
 * Parses the requirement rows of docs/requirements.md, in order, with the parts at the end of their text.
 *
 * @param {string} markdown
 * @throws Error if there is no row or the parts of a row cannot be parsed
 */
export function parseRows(markdown) {
  const rows = [...markdown.matchAll(/^\|\s*([A-Z]{3,4}-\d{2})\s*\|(.*)$/gm)].map(([, id, cells]) => ({
    id,
    parts: parseParts(id, cells),
  }));
  if (rows.length === 0) throw new Error('docs/requirements.md names no requirement.');
  return rows;
}

function parseParts(id, cells) {
  if (!/\bparts\b\W*:/i.test(cells)) return [];
  const list = /\*\*Parts:\*\*([^|]+)\|/.exec(cells)?.[1] ?? '';
  const parts = list.split(',').map((part) => part.trim());
  if (new Set(parts).size < parts.length || !parts.every((part) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)))
    throw new Error(`The parts of ${id} cannot be read. A row ends in "**Parts:** first-part, second-part |".`);
  return parts;
}

/**
 * Computes the state of each row and part. A part is `failed` if any test with its id failed, else `passed`, `skipped`
 * or `missing`. A row with parts is `failed` if a part or a test of the row failed, else `missing`, `skipped` or
 * `passed`. `unknown` lists the ids in titles that no row or part has.
 *
 * @param {readonly { id: string; parts: readonly string[] }[]} rows
 * @param {readonly { title: string; state: string }[]} results
 */
export function computeRowStates(rows, results) {
  const states = new Map(
    rows.flatMap(({ id, parts }) => [id, ...parts.map((part) => `${id}:${part}`)]).map((key) => [key, new Set()]),
  );
  const unknown = new Set();
  for (const { title, state } of results) {
    for (const [, key] of title.matchAll(/\[([A-Z]{3,4}-\d{2}[^\]]*)\]/g)) {
      if (states.has(key)) states.get(key).add(state);
      else unknown.add(key);
    }
  }
  const findState = (key) => ['failed', 'passed', 'skipped'].find((state) => states.get(key).has(state)) ?? 'missing';
  return {
    rows: rows.map(({ id, parts: names }) => {
      const parts = names.map((name) => ({ id: name, state: findState(`${id}:${name}`) }));
      if (parts.length === 0) return { id, state: findState(id), parts };
      const partStates = new Set([
        ...parts.map(({ state }) => state),
        ...(states.get(id).has('failed') ? ['failed'] : []),
      ]);
      return { id, state: ['failed', 'missing', 'skipped'].find((state) => partStates.has(state)) ?? 'passed', parts };
    }),
    unknown: [...unknown].sort(),
  };
}

/**
 * Formats a row that has not passed with its open parts: `RTE-08 missing: pid-viewer`.
 *
 * @param {{ id: string; state: string; parts: readonly { id: string; state: string }[] }} row
 */
export function formatRow({ id, state, parts }) {
  const open = ['failed', 'missing', 'skipped'].flatMap((openState) => {
    const names = parts.filter((part) => part.state === openState).map((part) => part.id);
    return names.length > 0 ? [`${openState}: ${names.join(', ')}`] : [];
  });
  if (open.length === 0 || !open[0].startsWith(state)) open.unshift(state);
  return `${id} ${open.join('; ')}`;
}
