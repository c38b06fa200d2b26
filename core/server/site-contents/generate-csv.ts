import { sql, type Kysely, type RawBuilder } from 'kysely';
import Papa from 'papaparse';

const rowsPerPage = 10_000;

/**
 * Reads rows page by page, to save memory, and writes them as CSV.
 *
 * @param rows a query whose first two columns are texts that together are unique
 */
export async function* generateCsv<Tables>(
  tables: Kysely<Tables>,
  columns: readonly [string, string, ...string[]],
  rows: RawBuilder<unknown>,
): AsyncIterable<string> {
  yield `${columns.join(',')}\r\n`;
  const key = sql`${sql.id(columns[0])}, ${sql.id(columns[1])}`;
  let lastRow: Readonly<Record<string, string | number | null>> | undefined;
  do {
    const afterLastRow = lastRow && sql`where (${key}) > (${lastRow[columns[0]]}::text, ${lastRow[columns[1]]}::text)`;
    const { rows: page }: { rows: NonNullable<typeof lastRow>[] } = await sql<NonNullable<typeof lastRow>>`
      select * from (${rows}) as row ${afterLastRow ?? sql``} order by ${key} limit ${rowsPerPage}`.execute(tables);
    if (page.length > 0)
      yield `${Papa.unparse(
        page.map((row) => columns.map((column) => row[column] ?? null)),
        { escapeFormulae: true },
      )}\r\n`;
    lastRow = page.length < rowsPerPage ? undefined : page.at(-1);
  } while (lastRow);
}
