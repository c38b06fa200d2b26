import type { ValidationError } from '#core';
import { listRefusedLinks } from './rich-text.ts';

/** The first link of a text that is not allowed, with its address. */
export function findLinkError(source: string): ValidationError | undefined {
  const [link] = listRefusedLinks(source);
  return link === undefined ? undefined : { message: 'media.welcomeText.link', values: { link } };
}
