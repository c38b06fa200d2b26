import type { Language } from '../profile.ts';

export interface NumberStyle {
  readonly language: Language;
  /** Maximum number of digits after the decimal mark; 0 by default. */
  readonly decimals?: number;
  /** Always show all `decimals`, to align columns. */
  readonly fixed?: boolean;
  /** False for coordinates, which people copy and compare digit by digit; true by default. */
  readonly grouped?: boolean;
}

/** Indian grouping (12,34,567.5) with the language's separators. */
export function formatNumber(
  value: number,
  { language, decimals = 0, fixed = false, grouped = true }: NumberStyle,
): string {
  const separators = getSeparators(language);
  return getFormatter(decimals, fixed, grouped)
    .formatToParts(Object.is(value, -0) ? 0 : value)
    .map((part) =>
      part.type === 'group' ? separators.group : part.type === 'decimal' ? separators.decimal : part.value,
    )
    .join('');
}

/**
 * K from 1000, M from 1,000,000, with at most `decimals` digits (default: 2): 950, 1.5K, 12.35M. The letters are the
 * same in every language.
 */
export function formatCompact(value: number, style: NumberStyle): string {
  return toCompact(value, style).join('');
}

/** Formats a number of bytes with a no-break space before the unit: 950 B, 1.5 KB, 12.35 MB (in French o, Ko, Mo). */
export function formatBytes(bytes: number, style: NumberStyle): string {
  const [number, letter] = toCompact(bytes, style);
  return `${number}\u00a0${letter}${style.language === 'fr' ? 'o' : 'B'}`;
}

function toCompact(
  value: number,
  { language, decimals = 2 }: NumberStyle,
): readonly [number: string, letter: '' | 'K' | 'M'] {
  const magnitude = Math.abs(value);
  if (magnitude < 1000) return [formatNumber(value, { language, decimals }), ''];
  const thousands = Number((value / 1000).toFixed(decimals));
  if (magnitude < 1_000_000 && Math.abs(thousands) < 1000)
    return [formatNumber(thousands, { language, decimals }), 'K'];
  return [formatNumber(value / 1_000_000, { language, decimals }), 'M'];
}

/** Formats a fraction in [0, 1] as a percentage. */
export function formatPercent(fraction: number, { language, decimals = 0 }: NumberStyle): string {
  return new Intl.NumberFormat(language === 'fr' ? 'fr' : 'en', {
    style: 'percent',
    maximumFractionDigits: decimals,
  }).format(fraction);
}

const formatters = new Map<string, Intl.NumberFormat>();
function getFormatter(decimals: number, fixed: boolean, grouped: boolean): Intl.NumberFormat {
  const key = `${decimals} ${fixed} ${grouped}`;
  const cached =
    formatters.get(key) ??
    new Intl.NumberFormat('en-IN', {
      maximumFractionDigits: decimals,
      minimumFractionDigits: fixed ? decimals : 0,
      useGrouping: grouped,
    });
  formatters.set(key, cached);
  return cached;
}

const separatorsByLanguage = new Map<Language, { readonly group: string; readonly decimal: string }>();
function getSeparators(language: Language): { readonly group: string; readonly decimal: string } {
  const cached = separatorsByLanguage.get(language);
  if (cached) return cached;
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const findSeparator = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const separators = { group: findSeparator('group'), decimal: findSeparator('decimal') };
  separatorsByLanguage.set(language, separators);
  return separators;
}
