import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server, such as the one of an outdated estimation. */
export const expenseRefusal = createRefusals('expense', english);
