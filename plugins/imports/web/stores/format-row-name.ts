import type { ImportKindInfo, ImportRow } from '../../contract/index.ts';
import { formatValue } from './format-value.ts';

/** The key of a row, by which people know it. */
export function formatRowName({ sheet: id, values, before, row }: ImportRow, kind: ImportKindInfo): string {
  const sheet = kind.sheets.find((each) => each.id === id);
  const name = (sheet?.columns ?? [])
    .filter(({ key }) => key)
    .map((column) => formatValue(values[column.id] ?? before?.[column.id], column.type, 'UTC'))
    .filter((text) => text !== '')
    .join(' · ');
  return name === '' ? String(row ?? '') : name;
}
