import type { ImportColumnInfo, LocalizedText } from '../../contract/index.ts';

/** What a field for a value of a column wants: the text `imports.hint.<type>` and its values. */
export interface ValueHint {
  readonly type: 'NUMBER' | 'INTEGER' | 'DATETIME' | 'BOOLEAN' | 'LIST';
  readonly values: { readonly unit: string; readonly example: string };
}

const unitPattern = /\(([^()]+)\)\s*$/;
const example = 12.5;

/** Undefined for texts, which can be anything, and for listed values, which the field offers. */
export function findValueHint(
  { type, header, min, max, decimals }: ImportColumnInfo,
  language: keyof LocalizedText,
): ValueHint | undefined {
  switch (type) {
    case 'NUMBER':
    case 'INTEGER': {
      const isWhole = type === 'INTEGER' || decimals === 0;
      const [, unit = 'none'] = unitPattern.exec(header[language]) ?? [];
      const usual = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, isWhole ? Math.floor(example) : example));
      return { type: isWhole ? 'INTEGER' : 'NUMBER', values: { unit, example: String(usual) } };
    }
    case 'DATETIME':
      return { type, values: { unit: 'none', example: '2026-01-31 08:00' } };
    case 'BOOLEAN':
    case 'LIST':
      return { type, values: { unit: 'none', example: '' } };
    default:
      return undefined;
  }
}
