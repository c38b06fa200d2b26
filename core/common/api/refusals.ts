import { createRefusals } from '../localized-error.ts';
import english from './messages/en.json' with { type: 'json' };

/** Refusals of core's server: uploads, images, jobs. */
export const coreRefusal = createRefusals('core', english);
