/** The range of PostgreSQL's `integer`, the type of all columns for integers of requests. */
const int4 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;

/** Copies a schema, adding the bounds of PostgreSQL's `integer` to each integer without bounds. */
export function boundIntegers<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((item: unknown) => boundIntegers(item)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, boundIntegers(value)]));
  if (copy['type'] !== 'integer') return copy as T;
  return {
    ...('exclusiveMinimum' in copy ? {} : { minimum: int4.minimum }),
    ...('exclusiveMaximum' in copy ? {} : { maximum: int4.maximum }),
    ...copy,
  } as T;
}
