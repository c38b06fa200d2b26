import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The one spelling of a mail domain: in Unicode, as people write it. Browsers send `xn--rsnes-uua.example` where a
 * person typed `ørsnes.example`; identity providers send either.
 */
export function normaliseMailDomain(domain: string): string {
  const text = domain.normalize('NFC').toLowerCase();
  if (!/[^\0-\x7f]|xn--/.test(text)) return text;
  // Both are empty where the text is no domain.
  return domainToUnicode(domainToASCII(text)) || text;
}
