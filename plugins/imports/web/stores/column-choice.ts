import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/index.ts';
import type { ColumnChoice } from './import-drafts.ts';

/** The column of each header of a sheet: the one in the draft of the person, else the one that the server proposes. */
export function resolveColumnChoice(
  { headers }: Pick<ImportSheetState, 'headers'>,
  draft: ColumnChoice = {},
): ColumnChoice {
  return Object.fromEntries(
    headers.map(({ header, column }) => [header, Object.hasOwn(draft, header) ? (draft[header] ?? null) : column]),
  );
}

/** Required columns and key columns that have neither a header nor a value for all rows. */
export function listMissingColumns(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  choice: ColumnChoice,
  constants: readonly { readonly column: ImportColumnInfo }[] = [],
): readonly ImportColumnInfo[] {
  const chosenColumns = new Set([...Object.values(choice), ...constants.map(({ column }) => column.id)]);
  return columns.filter(({ id, required, key }) => (required || key) && !chosenColumns.has(id));
}
