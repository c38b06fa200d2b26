import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** What the server refuses with: files that cannot be used as models, and places that cannot be read. */
export const modelRefusal = createRefusals('model-3d', english);
