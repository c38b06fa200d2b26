import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server, such as an outline that crosses itself. */
export const locationsRefusal = createRefusals('locations', english);
