import type { ImportColumnInfo, LocalizedText } from '../../contract/index.ts';

/** A hint on what to type into a field: the message `imports.hint.<type>` and the values of its placeholders. */
export interface ValueHint {
  readonly type: 'NUMBER' | 'INTEGER' | 'DATETIME' | 'BOOLEAN' | 'LIST';
  readonly values: { readonly unit: string; readonly example: string };
}

const unitPattern = /\(([^()]+)\)\s*$/;
const preferredExample = 12.5;

/** Undefined for columns of any text, and for columns of listed values, which the field itself offers. */
export function findValueHint(
  { type, header, min, max, decimals }: ImportColumnInfo,
  language: keyof LocalizedText,
): ValueHint | undefined {
  switch (type) {
    case 'NUMBER':
    case 'INTEGER': {
      const isWhole = type === 'INTEGER' || decimals === 0;
      const [, unit = 'none'] = unitPattern.exec(header[language]) ?? [];
      const validExample = Math.min(
        max ?? Infinity,
        Math.max(min ?? -Infinity, isWhole ? Math.floor(preferredExample) : preferredExample),
      );
      return { type: isWhole ? 'INTEGER' : 'NUMBER', values: { unit, example: String(validExample) } };
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
