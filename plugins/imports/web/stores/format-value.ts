import { wallTimeAt } from '#core';
import type { ColumnType, ImportColumnInfo, ImportValue, LocalizedText } from '../../contract/index.ts';
import { formatCode } from '../../common/code-labels.ts';

/** The time zone of dates and the language of words. */
export interface FormatOptions {
  readonly timeZone: string;
  readonly language: keyof LocalizedText;
}

type FormattedColumn = Pick<ImportColumnInfo, 'type'> & Partial<Pick<ImportColumnInfo, 'values'>>;

/**
 * A value as people write it in a workbook: dates as wall time of the site, lists separated by semicolons, codes in
 * plain words.
 */
export function formatValue(
  value: ImportValue | undefined,
  column: FormattedColumn,
  { timeZone, language }: FormatOptions,
): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Y' : 'N';
  if (Array.isArray(value)) return value.join('; ');
  if (column.type === 'ENUM') return formatCode(String(value), column, language);
  if (column.type !== 'DATETIME' || typeof value !== 'string' || !instantPattern.test(value)) return String(value);
  return wallTimeAt(new Date(value), timeZone).replace('T', ' ');
}

/** The text of a value, followed by its code in brackets if the two differ. */
export function formatWithCode(text: string, value: ImportValue | undefined, { type }: FormattedColumn): string {
  return type === 'ENUM' && typeof value === 'string' && value !== text ? `${text} (${value})` : text;
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Converts typed text to a value for the server. An empty text means no value. */
export function parseTypedValue(text: string, type: ColumnType): ImportValue {
  const trimmedText = text.trim();
  if (trimmedText === '') return null;
  if (type !== 'LIST') return trimmedText;
  return trimmedText
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
