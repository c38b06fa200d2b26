import { detectNumberFormat, toPointer, toPointNumber, type FieldError } from '#core';
import { invalidRequest } from '#core/server';
import type { ImportSheet } from '#plugins/imports';
import type { RawValue } from '../../common/check-value.ts';
import type { MatchedHeader } from '../../common/match-headers.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { findColumnProblems } from '../queries/find-column-problems.ts';
import { getSheet, type AnyKind } from '../kinds/kind-registry.ts';

type Rows = readonly Readonly<Record<string, RawValue>>[];

/**
 * Refuses rows of a call with a column that a person would have to confirm in a file. Missing columns, and values that
 * can be read in two ways by themselves, are findings of the preview.
 *
 * @throws `invalidRequest` (400) with one field for each such column
 */
export function assertNoUnclearColumns(
  kind: AnyKind,
  matchedSheets: readonly { readonly sheet: string; readonly headers: readonly MatchedHeader[] }[],
  rows: Readonly<Record<string, Rows>>,
): void {
  const unclearColumns = matchedSheets.flatMap(({ sheet, headers }) =>
    listUnclearColumns(getSheet(kind, sheet), headers, rows[sheet] ?? []).map(({ header, refusal }) => ({
      refusal,
      pointer: toPointer(
        'sheets',
        sheet,
        (rows[sheet] ?? []).findIndex((row) => findKey(row, header) !== undefined),
        (rows[sheet] ?? []).flatMap((row) => findKey(row, header) ?? [])[0] ?? header,
      ),
    })),
  );
  const [first] = unclearColumns;
  if (!first) return;
  throw invalidRequest(
    first.refusal,
    unclearColumns.map(({ pointer, refusal: { message, values } }): FieldError => ({
      pointer,
      message,
      ...(values ? { values } : {}),
    })),
  );
}

/** The key that a row of a call has for a header, which is stored without outer spaces. */
const findKey = (row: Rows[number], header: string): string | undefined =>
  Object.keys(row).find((key) => key.trim() === header);

interface UnclearColumn {
  readonly header: string;
  readonly refusal: ReturnType<typeof importsRefusal>;
}

function listUnclearColumns(
  sheet: ImportSheet,
  headers: readonly MatchedHeader[],
  rows: Rows,
): readonly UnclearColumn[] {
  const unconfirmedColumns = findColumnProblems(sheet, headers, {}).unclear.map(
    ({ header, column, units }): UnclearColumn => {
      const { id } = column;
      const { en, fr } = column.header;
      if (units)
        return {
          header,
          refusal: importsRefusal('imports.refused.unclearUnit', {
            sheet: sheet.name,
            header,
            id,
            unit: units.unit,
            read: units.read,
          }),
        };
      const name = en === fr ? en : `${en} / ${fr}`;
      return {
        header,
        refusal: importsRefusal('imports.refused.unclearColumn', { sheet: sheet.name, header, id, column: name }),
      };
    },
  );
  const mixedNumberColumns = headers.flatMap(({ header, column: id }): readonly UnclearColumn[] => {
    const type = sheet.columns.find((column) => column.id === id)?.type;
    const examples = type === 'NUMBER' || type === 'INTEGER' ? findMixedNumbers(rows, header) : undefined;
    if (!examples) return [];
    const refusal = importsRefusal('imports.refused.unclearNumbers', {
      sheet: sheet.name,
      header,
      examples: examples.join(' · '),
    });
    return [{ header, refusal }];
  });
  return [...unconfirmedColumns, ...mixedNumberColumns];
}

/** Finds a number with a decimal comma, and one of the same column whose comma or point then has another meaning. */
function findMixedNumbers(rows: Rows, header: string): readonly [string, string] | undefined {
  const texts = rows.flatMap((row) => {
    const value = row[findKey(row, header) ?? header];
    return typeof value === 'string' ? value.trim() : [];
  });
  const decimalCommaText = texts.find((text) => detectNumberFormat(text) === 'DECIMAL_COMMA');
  const conflictingText = texts.find((text) => {
    const read = toPointNumber(text, 'DECIMAL_COMMA');
    return 'ambiguous' in read || 'contradicts' in read;
  });
  return decimalCommaText === undefined || conflictingText === undefined
    ? undefined
    : [decimalCommaText, conflictingText];
}
