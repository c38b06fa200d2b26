import { sql, type Transaction } from 'kysely';
import type { BodyOf } from '#core';
import { invalidRequest } from '#core/server';
import type { ImportScope, ImportSheet, ImportValue } from '#plugins/imports';
import type { chooseImportColumns } from '../../contract/api.ts';
import { checkValue } from '../../common/check-value.ts';
import { canBeConstant } from '../../common/constant-columns.ts';
import type { MatchedHeader } from '../../common/match-headers.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { toSiteOfValue } from '../queries/choices.ts';
import type { Constants, ImportsTables } from '../tables.ts';

type ChosenConstants = NonNullable<BodyOf<typeof chooseImportColumns>['constants']>;

/**
 * Parses the chosen values into the values that the rows will have, by column id.
 *
 * @throws `invalidRequest` (400) for a column that is unknown, chosen twice, found in the file or the only key, and for
 *   a value that its column refuses
 */
export function parseConstants(
  { columns }: ImportSheet,
  headers: readonly MatchedHeader[],
  { timeZone }: ImportScope,
  chosenConstants: ChosenConstants,
): Constants {
  const parsed = chosenConstants.map(({ column: id, value }, index) => {
    const column = columns.find((each) => each.id === id);
    const isTaken =
      headers.some((match) => match.column === id) || chosenConstants.findIndex((each) => each.column === id) !== index;
    if (!column || isTaken || !canBeConstant(columns, id))
      throw invalidRequest('A column with a value for all rows is in the file, or cannot have such a value.', [
        { pointer: `/constants/${index}/column`, message: 'core.validation.choice' },
      ]);
    const checkedValue = checkValue({ ...column, required: true }, value, timeZone);
    if (checkedValue.error)
      throw invalidRequest(importsRefusal('imports.refused.constantWrong', { value: formatValue(value) }), [
        { pointer: `/constants/${index}/value`, ...checkedValue.error },
      ]);
    return [id, { value: checkedValue.value, by: 'CHOSEN' as const }] as const;
  });
  return Object.fromEntries(parsed);
}

const formatValue = (value: ImportValue): string => (Array.isArray(value) ? value.join('; ') : String(value ?? ''));

/** Omits the values of columns that a header matches now. */
export const omitMatchedColumns = (constants: Constants, headers: readonly MatchedHeader[]): Constants =>
  Object.fromEntries(Object.entries(constants).filter(([id]) => !headers.some(({ column }) => column === id)));

/** Remembers the chosen values (codes only for their site), and forgets values that the person has removed. */
export async function rememberConstants(
  transaction: Transaction<ImportsTables>,
  { kind, sheet, scope }: { readonly kind: string; readonly sheet: ImportSheet; readonly scope: ImportScope },
  formerConstants: Constants,
  constants: Constants,
): Promise<void> {
  for (const column of sheet.columns) {
    const place = { kind, sheet: sheet.id, column_id: column.id, site: toSiteOfValue(column, scope) };
    const constant = constants[column.id];
    if (constant)
      await transaction
        .insertInto('constant_choice')
        .values({ ...place, value: JSON.stringify(constant.value) })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'sheet', 'column_id', 'site']).doUpdateSet({ value: sql`excluded.value` }),
        )
        .execute();
    else if (formerConstants[column.id])
      await transaction
        .deleteFrom('constant_choice')
        .where(({ and }) => and(place))
        .execute();
  }
}
