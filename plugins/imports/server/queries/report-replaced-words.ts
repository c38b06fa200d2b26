import { sql, type Kysely, type RawBuilder } from 'kysely';
import { loadValueChoices } from './choices.ts';
import type { StagedImport } from './sheet-rows.ts';
import type { ImportsTables, ReplacedWord } from '../tables.ts';

/** The text of a cell as by `fold`. */
export const foldedCell = (index: number): RawBuilder<string> =>
  sql`lower(btrim(regexp_replace(cells ->> ${index}::int, '\\s+', ' ', 'g')))`;

/** Stores which words of the files are read as other values, as chosen in earlier imports. */
export async function reportReplacedWords(
  transaction: Kysely<ImportsTables>,
  { batch, kind, scope, api }: StagedImport,
): Promise<void> {
  const sheets = await transaction
    .selectFrom('sheet')
    .select(['sheet', 'headers'])
    .where('batch', '=', batch)
    .execute();
  for (const { sheet: id, headers } of sheets) {
    const sheet = kind.sheets.find((each) => each.id === id);
    if (!sheet) continue;
    const choices = await loadValueChoices(transaction, kind.id, sheet, scope, api);
    const replacedWords: ReplacedWord[] = [];
    for (const [column, valueByWord] of choices) {
      const index = headers.findLastIndex((match) => match.column === column);
      if (index < 0) continue;
      const { rows } = await sql<{ written: string; cells: number }>`
        select written, count(*)::int as cells
        from (select ${foldedCell(index)} as written from imports.staged_row
          where batch = ${batch} and sheet = ${id} and number is not null and not edits ? ${column}) as cell
        where written = any(${[...valueByWord.keys()]}::text[])
        group by written order by written`.execute(transaction);
      for (const { written, cells } of rows) {
        const value = valueByWord.get(written);
        if (value !== undefined) replacedWords.push({ column, written, value, cells });
      }
    }
    await transaction
      .updateTable('sheet')
      .set({ replaced_words: JSON.stringify(replacedWords) })
      .where('batch', '=', batch)
      .where('sheet', '=', id)
      .execute();
  }
}
