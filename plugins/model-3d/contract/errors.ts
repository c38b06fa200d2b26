import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server: unusable model files, and unreadable placements. */
export const modelRefusal = createRefusals('model-3d', english);
