import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** What the server refuses with: markers that lead nowhere. */
export const vrRefusal = createRefusals('vr', english);
