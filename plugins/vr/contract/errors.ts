import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server, such as a marker without a valid target. */
export const vrRefusal = createRefusals('vr', english);
