import type { ImportColumn, ImportSheet } from '#plugins/imports';
import { fold } from '../../common/check-value.ts';
import { findReading } from '../../common/column-readings.ts';
import { findUnitConflict, findUnitReading } from '../../common/column-units.ts';
import { mustConfirmSynonym, type MatchedHeader } from '../../common/match-headers.ts';
import { importsRefusal } from '../../contract/errors.ts';
import type { BatchFinding, Constants } from '../tables.ts';

/** The last parts of the ids of messages of `findColumnProblems`, which a choice of columns changes. */
const columnMessages: ReadonlySet<string> = new Set([
  'columnMissing',
  'columnUnknown',
  'unitNotConverted',
  'hiddenColumns',
]);

/** The findings of a file that hold whatever columns are chosen. */
export const withoutColumnProblems = (findings: readonly BatchFinding[]): readonly BatchFinding[] =>
  findings.filter(({ message }) => !columnMessages.has(message.split('.').at(-1) ?? ''));

/** The column that error workbooks have in addition. */
const ignoredHeader = 'errors';

/** A column that a person must confirm: what its header means, or in which unit its values are. */
export interface UnclearColumn {
  readonly header: string;
  readonly column: ImportColumn;
  /** The unit of the header and that of the column, if the unit is unclear. */
  readonly units?: { readonly unit: string; readonly read: string };
}

/**
 * Unknown and missing columns of a sheet, those that are read in another unit than their header says or although the
 * workbook hides them, those that are unclear, and whether a person must choose columns or values. An empty list of
 * JSON has no columns at all, and needs none.
 */
export function findColumnProblems(
  sheet: ImportSheet,
  matchedHeaders: readonly MatchedHeader[],
  constants: Constants,
): {
  readonly findings: readonly BatchFinding[];
  readonly unclear: readonly UnclearColumn[];
  readonly mustChoose: boolean;
} {
  if (matchedHeaders.length === 0) return { findings: [], unclear: [], mustChoose: false };
  const missingColumns = listMissingColumns(sheet, matchedHeaders, constants);
  const unknown = matchedHeaders.filter(
    ({ header, column, by }) => column === null && by === null && header !== '' && fold(header) !== ignoredHeader,
  );
  const units = matchedHeaders.flatMap((match) => {
    const column = sheet.columns.find(({ id }) => id === match.column);
    const otherUnit = column && findUnitConflict(match.header, column);
    return otherUnit ? [{ ...match, ...otherUnit, name: column.header.en }] : [];
  });
  const columns = matchedHeaders
    .filter((match) => match.hidden === true && match.column !== null)
    .map(({ header }) => header)
    .join(', ');
  const unclear = matchedHeaders.flatMap((match) => findUnclear(sheet, match) ?? []);
  return {
    findings: [
      ...missingColumns.map(({ header }) => ({
        ...pick(importsRefusal('imports.refused.columnMissing', { column: header.en })),
        column: null,
        severity: 'ERROR' as const,
      })),
      ...unknown.map(({ header }) => ({
        ...pick(importsRefusal('imports.refused.columnUnknown', { column: header })),
        column: null,
        severity: 'WARNING' as const,
      })),
      ...units
        .filter(({ unitConfirmed }) => unitConfirmed === true)
        .map(({ header, name, read }) => ({
          ...pick(importsRefusal('imports.refused.unitNotConverted', { header, column: name, unit: read })),
          column: null,
          severity: 'WARNING' as const,
        })),
      ...(columns === ''
        ? []
        : [
            {
              ...pick(importsRefusal('imports.refused.hiddenColumns', { sheet: sheet.name, columns })),
              column: null,
              severity: 'WARNING' as const,
            },
          ]),
    ],
    unclear,
    mustChoose:
      missingColumns.length > 0 ||
      Object.values(constants).some(({ by }) => by === 'REMEMBERED') ||
      unclear.length > 0 ||
      listReadings(sheet, matchedHeaders).some(({ isOpen }) => isOpen),
  };
}

/** Required columns that no header has, and for which no value was chosen. */
export const listMissingColumns = (
  { columns }: ImportSheet,
  matchedHeaders: readonly MatchedHeader[],
  constants: Constants,
): readonly ImportColumn[] =>
  columns.filter(
    ({ id, required }) =>
      required === true && constants[id]?.by !== 'CHOSEN' && !matchedHeaders.some(({ column }) => column === id),
  );

function findUnclear({ columns }: ImportSheet, match: MatchedHeader): UnclearColumn | undefined {
  const { header, by, unitConfirmed } = match;
  const column = columns.find(({ id }) => id === match.column);
  if (!column) return undefined;
  const units = unitConfirmed === true ? undefined : findUnitConflict(header, column);
  if (units) return { header, column, units };
  const reading = findUnitReading(match, column);
  if (reading?.isOpen) return { header, column, units: { unit: reading.unit, read: reading.columnUnit } };
  return by === 'CONTENT' || mustConfirmSynonym(match, column) ? { header, column } : undefined;
}

export const listReadings = (sheet: ImportSheet, matchedHeaders: readonly MatchedHeader[]) =>
  matchedHeaders.flatMap(
    (match) => findReading(match, sheet.columns.find(({ id }) => id === match.column)?.type) ?? [],
  );

const pick = ({ message, values }: Pick<BatchFinding, 'message' | 'values'>) => ({
  message,
  ...(values ? { values } : {}),
});
