import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Normalises a mail domain to Unicode, as people write it. Browsers send `xn--rsnes-uua.example` for `ørsnes.example`;
 * identity providers send either.
 */
export function normaliseMailDomain(domain: string): string {
  const text = domain.normalize('NFC').toLowerCase();
  if (!/[^\0-\x7f]|xn--/.test(text)) return text;
  // Both return an empty text for an invalid domain.
  return domainToUnicode(domainToASCII(text)) || text;
}
