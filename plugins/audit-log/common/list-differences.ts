/** A value that a change created, replaced or deleted. `before` or `after` is undefined if there was none. */
export interface Difference {
  /** Key of the changed row, or uid of the changed location. Empty for a detail of the entry itself. */
  readonly subject: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toList = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.filter(isValues) : []);
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Details that link an entry to other entries. They are not shown as differences. */
const references = new Set(['change', 'undoes']);

/**
 * Lists the values before and after a change from the details of its audit entry. The details are rows with their key
 * (`details.rows`), objects with a uid (`details.before`, `details.after`), or other values, which are listed one by
 * one.
 */
export function listDifferences(details: Values): readonly Difference[] {
  if (Array.isArray(details['rows']))
    return toList(details['rows']).flatMap(({ table, key, before, after }) =>
      compareRows(
        [table, ...(isValues(key) ? Object.values(key) : [])].map(toText).join(' '),
        isValues(before) ? before : {},
        isValues(after) ? after : {},
      ),
    );
  if (Array.isArray(details['before']) || Array.isArray(details['after'])) {
    const before = indexByUid(details['before']);
    const after = indexByUid(details['after']);
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((uid) =>
      compareRows(uid, before.get(uid) ?? {}, after.get(uid) ?? {}),
    );
  }
  return Object.entries(details)
    .filter(([field]) => !references.has(field))
    .map(([field, value]) => ({ subject: '', field, before: undefined, after: value }));
}

const indexByUid = (rows: unknown): ReadonlyMap<string, Values> =>
  new Map(toList(rows).map((row) => [toText(row['uid']), row]));

function compareRows(subject: string, before: Values, after: Values): readonly Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ subject, field, before: before[field], after: after[field] }));
}
