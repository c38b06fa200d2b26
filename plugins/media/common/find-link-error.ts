import type { ValidationError } from '#core';
import { listRefusedLinks } from './rich-text.ts';

/** Returns an error that names the first forbidden link of a text, if there is one. */
export function findLinkError(source: string): ValidationError | undefined {
  const [link] = listRefusedLinks(source);
  return link === undefined ? undefined : { message: 'media.welcomeText.link', values: { link } };
}
