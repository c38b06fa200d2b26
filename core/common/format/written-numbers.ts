/** How the comma of written numbers is read. With a decimal comma, points separate thousands. */
export type NumberFormat = 'DECIMAL_COMMA' | 'THOUSANDS_COMMA';

/**
 * `5,5`, `0,540`, `090,125`, `1234,540`, `1.234,5`, `1 234,540`, `1,234E-5`: this comma cannot separate
 * thousands.
 */
const decimalComma =
  /^[+-]?(?:\d+,(?:\d{1,2}|\d{4,})|(?:0\d*|\d{4,}),\d{3}|\d{1,3}(?:[. ]\d{3})+,\d+|\d+,\d+e[+-]?\d+)$/i;
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

/**
 * Detects the format that a written number proves for its column. NUMBER: both formats can read it, with different
 * values. Undefined if all formats read the same, or if it is no number.
 */
export function detectNumberFormat(writtenText: string): NumberFormat | 'NUMBER' | undefined {
  const text = collapseSpaces(writtenText);
  if (ambiguousComma.test(text)) return 'NUMBER';
  if (decimalComma.test(text)) return 'DECIMAL_COMMA';
  return thousandsComma.test(text) ? 'THOUSANDS_COMMA' : undefined;
}

/** Languages separate thousands by spaces of several kinds. */
const collapseSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Whether the value of a number depends on whether its comma separates decimals or thousands. */
export const hasTwoReadings = (text: string): boolean => ambiguousComma.test(text);

/** A number that can be read in two ways. */
export interface AmbiguousNumber {
  readonly separator: ',' | '.';
  /** The reading with a decimal point, and the one as a whole number. */
  readonly point: string;
  readonly whole: string;
}

/**
 * Normalises a written number to a decimal point, without separators of thousands. Returns both readings of an
 * ambiguous number, or the format of the column if the number contradicts it. Other texts are returned unchanged.
 * Formats of dates are ignored.
 */
export function toPointNumber(
  writtenText: string,
  format: string | undefined,
): { readonly text: string } | { readonly ambiguous: AmbiguousNumber } | { readonly contradicts: NumberFormat } {
  const text = collapseSpaces(writtenText);
  const isDecimalComma = format === 'DECIMAL_COMMA';
  const isThousandsComma = format === 'THOUSANDS_COMMA';
  if (ambiguousComma.test(text)) {
    const [point, whole] = [text.replace(',', '.'), text.replace(',', '')];
    if (isDecimalComma) return { text: point };
    return isThousandsComma ? { text: whole } : { ambiguous: { separator: ',', point, whole } };
  }
  if (isDecimalComma && ambiguousPoint.test(text))
    return { ambiguous: { separator: '.', point: text, whole: text.replace('.', '') } };
  if (isDecimalComma && thousandsPoints.test(text)) return { text: text.replaceAll('.', '') };
  if (decimalComma.test(text)) {
    if (isThousandsComma) return { contradicts: format };
    // Points before a decimal comma separate thousands only where the column says so.
    return text.includes('.') && !isDecimalComma
      ? { text: writtenText }
      : { text: text.replaceAll(/[. ]/g, '').replace(',', '.') };
  }
  if (thousandsComma.test(text)) {
    if (isDecimalComma) return { contradicts: format };
    return { text: isThousandsComma ? text.replaceAll(',', '') : writtenText };
  }
  return { text: spacedThousands.test(text) ? text.replaceAll(' ', '') : writtenText };
}
