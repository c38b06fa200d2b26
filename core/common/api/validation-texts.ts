import english from './validation-texts/en.json' with { type: 'json' };
import french from './validation-texts/fr.json' with { type: 'json' };

/** The texts of the rules of `core.validation`, for files that the server writes. Placeholders are names alone. */
export const validationTexts: Readonly<Record<'en' | 'fr', Readonly<Record<string, string>>>> = {
  en: english,
  fr: french,
};
