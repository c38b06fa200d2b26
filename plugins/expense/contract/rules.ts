import { decimals, integerDigits, mandatory, max, min, number, positive, type Rule } from '#core';
import type { ExpenseFigure } from './values.ts';

/** Digits of each figure after the decimal point. */
export const figureDecimals = 2;
export const maxCostDigits = 9;
/** Durations are above zero: a trip of no days, or a day of no hours, would save nothing or everything. */
export const minDuration = 0.01;
export const maxTripDays = 365;
export const maxTourHours = 24;

type FigureRules = readonly Rule<number | undefined>[];

const costRules: FigureRules = [mandatory, number, positive, integerDigits(maxCostDigits), decimals(figureDecimals)];
const buildDurationRules = (maxDuration: number): FigureRules => [
  mandatory,
  number,
  positive,
  max(maxDuration),
  decimals(figureDecimals),
  min(minDuration),
];

export const figureRules: Readonly<Record<ExpenseFigure, FigureRules>> = {
  fixedCost: costRules,
  perDiem: costRules,
  tripDays: buildDurationRules(maxTripDays),
  tourHours: buildDurationRules(maxTourHours),
};
