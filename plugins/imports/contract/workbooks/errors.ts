import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of files that cannot be read. The child processes use message ids of this catalogue. */
export const workbookRefusal = createRefusals('imports', english);
