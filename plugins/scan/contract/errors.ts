import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of the server: unreadable scan files, and changes that are not possible. */
export const scanRefusal = createRefusals('scan', english);
