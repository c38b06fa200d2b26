import { createRefusals } from '../localized-error.ts';
import english from './messages/en.json' with { type: 'json' };
import french from './messages/fr.json' with { type: 'json' };

/** Refusals of core's server: uploads, images, jobs. */
export const coreRefusal = createRefusals('core', english);

/** The texts of core's refusals, for files that the server writes. */
export const coreRefusalTexts: Readonly<Record<'en' | 'fr', Readonly<Record<string, string>>>> = {
  en: english,
  fr: french,
};
