import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server, such as an estimation that was changed meanwhile. */
export const expenseRefusal = createRefusals('expense', english);
