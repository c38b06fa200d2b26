import { distanceBetween, formatLength, formatNumber } from '#core';
import type { Annotation, StoredPoint } from '#plugins/annotate';
import { formatCoordinates, type ResultStyle } from '../../measure/components/format-result.ts';

/** Formats the value of an annotation. The result is empty for kinds without a value. */
export function formatAnnotation(
  { kind, points, temperature }: Pick<Annotation, 'kind' | 'temperature'> & { readonly points: readonly StoredPoint[] },
  { language, unit }: ResultStyle,
): string {
  const [first, second] = points;
  if (kind === 'CORDINATES') return first ? formatCoordinates(first.point, { language, unit }) : '';
  if (kind === 'DISTANCE')
    return first && second ? formatLength(distanceBetween(first.point, second.point), unit, { language }) : '';
  if (kind === 'TEMPERATURE')
    return temperature === null
      ? ''
      : `${formatNumber(temperature, { language, decimals: Number.isInteger(temperature) ? 0 : 1 })}\u00a0°C`;
  return '';
}
