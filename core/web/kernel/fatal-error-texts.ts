import type { Language } from '#core';

/**
 * The texts for a page whose messages cannot be loaded. They equal `core.failed.general`, `core.chunk.hint` and
 * `core.chunk.reload`.
 */
export const fatalErrorTexts: Readonly<
  Record<Language, { readonly title: string; readonly hint: string; readonly reload: string }>
> = {
  en: {
    title: 'An error occurred. Please refresh page',
    hint: 'The connection may be weak, or a new version was installed. Reload the page to continue.',
    reload: 'Reload page',
  },
  fr: {
    title: 'Une erreur s’est produite. Veuillez actualiser la page',
    hint:
      'La connexion est peut-être faible, ou une nouvelle version a été installée. Rechargez la page pour ' +
      'continuer.',
    reload: 'Recharger la page',
  },
};
