import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Findings of imports that no rule of core covers, and refusals. */
export const importsRefusal = createRefusals('imports', english);
