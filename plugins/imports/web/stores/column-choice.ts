import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/index.ts';
import type { ColumnChoice } from './import-drafts.ts';

/** The columns of a sheet by header: as the person has chosen them, else as the server proposes. */
export function readColumns({ headers }: Pick<ImportSheetState, 'headers'>, draft: ColumnChoice = {}): ColumnChoice {
  return Object.fromEntries(
    headers.map(({ header, column }) => [header, Object.hasOwn(draft, header) ? (draft[header] ?? null) : column]),
  );
}

/** Required columns that no header has, and no value for all rows. */
export function listMissing(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  choice: ColumnChoice,
  constants: readonly { readonly column: ImportColumnInfo }[] = [],
): readonly ImportColumnInfo[] {
  const chosenColumns = new Set([...Object.values(choice), ...constants.map(({ column }) => column.id)]);
  return columns.filter(({ id, required, key }) => (required || key) && !chosenColumns.has(id));
}
