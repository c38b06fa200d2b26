import type { ReadFormat } from '../contract/index.ts';

/** `5,5`, `0,540`, `1234,540`, `1.234,5`, `1 234,540`: no comma that separates thousands stands there. */
const decimalComma = /^[+-]?(?:\d+,(?:\d{1,2}|\d{4,})|(?:0|\d{4,}),\d{3}|\d{1,3}(?:[. ]\d{3})+,\d+)$/;
/** `1,234,567` and `1,234.5`. */
const thousandsComma = /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3}){2,}(?:\.\d+)?|,\d{3}\.\d+)$/;
/** `91,540`: a decimal comma, or one that separates thousands. */
const ambiguousComma = /^[+-]?[1-9]\d{0,2},\d{3}$/;
/** `91.540` among numbers with a decimal comma: a decimal point, or one that separates thousands. */
const ambiguousPoint = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
/** `1.234.567` */
const thousandsPoints = /^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/;
/** `91 540`: spaces separate thousands in every language. */
const spacedThousands = /^[+-]?[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?$/;

/** The format of a column with this number. Undefined if it reads the same in each format, or is none. */
export function detectNumberFormat(writtenText: string): ReadFormat | 'NUMBER' | undefined {
  const text = writtenText.replaceAll(/\s+/g, ' ').trim();
  if (ambiguousComma.test(text)) return 'NUMBER';
  if (decimalComma.test(text)) return 'DECIMAL_COMMA';
  return thousandsComma.test(text) ? 'THOUSANDS_COMMA' : undefined;
}

/** Whether a number means another one if its comma separates thousands, or does not. */
export const hasTwoReadings = (text: string): boolean => ambiguousComma.test(text);

/** A number that can be read in two ways. */
export interface AmbiguousNumber {
  readonly separator: ',' | '.';
  /** Both readings, with a decimal point and without. */
  readonly point: string;
  readonly whole: string;
}

/**
 * The number with a decimal point and without separators of thousands, both readings of an ambiguous one, or the format
 * of the column that it contradicts. Other texts are returned as they are.
 */
export function toPointNumber(
  text: string,
  format: ReadFormat | undefined,
):
  | { readonly text: string }
  | { readonly ambiguous: AmbiguousNumber }
  | { readonly contradicts: 'DECIMAL_COMMA' | 'THOUSANDS_COMMA' } {
  const isDecimal = format === 'DECIMAL_COMMA';
  const isThousands = format === 'THOUSANDS_COMMA';
  if (ambiguousComma.test(text)) {
    const [point, whole] = [text.replace(',', '.'), text.replace(',', '')];
    if (isDecimal) return { text: point };
    return isThousands ? { text: whole } : { ambiguous: { separator: ',', point, whole } };
  }
  if (isDecimal && ambiguousPoint.test(text))
    return { ambiguous: { separator: '.', point: text, whole: text.replace('.', '') } };
  if (isDecimal && thousandsPoints.test(text)) return { text: text.replaceAll('.', '') };
  if (decimalComma.test(text)) {
    if (isThousands) return { contradicts: format };
    // Points before a decimal comma separate thousands only where the column says so.
    return text.includes('.') && !isDecimal ? { text } : { text: text.replaceAll(/[. ]/g, '').replace(',', '.') };
  }
  if (thousandsComma.test(text)) {
    if (isDecimal) return { contradicts: format };
    return { text: isThousands ? text.replaceAll(',', '') : text };
  }
  return { text: spacedThousands.test(text) ? text.replaceAll(' ', '') : text };
}
