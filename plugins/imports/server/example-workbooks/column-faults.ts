import { validationMessages } from '#core';
import type { ImportColumn } from '#plugins/imports';
import type { CellValue } from '../workbooks/workbook-types.ts';

/** A wrong cell, and the message that an import shows for it. */
export interface ColumnFault {
  readonly cell: CellValue;
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly severity?: 'WARNING';
}

const defaultLengths: Partial<Record<ImportColumn['type'], number>> = {
  CODE: 50,
  NAME: 150,
  TAGNO: 80,
  REFERENCE: 150,
  TEXT: 2000,
};
const maxListLength = 1000;

/** Lists a wrong cell for each check that follows from the description of a column. */
export function listColumnFaults(column: ImportColumn): readonly ColumnFault[] {
  const { type, required, default: defaultValue, picture } = column;
  const mandatoryFaults: readonly ColumnFault[] =
    required === true && defaultValue === undefined ? [{ cell: null, message: validationMessages.mandatoryField }] : [];
  if (picture)
    return [...mandatoryFaults, createFault('missing.png', 'imports.refused.fileMissing', { file: 'missing.png' })];
  return [
    ...mandatoryFaults,
    ...listTextFaults(column),
    ...listTypeFaults(column),
    ...listReferenceFaults(column),
  ].concat(type === 'NUMBER' || type === 'INTEGER' ? listNumberFaults(column) : []);
}

/** Creates a wrong cell with the message that an import shows for it. */
export const createFault = (cell: CellValue, message: string, values?: ColumnFault['values']): ColumnFault => ({
  cell,
  message,
  ...(values ? { values } : {}),
});

function listTextFaults({ type, maxLength = defaultLengths[type], minLength }: ColumnTexts): readonly ColumnFault[] {
  if (type === 'EMAIL' || type === 'LIST' || maxLength === undefined) return [];
  return [
    // A reference gets another letter than codes, so that it does not refer to the long code of another row.
    createFault((type === 'REFERENCE' ? 'y' : 'x').repeat(maxLength + 1), validationMessages.maxLength, {
      max: maxLength,
    }),
    ...(minLength === undefined
      ? []
      : [createFault('x'.repeat(minLength - 1), validationMessages.minLength, { min: minLength })]),
  ];
}
type ColumnTexts = Pick<ImportColumn, 'type' | 'maxLength' | 'minLength'>;

function listTypeFaults({ type, values = [], synonyms = [] }: ImportColumn): readonly ColumnFault[] {
  switch (type) {
    case 'CODE':
      return [createFault('A B', validationMessages.specialCharsExceptDash)];
    case 'NAME':
      return [createFault('A; B', validationMessages.specialChars)];
    case 'TAGNO':
      return [createFault('A; B', validationMessages.specialChars)];
    case 'EMAIL':
      return [createFault('nobody', validationMessages.email)];
    case 'ENUM':
      return [
        createFault('Maybe', 'imports.refused.enum', { values: joinValues(values) }),
        ...synonyms.map(({ text, warning }) => ({ cell: text, message: warning, severity: 'WARNING' as const })),
      ];
    case 'BOOLEAN':
      return [createFault('Maybe', 'imports.refused.boolean')];
    case 'DATETIME':
      return [createFault('2026-02-30', 'imports.refused.date')];
    case 'LIST':
      return [
        createFault(Array.from({ length: maxListLength + 1 }, () => 'A').join(';'), 'imports.refused.listTooLong', {
          max: maxListLength,
        }),
      ];
    default:
      return [];
  }
}

const joinValues = (values: NonNullable<ImportColumn['values']>): string => values.map(({ value }) => value).join(', ');

function listNumberFaults({ type, min, max, decimals, integerDigits }: ImportColumn): readonly ColumnFault[] {
  return [
    createFault('many', validationMessages.number),
    ...(type === 'INTEGER' ? [createFault((min ?? 0) + 0.5, validationMessages.integer)] : []),
    ...(min === 0
      ? [createFault(-1, validationMessages.positive)]
      : min === undefined
        ? []
        : [createFault(Math.floor(min) - 1, validationMessages.min, { min })]),
    ...(max === undefined ? [] : [createFault(Math.ceil(max) + 1, validationMessages.max, { max })]),
    ...(integerDigits === undefined
      ? []
      : [createFault(10 ** integerDigits, validationMessages.integerDigits, { count: integerDigits })]),
    ...(decimals === undefined
      ? []
      : [
          createFault((min ?? 0) + Number(`1.${'1'.repeat(decimals + 1)}`), validationMessages.decimals, {
            count: decimals,
          }),
        ]),
  ];
}

const listReferenceFaults = ({ type, reference }: ImportColumn): readonly ColumnFault[] =>
  reference && (type === 'REFERENCE' || type === 'LIST')
    ? [createFault('NOT-THERE', 'imports.refused.reference', { value: 'NOT-THERE', entity: reference.entity.en })]
    : [];
