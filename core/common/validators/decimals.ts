import { countDigits } from './number-text.ts';
import { validationMessages, type Rule } from './validation-error.ts';

/** Refuses more than `count` digits after the decimal point. */
export function decimals(count: number): Rule {
  return (value) =>
    (countDigits(value)?.decimals ?? 0) > count
      ? { message: validationMessages.decimals, values: { count } }
      : undefined;
}

/** Refuses more than `count` digits before the decimal point, ignoring leading zeros. */
export function integerDigits(count: number): Rule {
  return (value) =>
    (countDigits(value)?.integer ?? 0) > count
      ? { message: validationMessages.integerDigits, values: { count } }
      : undefined;
}
