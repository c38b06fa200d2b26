import type { ImportKindInfo, ImportRow, LocalizedText } from '../../contract/index.ts';
import { formatValue } from './format-value.ts';

/** The values of the key columns of a row, by which people recognize it. Without any: its number in the file. */
export function formatRowName(
  { sheet: id, values, before, row }: ImportRow,
  kind: ImportKindInfo,
  language: keyof LocalizedText,
): string {
  const sheet = kind.sheets.find((candidate) => candidate.id === id);
  const name = (sheet?.columns ?? [])
    .filter(({ key }) => key)
    .map((column) => formatValue(values[column.id] ?? before?.[column.id], column, { timeZone: 'UTC', language }))
    .filter((text) => text !== '')
    .join(' · ');
  return name === '' ? String(row ?? '') : name;
}
