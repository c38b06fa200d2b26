import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server, such as an active master of an inactive type. */
export const mastersRefusal = createRefusals('masters', english);
