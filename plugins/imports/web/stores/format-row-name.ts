import type { ImportKindInfo, ImportRow, LocalizedText } from '../../contract/index.ts';
import { formatValue } from './format-value.ts';

/** The key of a row, by which people know it. */
export function formatRowName(
  { sheet: id, values, before, row }: ImportRow,
  kind: ImportKindInfo,
  language: keyof LocalizedText,
): string {
  const sheet = kind.sheets.find((each) => each.id === id);
  const name = (sheet?.columns ?? [])
    .filter(({ key }) => key)
    .map((column) => formatValue(values[column.id] ?? before?.[column.id], column, { timeZone: 'UTC', language }))
    .filter((text) => text !== '')
    .join(' · ');
  return name === '' ? String(row ?? '') : name;
}
