import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** What the server refuses with: panoramas that have no place or no day. */
export const tourRefusal = createRefusals('tour', english);
