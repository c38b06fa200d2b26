import { wallTimeAt } from '#core';
import type { ColumnType, ImportValue } from '../../contract/index.ts';

/** A value as people write it in a workbook: dates as wall time of the site, lists separated by semicolons. */
export function formatValue(value: ImportValue | undefined, type: ColumnType, timeZone: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Y' : 'N';
  if (Array.isArray(value)) return value.join('; ');
  if (type !== 'DATETIME' || typeof value !== 'string' || !instantPattern.test(value)) return String(value);
  return wallTimeAt(new Date(value), timeZone).replace('T', ' ');
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** What a person has typed, as the server parses it. Empty means no value. */
export function parseTyped(text: string, type: ColumnType): ImportValue {
  const typed = text.trim();
  if (typed === '') return null;
  if (type !== 'LIST') return typed;
  return typed
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
