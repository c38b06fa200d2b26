import type { TransferNote } from '#core/server';

export const noteMissingRight = (access: string): TransferNote => ({
  en: `Left out: the person lacks the right ${access}.`,
  fr: `Laissé de côté : la personne n’a pas le droit ${access}.`,
});

export const noteMissingPlugin: TransferNote = {
  en: 'Left out: this product has no plugin for it.',
  fr: 'Laissé de côté : ce produit n’a pas de plugin pour cela.',
};
