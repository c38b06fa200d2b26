import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server, such as a sixth background. */
export const mediaRefusal = createRefusals('media', english);
