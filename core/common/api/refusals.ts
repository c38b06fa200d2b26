import { createRefusals } from '../localized-error.ts';
import english from './messages/en.json' with { type: 'json' };

/** What core's server refuses with: uploads, pictures, jobs. */
export const coreRefusal = createRefusals('core', english);
