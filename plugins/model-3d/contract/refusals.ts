import { refusalsOf } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** What the server refuses with: files that cannot be used as models, and places that cannot be read. */
export const modelRefusal = refusalsOf('model-3d', english);
