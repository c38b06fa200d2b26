import { useCallback } from 'react';
import { formatNumber } from '#core';
import { I18n, useService } from '#core/web';
import { figureDecimals } from '../../contract/rules.ts';

/** Formats a figure always with two decimals, such as `12,34,567.50`. Call it in an observer. */
export function useFormatFigure(): (value: number) => string {
  const { language } = useService(I18n);
  return useCallback((value) => formatNumber(value, { language, decimals: figureDecimals, fixed: true }), [language]);
}
