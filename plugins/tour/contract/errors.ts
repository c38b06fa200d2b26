import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server, such as a panorama without a matching node or a date. */
export const tourRefusal = createRefusals('tour', english);
