import { sql, type Kysely, type RawBuilder } from 'kysely';
import Papa from 'papaparse';

const rowsPerPart = 10_000;

/**
 * Reads rows in parts, so that not all are in memory, and writes them as CSV.
 *
 * @param rows a query whose first two columns are unique texts
 */
export async function* generateCsv<Tables>(
  tables: Kysely<Tables>,
  columns: readonly [string, string, ...string[]],
  rows: RawBuilder<unknown>,
): AsyncIterable<string> {
  yield `${columns.join(',')}\r\n`;
  const key = sql`${sql.id(columns[0])}, ${sql.id(columns[1])}`;
  let last: Readonly<Record<string, string | number | null>> | undefined;
  do {
    const after = last && sql`where (${key}) > (${last[columns[0]]}::text, ${last[columns[1]]}::text)`;
    const { rows: part }: { rows: NonNullable<typeof last>[] } = await sql<NonNullable<typeof last>>`
      select * from (${rows}) as row ${after ?? sql``} order by ${key} limit ${rowsPerPart}`.execute(tables);
    if (part.length > 0)
      yield `${Papa.unparse(
        part.map((row) => columns.map((column) => row[column] ?? null)),
        { escapeFormulae: true },
      )}\r\n`;
    last = part.length < rowsPerPart ? undefined : part.at(-1);
  } while (last);
}
