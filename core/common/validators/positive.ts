import { numberOf } from './number-text.ts';
import { validationMessages, type Refusal } from './refusal.ts';

/** Refuses numbers below zero; zero stands. */
export function positive(value: unknown): Refusal | undefined {
  return (numberOf(value) ?? 0) < 0 ? { message: validationMessages.positive } : undefined;
}
