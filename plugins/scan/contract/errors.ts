import { createRefusals } from '#core';
import english from './messages/en.json' with { type: 'json' };

/** What the server refuses with: files that cannot be read as scans, and changes that cannot be made. */
export const scanRefusal = createRefusals('scan', english);
