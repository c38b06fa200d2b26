import { numberOf } from './number-text.ts';
import { validationMessages, type Refusal } from './refusal.ts';

/** Refuses numbers with a fraction; `2.0` stands. */
export function integer(value: unknown): Refusal | undefined {
  return Number.isInteger(numberOf(value) ?? 0) ? undefined : { message: validationMessages.integer };
}
