import type { Product } from '#core';

/** What a server must know of a product; nothing in it matters here. */
export const plainProduct: Product = {
  profile: 'bench',
  title: 'Bench',
  shortName: 'Bench',
  version: '0.0.0',
  login: { type: 'EMAIL_PW', providers: [] },
  languages: ['en', 'fr'],
  timeZone: 'UTC',
  progressiveWebApp: false,
  logo: '/dashboard/logo.svg',
  backgrounds: [],
};
