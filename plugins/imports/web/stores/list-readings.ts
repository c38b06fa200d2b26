import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState, ReadFormat } from '../../contract/index.ts';
import { findReading, type ColumnEvidence, type ColumnReading } from '../../common/column-readings.ts';
import type { ColumnChoice, FormatChoice } from './import-drafts.ts';

export interface ListedReading extends ColumnReading {
  readonly header: string;
  readonly column: ImportColumnInfo;
  /** The only format that fits the values, with such a value. It is set even if a person chose another format. */
  readonly decided: { readonly format: ReadFormat; readonly example: string } | undefined;
}

/** The columns of a sheet whose values could be read in two ways, with the way in which they are read. */
export function listReadings(
  { columns }: Pick<ImportSheetInfo, 'columns'>,
  { headers }: Pick<ImportSheetState, 'headers'>,
  choice: ColumnChoice,
  formats: FormatChoice = {},
): readonly ListedReading[] {
  return headers.flatMap((match, index) => {
    const { header } = match;
    const column = columns.find(({ id }) => id === choice[header]);
    // A repeated header is listed once.
    if (!column || headers.findIndex((candidate) => candidate.header === header) !== index) return [];
    const format = formats[header];
    const reading = findReading(format ? { ...match, format, formatBy: 'CHOSEN' } : match, column.type);
    if (!reading) return [];
    return [{ ...reading, header, column, decided: findDecidedFormat(match.evidence, reading) }];
  });
}

function findDecidedFormat(evidence: ColumnEvidence = {}, { choices }: ColumnReading): ListedReading['decided'] {
  const decidedFormats = choices.flatMap((format) => {
    const example = evidence[format];
    return example === undefined ? [] : [{ format, example }];
  });
  return decidedFormats.length === 1 ? decidedFormats[0] : undefined;
}
