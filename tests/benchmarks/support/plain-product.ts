import type { Product } from '#core';

/** The minimal product description that a server needs. */
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
